package io.confab.testing.proxy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Counts the statements that clients have PostgreSQL execute: messages `Execute` and `Query` of
/// its protocol. For any thread.
public final class Statements implements Supplier<Filter> {
  private final AtomicLong count = new AtomicLong();
  private final List<String> executed = new CopyOnWriteArrayList<>();

  public long count() {
    return count.get();
  }

  /// How many of them hold this text, of those that were prepared.
  public long count(String text) {
    return executed.stream().filter(statement -> statement.contains(text)).count();
  }

  @Override
  public Filter get() {
    return new Counter();
  }

  private final class Counter implements Filter {
    private final ClientMessages messages = new ClientMessages(this::read);
    private final Map<String, String> prepared = new HashMap<>();
    private String bound = "";

    @Override
    public byte[] toServer(byte[] bytes) {
      messages.add(bytes);
      return bytes;
    }

    private void read(char type, String body) {
      String[] texts = body.split("\0", 3);
      switch (type) {
        case 'P' -> prepared.put(texts[0], texts[1]);
        case 'B' -> bound = prepared.getOrDefault(texts[1], "");
        case 'E' -> {
          count.incrementAndGet();
          executed.add(bound);
        }
        case 'Q' -> count.incrementAndGet();
        default -> {}
      }
    }
  }
}
