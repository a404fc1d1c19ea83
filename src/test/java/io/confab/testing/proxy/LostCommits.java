package io.confab.testing.proxy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// When asked to, loses PostgreSQL's answer to a commit, and the connection with it. For any
/// thread.
public final class LostCommits implements Supplier<Filter> {
  private final AtomicReference<@Nullable Pattern> meant = new AtomicReference<>();
  private final AtomicInteger lost = new AtomicInteger();

  /// The answer to the next commit of such a statement will not come: that to its COMMIT, or its
  /// own where it is alone. Whatever else a node commits meanwhile, of its own accord too, is
  /// answered.
  ///
  /// @param statement a regular expression for a part of it
  public void loseNext(String statement) {
    meant.set(Pattern.compile(statement));
  }

  public int lost() {
    return lost.get();
  }

  @Override
  public Filter get() {
    return new Loser();
  }

  private final class Loser implements Filter {
    private final ClientMessages messages = new ClientMessages(this::read);
    private final Map<String, String> prepared = new HashMap<>();
    private final List<String> executed = new ArrayList<>();
    private boolean transaction;
    private volatile boolean committing;

    @Override
    public byte[] toServer(byte[] bytes) {
      messages.add(bytes);
      return bytes;
    }

    private void read(char type, String body) {
      String[] texts = body.split("\0", 3);
      switch (type) {
        case 'P' -> prepared.put(texts[0], texts[1]);
        case 'B' -> execute(prepared.getOrDefault(texts[1], ""));
        case 'Q' -> {
          transaction |= body.startsWith("BEGIN");
          transaction &= !body.startsWith("COMMIT") && !body.startsWith("ROLLBACK");
          execute(body);
        }
        default -> {}
      }
    }

    private void execute(String statement) {
      executed.add(statement);
      if (transaction) {
        return;
      }
      Pattern wanted = meant.get();
      committing |=
          wanted != null
              && !statement.startsWith("ROLLBACK")
              && executed.stream().anyMatch(each -> wanted.matcher(each).find())
              && meant.compareAndSet(wanted, null);
      executed.clear();
    }

    @Override
    public byte[] toClient(byte[] bytes) throws IOException {
      if (committing) {
        lost.incrementAndGet();
        throw new IOException("the answer to a commit is lost");
      }
      return bytes;
    }
  }
}
