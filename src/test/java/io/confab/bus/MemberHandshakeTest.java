package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MemberHandshakeTest {
  private static final BusKey KEY = new BusKey(new byte[32]);
  private static final Duration AGES = Duration.ofMinutes(10);
  private static final int BYTES = 32;

  private final List<AutoCloseable> open = new ArrayList<>();

  private static MemberHandshake handshake(BusKey key) {
    return new MemberHandshake(key.membership(), AGES);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private ServerSocket listen() throws IOException {
    ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    open.add(listener);
    return listener;
  }

  private Socket connect(ServerSocket to) throws IOException {
    Socket socket = new Socket();
    open.add(socket);
    socket.connect(to.getLocalSocketAddress());
    return socket;
  }

  private Socket accept(ServerSocket at) throws IOException {
    Socket socket = at.accept();
    open.add(socket);
    return socket;
  }

  private interface Part {
    void run(Socket socket) throws IOException;
  }

  /// As Hazelcast does it: what fails is closed.
  private static Future<Void> begin(Socket socket, Part part) {
    Promise<Void> done = Promise.promise();
    Thread.startVirtualThread(
        () -> {
          try {
            part.run(socket);
            done.complete();
          } catch (IOException refused) {
            closeQuietly(socket);
            done.fail(refused);
          }
        });
    return done.future();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      throw new AssertionError(gone);
    }
  }

  private static byte[] read(Socket socket) throws IOException {
    return socket.getInputStream().readNBytes(BYTES);
  }

  @Test
  void membersOfOneInstallationAreJoinedAndNothingElseIsReadOrLeft() throws IOException {
    ServerSocket listener = listen();
    Socket connecting = connect(listener);
    Socket accepted = accept(listener);
    Future<Void> here = begin(connecting, handshake(KEY)::onConnect);
    Future<Void> there = begin(accepted, handshake(KEY)::onAccept);
    Futures.get(Future.all(here, there));
    connecting.getOutputStream().write(7);
    accepted.getOutputStream().write(8);
    assertThat(accepted.getInputStream().read()).isEqualTo(7);
    assertThat(connecting.getInputStream().read()).isEqualTo(8);
    assertThat(accepted.getSoTimeout()).isZero();
    assertThat(connecting.getSoTimeout()).isZero();
  }

  @Test
  void aNodeOfAnotherInstallationIsToldNothingAndLearnsNothing() throws IOException {
    ServerSocket listener = listen();
    Socket connecting = connect(listener);
    Socket accepted = accept(listener);
    Future<Void> other = begin(connecting, handshake(BusKey.ofThisProcess())::onConnect);
    Future<Void> ours = begin(accepted, handshake(KEY)::onAccept);
    assertThatThrownBy(() -> Futures.get(ours)).hasMessageContaining("without the key");
    assertThatThrownBy(() -> Futures.get(other)).isNotNull();
  }

  /// It has no key, so it says what it was told, or anything.
  @Test
  void whoOnlyListensAtAnAddressIsFoundOut() throws IOException {
    ServerSocket listener = listen();
    Future<Void> ours = begin(connect(listener), handshake(KEY)::onConnect);
    Socket impostor = accept(listener);
    OutputStream out = impostor.getOutputStream();
    out.write(read(impostor));
    out.write(read(impostor));
    assertThatThrownBy(() -> Futures.get(ours)).hasMessageContaining("without the key");
  }

  /// The address that was connected to is not the one that is shown the proof.
  @Test
  void whatOneMemberSaysCannotBePassedOnToAnother() throws IOException {
    ServerSocket between = listen();
    ServerSocket listener = listen();
    Socket connecting = connect(between);
    Socket towards = connect(listener);
    Socket accepted = accept(listener);
    Socket from = accept(between);
    Future<Void> here = begin(connecting, handshake(KEY)::onConnect);
    Future<Void> there = begin(accepted, handshake(KEY)::onAccept);
    towards.getOutputStream().write(read(from));
    from.getOutputStream().write(read(towards));
    towards.getOutputStream().write(read(from));
    assertThatThrownBy(() -> Futures.get(there)).hasMessageContaining("without the key");
    assertThat(read(towards)).isEmpty();
    from.close();
    assertThatThrownBy(() -> Futures.get(here)).isNotNull();
  }

  @Test
  void whatWasSaidOnceIsWorthNothingTheNextTime() throws IOException {
    ServerSocket between = listen();
    ServerSocket listener = listen();
    byte[] first = new byte[BYTES];
    byte[] proof = new byte[BYTES];
    Socket member = connect(between);
    Socket from = accept(between);
    begin(member, handshake(KEY)::onConnect);
    System.arraycopy(read(from), 0, first, 0, BYTES);
    from.getOutputStream().write(new byte[BYTES]);
    System.arraycopy(read(from), 0, proof, 0, BYTES);

    Socket replaying = connect(listener);
    Future<Void> there = begin(accept(listener), handshake(KEY)::onAccept);
    replaying.getOutputStream().write(first);
    read(replaying);
    replaying.getOutputStream().write(proof);
    assertThatThrownBy(() -> Futures.get(there)).hasMessageContaining("without the key");
  }

  @Test
  void whoSaysNothingOrTooLittleIsGivenUp() throws IOException {
    MemberHandshake brief = new MemberHandshake(KEY.membership(), Duration.ofMillis(50));
    ServerSocket listener = listen();
    Socket silent = connect(listener);
    Future<Void> ours = begin(accept(listener), brief::onAccept);
    silent.getOutputStream().write(1);
    assertThatThrownBy(() -> Futures.get(ours)).isInstanceOf(SocketTimeoutException.class);
    Future<Void> mine = begin(connect(listener), brief::onConnect);
    assertThatThrownBy(() -> Futures.get(mine)).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void thoseWhoSayNothingTakeOnlySoManyThreads() throws IOException {
    MemberHandshake handshake = handshake(KEY);
    ServerSocket listener = listen();
    List<Socket> silent = new ArrayList<>();
    List<Future<Void>> taken = new ArrayList<>();
    for (int i = 0; i < MemberHandshake.MOST_ACCEPTED; i++) {
      silent.add(connect(listener));
      taken.add(begin(accept(listener), handshake::onAccept));
      InputStream told = silent.getLast().getInputStream();
      silent.getLast().getOutputStream().write(new byte[BYTES]);
      assertThat(told.readNBytes(BYTES)).as("its place is taken").hasSize(BYTES);
    }
    connect(listener);
    Future<Void> beyond = begin(accept(listener), handshake::onAccept);
    assertThatThrownBy(() -> Futures.get(beyond)).hasMessageContaining("too many");
    silent.getFirst().close();
    assertThatThrownBy(() -> Futures.get(taken.getFirst())).isInstanceOf(IOException.class);
    Socket next = connect(listener);
    Future<Void> there = begin(accept(listener), handshake::onAccept);
    Futures.get(Future.all(begin(next, handshake(KEY)::onConnect), there));
  }

  @Test
  void theAddressCountsHoweverItIsWritten() throws IOException {
    InetAddress mapped = InetAddress.getByName("::ffff:127.0.0.1");
    ServerSocket listener = listen();
    Socket connecting = new Socket();
    open.add(connecting);
    connecting.connect(new InetSocketAddress(mapped, listener.getLocalPort()));
    Future<Void> there = begin(accept(listener), handshake(KEY)::onAccept);
    Futures.get(Future.all(begin(connecting, handshake(KEY)::onConnect), there));
  }
}
