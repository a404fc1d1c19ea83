package io.confab.testing.proxy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// When asked to, loses PostgreSQL's answer to a COMMIT, and the connection with it. For any
/// thread.
public final class LostCommits implements Supplier<Filter> {
  private final AtomicBoolean armed = new AtomicBoolean();
  private final AtomicInteger lost = new AtomicInteger();

  /// The answer to the next COMMIT will not come.
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
    private volatile boolean committing;

    @Override
    public byte[] toServer(byte[] bytes) {
      messages.add(bytes);
      return bytes;
    }

    private void read(char type, String body) {
      committing |= type == 'Q' && body.startsWith("COMMIT") && armed.compareAndSet(true, false);
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
