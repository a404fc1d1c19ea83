package io.confab.bus;

import com.hazelcast.nio.MemberSocketInterceptor;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/// Both ends of a connection between members of Hazelcast show that they have the key of the
/// installation before Hazelcast reads a byte of it, which makes objects of what it reads.
///
/// ```
///  connects                         accepts
///    random c (32 bytes)  ────────►
///                         ◄────────  random a (32 bytes)
///    HMAC(C c a address)  ────────►
///                         ◄────────  HMAC(A c a address)
/// ```
///
/// HMAC is that of RFC 2104 with SHA-256, `address` the one that was connected to, so that nobody
/// at another address can pass on what it is told. Who accepts shows nothing to a stranger.
final class MemberHandshake implements MemberSocketInterceptor {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 32;
  private static final byte CONNECTS = 'C';
  private static final byte ACCEPTS = 'A';

  /// Fewer than Hazelcast has threads for it, so that strangers who say nothing leave some to those
  /// who connect.
  static final int MOST_ACCEPTED = 8;

  private final SecretKey key;
  private final Duration patience;
  private final SecureRandom random = new SecureRandom();
  private final Semaphore accepting = new Semaphore(MOST_ACCEPTED);

  /// @param patience with the other end, for all that it has to say
  MemberHandshake(SecretKey key, Duration patience) {
    this.key = key;
    this.patience = patience;
  }

  @Override
  public void init(Properties unused) {}

  /// Fails unless who accepted has the key. Blocks, for the patience at most.
  @Override
  public void onConnect(Socket socket) throws IOException {
    Turns turns = new Turns(socket);
    byte[] mine = nonce();
    turns.write(mine);
    byte[] theirs = turns.read();
    SocketAddress address = socket.getRemoteSocketAddress();
    turns.write(proof(CONNECTS, mine, theirs, address));
    require(turns.read(), proof(ACCEPTS, mine, theirs, address));
    turns.end();
  }

  /// Fails unless who connects has the key, and at once while many others are asked. Blocks, for
  /// the patience at most.
  @Override
  public void onAccept(Socket socket) throws IOException {
    if (!accepting.tryAcquire()) {
      throw new IOException("too many connections between nodes begin at a time");
    }
    try {
      Turns turns = new Turns(socket);
      byte[] theirs = turns.read();
      byte[] mine = nonce();
      turns.write(mine);
      SocketAddress address = socket.getLocalSocketAddress();
      require(turns.read(), proof(CONNECTS, theirs, mine, address));
      turns.write(proof(ACCEPTS, theirs, mine, address));
      turns.end();
    } finally {
      accepting.release();
    }
  }

  private byte[] nonce() {
    byte[] nonce = new byte[BYTES];
    random.nextBytes(nonce);
    return nonce;
  }

  private byte[] proof(byte role, byte[] connecting, byte[] accepting, SocketAddress address) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(role);
      mac.update(connecting);
      mac.update(accepting);
      InetSocketAddress to = (InetSocketAddress) address;
      mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(to.getPort()).array());
      return mac.doFinal(to.getAddress().getAddress());
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void require(byte[] shown, byte[] proof) throws IOException {
    if (!MessageDigest.isEqual(shown, proof)) {
      throw new IOException("a node without the key of the cluster is not spoken to");
    }
  }

  /// What the two say by turns, in one span of time.
  private final class Turns {
    private final Socket socket;
    private final long begun = System.nanoTime();

    Turns(Socket socket) {
      this.socket = socket;
    }

    byte[] read() throws IOException {
      byte[] bytes = new byte[BYTES];
      InputStream in = socket.getInputStream();
      for (int at = 0; at < BYTES; ) {
        socket.setSoTimeout(leftMs());
        int count = in.read(bytes, at, BYTES - at);
        if (count < 0) {
          throw new EOFException("the other node has closed the connection");
        }
        at += count;
      }
      return bytes;
    }

    private int leftMs() throws SocketTimeoutException {
      long left = patience.minusNanos(System.nanoTime() - begun).toMillis();
      if (left <= 0) {
        throw new SocketTimeoutException("the other node did not show in time that it has the key");
      }
      return (int) left;
    }

    /// A few bytes, which the kernel takes whatever the other end does.
    void write(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
    }

    void end() throws IOException {
      socket.setSoTimeout(0);
    }
  }
}
