package io.confab.terminal;

import io.confab.client.ApiException;
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
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
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
  private final RoomFinder rooms;
  private final Names names;
  private final UnsettledSends sends;
  private final ConnectionNotice connection;
  private final RoomView view;
  private final ConfabClient client;
  private volatile boolean stopped;
  private boolean quitting;
  private boolean givenUp;

  /// @param self the account that is signed in
  /// @param patience how long to wait for unsettled sends: at the end, and when too many are
  ///     unsettled while no person looks on
  public Chat(
      ConfabApi api, AccountId self, Screen screen, BufferedReader input, Duration patience) {
    this.api = api;
    this.screen = screen;
    this.input = input;
    this.patience = patience;
    this.rooms = new RoomFinder(api);
    this.names = new Names(api);
    this.sends = new UnsettledSends(screen);
    this.connection = new ConnectionNotice(screen);
    this.view =
        new RoomView(new Transcript(ZoneId.systemDefault(), self, names::of), names::learn, screen);
    this.client = new ConfabClient(api, ClientOptions.usual(), new Listener());
  }

  /// Chats until the input ends or asks to quit, and everything sent is settled. Blocks.
  ///
  /// @param room name or id; a channel is joined
  /// @return whether everything that was sent is stored
  public boolean run(String room) throws IOException, InterruptedException {
    ChatRoom opened = rooms.enter(room);
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
    boolean settled = !givenUp && awaitSends();
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
            .formatted(title(room), room.memberCount()));
    view.open(room, page, Input.USUAL_HISTORY);
  }

  private String title(ChatRoom room) {
    AccountId peer = room.peerId();
    if (peer != null) {
      names.learn(List.of(peer));
      return "@" + Plain.line(names.of(peer));
    }
    String name = room.name();
    return name == null ? room.roomId().toString() : Plain.line(name);
  }

  private void typed(String line) {
    try {
      act(line, Input.parse(line));
    } catch (ApiException refusal) {
      screen.line("✗ " + Plain.line(String.valueOf(refusal.getMessage())));
    } catch (IOException wrong) {
      screen.line("✗ " + Plain.line(String.valueOf(wrong.getMessage())));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      quitting = true;
    }
  }

  private void act(String line, Input asked) throws IOException, InterruptedException {
    RoomId room = view.room().orElseThrow();
    switch (asked) {
      case Input.Say say -> {
        if (line.length() <= SHORT_LINE) {
          screen.clearTyped();
        }
        send(line, () -> client.send(room, say.text()));
      }
      case Input.Reply reply ->
          send(line, () -> client.send(room, reply.text(), reply.seq(), null));
      case Input.Edit edit -> change(line, () -> client.edit(room, edit.seq(), edit.text()));
      case Input.Delete delete -> change(line, () -> client.delete(room, delete.seq()));
      case Input.History history ->
          view.older(
              api.history(room, HistoryQuery.before(view.oldest()).limit(history.count())).await());
      case Input.Rooms _ ->
          api.rooms().await().forEach(r -> screen.line("  %s  %s".formatted(r.roomId(), title(r))));
      case Input.Join join -> open(rooms.enter(join.room()));
      case Input.Help _ -> Input.HELP.lines().forEach(screen::line);
      case Input.Quit _ -> quitting = true;
      case Input.Wrong wrong -> screen.line("✗ " + Plain.line(wrong.why()));
      case Input.Nothing _ -> {}
    }
  }

  private void send(String line, Supplier<PendingSend> send) throws InterruptedException {
    if (awaitPlace(line)) {
      sends.add(send.get());
    }
  }

  private void change(String line, Supplier<Future<?>> change) throws InterruptedException {
    if (awaitPlace(line)) {
      sends.add(change.get(), line);
    }
  }

  /// Whether one more may be sent; if not, the chat is given up. A person may go on waiting
  /// for a connection; what is piped in must come to an end.
  private boolean awaitPlace(String line) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (!stopped && (screen.isTerminal() || System.nanoTime() < end)) {
      if (sends.await(TICK)) {
        return true;
      }
      printNotices();
    }
    screen.line("✗ not sent: " + Plain.line(line));
    givenUp = true;
    quitting = true;
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
