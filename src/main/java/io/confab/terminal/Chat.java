package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.client.ClientListener;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.ConnectionState;
import io.confab.client.HistoryQuery;
import io.confab.client.PendingSend;
import io.confab.client.RoomUpdate;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// One person's chat: what is typed is sent, what is new in the room is printed.
///
/// What comes from the input and from the client goes through one [ChatQueue] to the thread that
/// calls [#run(String)], which alone prints and keeps state. Updates beyond the queue's bound are
/// left out, and a line says so. Notices of the connection are printed also while the thread waits
/// until more may be sent.
public final class Chat {
  private static final int SHORT_LINE = 78;
  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration LAST_NEWS = Duration.ofSeconds(5);
  private static final Duration SIGN_OFF = Duration.ofSeconds(5);

  private final ConfabApi api;
  private final Screen screen;
  private final BufferedReader input;
  private final Duration patience;
  private final ChatQueue queue = new ChatQueue();
  private final Names names;
  private final UnsettledSends sends;
  private final ConnectionNotice connection;
  private final RoomView view;
  private final Commands commands;
  private final ConfabClient client;
  private volatile boolean stopped;
  private boolean quitting;

  /// @param self the account that is signed in
  /// @param patience how long to wait for unsettled sends at the end
  public Chat(
      ConfabApi api, AccountId self, Screen screen, BufferedReader input, Duration patience) {
    this.api = api;
    this.screen = screen;
    this.input = input;
    this.patience = patience;
    this.names = new Names(api);
    this.sends = new UnsettledSends(screen);
    this.connection = new ConnectionNotice(screen);
    this.view =
        new RoomView(new Transcript(ZoneId.systemDefault(), self, names::of), names::learn, screen);
    this.commands = new Commands(api, names, screen, new Live());
    this.client = new ConfabClient(api, ClientOptions.usual(), new Listener());
  }

  /// Chats until the input ends or asks to quit, and everything sent is settled. Blocks.
  ///
  /// @param room name or id; a channel is joined
  /// @return whether everything that was sent is stored
  public boolean run(String room) throws IOException, InterruptedException {
    ChatRoom opened = new RoomFinder(api).enter(room);
    Disposable _ = client.updates().subscribe(this::update); // ends with the client
    Future<Void> connected = client.connect().onComplete(_ -> queue.add(() -> {}));
    while (!connected.isComplete()) {
      handleNext();
    }
    if (connected.failed()) {
      handleQueued();
      return false;
    }
    open(opened);
    Thread.ofPlatform().daemon().name("input").start(this::readInput);
    while (!quitting && !stopped) {
      handleNext();
    }
    return finish();
  }

  private void readInput() {
    try {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        String typed = line;
        queue.typed(
            () -> {
              if (!quitting) {
                typed(typed);
              }
            });
      }
      queue.typed(() -> quitting = true);
    } catch (IOException broken) {
      leave(() -> screen.line("* the input broke: " + broken.getMessage()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void leave(Runnable last) {
    queue.add(
        () -> {
          last.run();
          quitting = true;
        });
  }

  private void handleNext() throws InterruptedException {
    queue.runNext(TICK);
    printNotices();
  }

  private void handleQueued() {
    queue.runAll();
    printNotices();
  }

  private void printNotices() {
    int missed = queue.takeLeftOut();
    if (missed > 0) {
      screen.line("* " + missed + " update came too fast to be shown; /history has the messages");
    }
    sends.print();
    queue.runNotices();
    connection.tick();
  }

  /// Waits until sends are settled and shown, and signs off.
  private boolean finish() throws InterruptedException {
    quitting = true;
    boolean settled = awaitSends();
    long end = System.nanoTime() + LAST_NEWS.toNanos();
    while (ownAreMissing() && !stopped && System.nanoTime() < end) {
      handleNext();
    }
    handleQueued();
    if (!settled && !stopped) {
      screen.line("✗ not everything was acknowledged in time");
    }
    boolean whole = settled && !stopped && sends.failed() == 0;
    signOff();
    sends.print();
    return whole;
  }

  private boolean ownAreMissing() {
    return view.room().map(sends::newest).filter(rev -> rev.isAfter(view.shown())).isPresent();
  }

  private boolean awaitSends() throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (!sends.awaitAll(TICK)) {
      handleQueued();
      if (stopped || System.nanoTime() > end) {
        return false;
      }
    }
    return true;
  }

  private void signOff() {
    client
        .close()
        .timeout(SIGN_OFF.toMillis(), TimeUnit.MILLISECONDS)
        .recover(_ -> Future.succeededFuture())
        .await();
  }

  private void open(ChatRoom room) {
    var page = api.history(room.roomId(), HistoryQuery.newest()).await();
    screen.line(
        "* %s, members: %d; /help lists what else can be typed"
            .formatted(names.title(room), room.memberCount()));
    view.open(room, page, Commands.USUAL_HISTORY);
  }

  private void typed(String line) {
    try {
      commands.run(line);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      quitting = true;
    }
  }

  private final class Live implements Talk {
    @Override
    public RoomId room() {
      return view.room().orElseThrow();
    }

    @Override
    public void enter(ChatRoom room) {
      open(room);
    }

    @Override
    public void say(String text) throws InterruptedException {
      if (text.length() <= SHORT_LINE) {
        screen.clearTyped();
      }
      send(text, () -> client.send(room(), text));
    }

    @Override
    public void reply(Seq to, String text) throws InterruptedException {
      send(text, () -> client.send(room(), text, to, null));
    }

    @Override
    public void edit(Seq seq, String text) throws InterruptedException {
      change("/edit %s %s".formatted(seq, text), () -> client.edit(room(), seq, text));
    }

    @Override
    public void delete(Seq seq) throws InterruptedException {
      change("/delete " + seq, () -> client.delete(room(), seq));
    }

    @Override
    public void older(int count) {
      view.older(api.history(room(), view.before().limit(count)).await());
    }

    @Override
    public void changePassword() throws IOException {
      throw new IOException("not yet");
    }

    @Override
    public void quit() {
      quitting = true;
    }
  }

  private void send(String text, Supplier<PendingSend> send) throws InterruptedException {
    if (awaitPlace(text)) {
      sends.add(send.get());
    }
  }

  private void change(String what, Supplier<Future<?>> change) throws InterruptedException {
    if (awaitPlace(what)) {
      sends.add(change.get(), what);
    }
  }

  /// Whether one more may be sent: a person waits for as long as the connection may come back.
  private boolean awaitPlace(String what) throws InterruptedException {
    while (!stopped) {
      if (sends.await(TICK)) {
        return true;
      }
      printNotices();
    }
    screen.line("✗ not sent: " + Plain.line(what));
    return false;
  }

  /// Hands everything on, so that the client's event loop never waits.
  private final class Listener implements ClientListener {
    @Override
    public void connectionChanged(ConnectionState state, String why, Duration retryIn) {
      stopped = state == ConnectionState.STOPPED;
      queue.notice(() -> connection.changed(state, why, retryIn));
    }

    @Override
    public void roomRemoved(RoomId room, String reason) {
      queue.add(
          () -> {
            if (view.shows(room)) {
              screen.line("* you are no longer in this room (" + Plain.line(reason) + ")");
            }
          });
    }
  }

  private void update(RoomUpdate update) {
    queue.update(
        () -> {
          if (view.shows(update.roomId())) {
            view.show(update);
          }
        });
  }
}
