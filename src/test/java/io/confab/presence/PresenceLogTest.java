package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.presence.PresenceLog.Entry;
import io.confab.protocol.AccountId;
import io.confab.protocol.NodeId;
import io.confab.protocol.PresenceStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PresenceLogTest {
  private static final NodeId NODE = new NodeId("n");

  private final List<List<Entry>> written = new ArrayList<>();
  private final List<Promise<Void>> answers = new ArrayList<>();
  private final PresenceLog log = new PresenceLog(this::write);

  private Future<Void> write(List<Entry> batch) {
    written.add(batch);
    answers.add(Promise.promise());
    return answers.getLast().future();
  }

  private static List<Transition> transitions(long from, long to) {
    return entries(from, to).stream().map(Entry::of).toList();
  }

  private static List<Entry> entries(long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(
            i -> new Entry(NODE, new Transition(new AccountId(i), PresenceStatus.ONLINE, i, i)))
        .toList();
  }

  @Test
  void whatWaitsIsWrittenTogetherAndInOrder() {
    log.add(NODE, transitions(0, 2));
    log.add(NODE, transitions(2, 3));
    log.write();
    log.write();
    assertThat(written).containsExactly(entries(0, 3));
    log.add(NODE, transitions(3, 4));
    answers.getFirst().complete();
    assertThat(written).containsExactly(entries(0, 3), entries(3, 4));
  }

  @Test
  void whatCouldNotBeWrittenIsWrittenLater() {
    log.add(NODE, transitions(0, 2));
    log.write();
    answers.getFirst().fail("PostgreSQL is away");
    log.add(NODE, transitions(2, 3));
    log.write();
    assertThat(written.getLast()).isEqualTo(entries(0, 3));
  }

  @Test
  void ofTooManyTheOldestAreLeftOut() {
    log.add(NODE, transitions(0, PresenceLog.MOST + 5));
    log.write();
    assertThat(written.getFirst().getFirst().of().at()).isEqualTo(5);
  }
}
