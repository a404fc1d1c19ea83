package io.confab.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class HistoryTest {
  private final AtomicLong clock = new AtomicLong();

  @Test
  void eachEntryHasTheTimeAtWhichItWasAdded() {
    History history = History.inMemory(clock::incrementAndGet);
    history.add(t -> new Entry.ViewEnded(t, "a"));
    history.add(t -> new Entry.ViewEnded(t, "b"));
    assertThat(history.entries())
        .containsExactly(new Entry.ViewEnded(1, "a"), new Entry.ViewEnded(2, "b"));
    assertThat(history.since(1)).containsExactly(new Entry.ViewEnded(2, "b"));
    assertThat(history.size()).isEqualTo(2);
  }

  @Test
  void eachEntryIsALineOfTheFileAtOnce(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("history.jsonl");
    try (History history = History.toFile(clock::incrementAndGet, file)) {
      history.add(t -> new Entry.Acked(t, "ann-1", "room", "a\"b", 7, true));
      assertThat(Files.readString(file))
          .isEqualTo(
              """
              {"op":"acked","t":1,"client":"ann-1","room":"room","client_id":"a\\"b","seq":7,"duplicate":true}
              """);
      history.add(t -> new Entry.SendBegan(t, "ann-1", "room", "c", "ann", "#c"));
      assertThat(Files.readAllLines(file).getLast())
          .startsWith("{\"op\":\"send_began\",\"t\":2,")
          .endsWith("\"body_hash\":\"#c\"}");
    }
  }
}
