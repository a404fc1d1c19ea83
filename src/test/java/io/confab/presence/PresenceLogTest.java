package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.PresenceStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PresenceLogTest {
  private final List<List<Transition>> written = new ArrayList<>();
  private final List<Promise<Void>> answers = new ArrayList<>();
  private final PresenceLog log = new PresenceLog(this::write);

  private Future<Void> write(List<Transition> batch) {
    written.add(batch);
    answers.add(Promise.promise());
    return answers.getLast().future();
  }

  private static List<Transition> transitions(long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(i -> new Transition(new AccountId(i), PresenceStatus.ONLINE, i, i))
        .toList();
  }

  @Test
  void whatWaitsIsWrittenTogetherAndInOrder() {
    log.add(transitions(0, 2));
    log.add(transitions(2, 3));
    log.write();
    log.write();
    assertThat(written).containsExactly(transitions(0, 3));
    log.add(transitions(3, 4));
    answers.getFirst().complete();
    assertThat(written).containsExactly(transitions(0, 3), transitions(3, 4));
  }

  @Test
  void whatCouldNotBeWrittenIsWrittenLater() {
    log.add(transitions(0, 2));
    log.write();
    answers.getFirst().fail("PostgreSQL is away");
    log.add(transitions(2, 3));
    log.write();
    assertThat(written.getLast()).isEqualTo(transitions(0, 3));
  }

  @Test
  void ofTooManyTheOldestAreLeftOut() {
    log.add(transitions(0, PresenceLog.MOST + 5));
    log.write();
    assertThat(written.getFirst().getFirst().at()).isEqualTo(5);
  }
}
