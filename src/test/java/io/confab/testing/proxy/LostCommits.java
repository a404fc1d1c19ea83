package io.confab.testing.proxy;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// When asked to, loses PostgreSQL's answer to a COMMIT, or to the one call of a change of a
/// room or of markers, and the connection with it. For any thread.
public final class LostCommits implements Supplier<Filter> {
  private final AtomicBoolean armed = new AtomicBoolean();
  private final AtomicInteger lost = new AtomicInteger();

  /// The answer to the next COMMIT or such a change will not come.
  public void loseNext() {
    armed.set(true);
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
    private final Set<String> changes = new HashSet<>();
    private volatile boolean committing;

    @Override
    public byte[] toServer(byte[] bytes) {
      messages.add(bytes);
      return bytes;
    }

    private void read(char type, String body) {
      committing |= isCommit(type, body) && armed.compareAndSet(true, false);
    }

    private boolean isCommit(char type, String body) {
      String[] texts = body.split("\0", 3);
      switch (type) {
        case 'P' -> {
          if (texts[1].contains("told_room") || texts[1].contains("move_markers")) {
            changes.add(texts[0]);
          } else {
            changes.remove(texts[0]);
          }
        }
        case 'B' -> {
          return changes.contains(texts[1]);
        }
        case 'Q' -> {
          return body.startsWith("COMMIT");
        }
        default -> {}
      }
      return false;
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
