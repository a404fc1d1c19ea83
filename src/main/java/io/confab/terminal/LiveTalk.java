package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.PendingSend;
import io.confab.client.RoomSignal;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// The conversation of a window: what is said goes over the socket, and waits for its place there.
final class LiveTalk implements Talk {
  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final ConfabApi api;
  private final ConfabClient client;
  private final RoomView view;
  private final Reading reading;
  private final UnsettledSends sends;
  private final Window window;

  /// The window that the conversation is in.
  interface Window {
    /// Whether the connection has ended for good.
    boolean isStopped();

    /// Prints what came meanwhile.
    void printNotices();

    void open(ChatRoom room);

    /// Tells how one stands in the room, once what came before is printed.
    ///
    /// @param entered the server's answer; empty: it is still to come
    void entering(Optional<RoomSignal.Standing> entered);

    /// Tells of a seat or place that is given up, if there is none.
    void exiting();

    /// What was asked for before the command came: each once, in their order.
    Secret secret();

    /// Names what can no longer be sent.
    void unsent(String what);

    /// A room turns out to be sealed which was not when it was opened; comes on any thread.
    void sealedMeanwhile();

    /// There is no account to connect with any more.
    void removed();

    void quit();
  }

  LiveTalk(
      ConfabApi api,
      ConfabClient client,
      RoomView view,
      Reading reading,
      UnsettledSends sends,
      Window window) {
    this.api = api;
    this.client = client;
    this.view = view;
    this.reading = reading;
    this.sends = sends;
    this.window = window;
  }

  @Override
  public RoomId room() {
    return view.room().orElseThrow();
  }

  @Override
  public void enter(ChatRoom room) {
    window.open(room);
  }

  @Override
  public void sealed(RoomSeal seal) {
    view.sealed(seal);
  }

  @Override
  public void takeSeat() {
    window.entering(
        client
            .enter(room())
            .map(Optional::of)
            .timeout(ANSWER.toMillis(), TimeUnit.MILLISECONDS)
            .recover(LiveTalk::orLater)
            .await());
  }

  private static <T> Future<Optional<T>> orLater(Throwable failure) {
    return failure instanceof TimeoutException
        ? Future.succeededFuture(Optional.empty())
        : Future.failedFuture(failure);
  }

  @Override
  public void giveUpSeat() {
    window.exiting();
    client.exit(room());
  }

  @Override
  public void say(String text) throws InterruptedException {
    if (awaitPlace(text)) {
      add(client.send(room(), text));
    }
  }

  @Override
  public void reply(Seq to, String text) throws InterruptedException {
    if (awaitPlace(text)) {
      add(client.send(room(), text, to, null));
    }
  }

  private void add(PendingSend send) {
    sends.add(send);
    send.sent()
        .onFailure(
            failure -> {
              if (failure instanceof ApiException refusal && refusal.is(ErrorCode.ENCRYPTED)) {
                window.sealedMeanwhile();
              }
            });
  }

  @Override
  public void edit(Seq seq, String text) throws InterruptedException {
    change("/edit %s %s".formatted(seq, text), () -> client.edit(room(), seq, text));
  }

  @Override
  public void delete(Seq seq) throws InterruptedException {
    change("/delete " + seq, () -> client.delete(room(), seq));
  }

  private void change(String what, Supplier<Future<?>> change) throws InterruptedException {
    if (awaitPlace(what)) {
      sends.add(change.get(), what);
    }
  }

  /// Whether one more may be sent: a person waits for as long as the connection may come back.
  boolean awaitPlace(String what) throws InterruptedException {
    while (!window.isStopped()) {
      if (sends.await(TICK)) {
        return true;
      }
      window.printNotices();
    }
    window.unsent(what);
    return false;
  }

  @Override
  public void read() {
    reading.goOn();
    reading.seen(view.newest());
  }

  @Override
  public Seq unread(Optional<Seq> from) {
    Seq seq = from.orElse(view.newest());
    reading.pause();
    client.markUnread(room(), seq).await();
    return seq;
  }

  @Override
  public void older(int count) {
    view.older(api.history(room(), view.before().limit(count)).await());
  }

  @Override
  public void changePassword() {
    Secret old = window.secret();
    api.changePassword(old, window.secret()).await();
  }

  @Override
  public void removeAccount() {
    api.removeAccount(window.secret()).await();
    window.removed();
  }

  @Override
  public void quit() {
    window.quit();
  }
}
