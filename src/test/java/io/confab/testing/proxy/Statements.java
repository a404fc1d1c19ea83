package io.confab.testing.proxy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Counts the statements that clients have PostgreSQL execute: messages `Execute` and `Query` of
/// its protocol. For any thread.
public final class Statements implements Supplier<Filter> {
  /// What a node has executed regularly, of its own accord.
  private static final Pattern OWN =
      Pattern.compile(
          "^SELECT 1$|lone_node|look_at_seats|delivery_failure|WHERE leaving|FROM invitation"
              + "|UPDATE invitation|woken_until|FROM sweep");

  private final AtomicLong count = new AtomicLong();
  private final AtomicLong own = new AtomicLong();
  private final List<String> executed = new CopyOnWriteArrayList<>();

  public long count() {
    return count.get();
  }

  /// Those that a node executed because somebody asked it for something.
  public long asked() {
    return count.get() - own.get();
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
          execute(bound);
          executed.add(bound);
        }
        case 'Q' -> execute(texts[0]);
        default -> {}
      }
    }

    private void execute(String statement) {
      if (OWN.matcher(statement).find()) {
        own.incrementAndGet();
      }
      count.incrementAndGet();
    }
  }
}
