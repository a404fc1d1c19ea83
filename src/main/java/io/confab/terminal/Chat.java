package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.Member;
import io.confab.client.RoomSignal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// One person's chat: what is typed is sent, what is new in the room is printed.
///
/// What comes from the input and from the client goes through one [ChatQueue] to the thread that
/// calls [#run(String)], which alone prints and keeps state. Updates beyond the queue's bound are
/// left out, and a line says so. Notices of the connection are printed also while the thread waits
/// until more may be sent.
public final class Chat {
  private static final int MOST_COMPLETED = 200;
  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration LAST_NEWS = Duration.ofSeconds(5);
  private static final Duration SIGN_OFF = Duration.ofSeconds(5);

  private final ConfabApi api;
  private final Screen screen;
  private final Typist typist;
  private final Duration patience;
  private final ChatQueue queue = new ChatQueue();
  private final Names names;
  private final Known known;
  private final News news;
  private final UnsettledSends sends;
  private final ConnectionNotice connection;
  private final Signs signs = new Signs();
  private final Around around;
  private final Recount recount;
  private final SeatNotices seats;
  private final RoomView view;
  private final OpenRoom open;
  private final StatusLine status;
  private final Commands commands;
  private final ChatListener listener;
  private final ChatEvents events;
  private final SealedEvents sealedEvents;
  private final SealedAccess sealed;
  private final ConfabClient client;
  private boolean quitting;
  private boolean removed;
  private boolean sealedClosed;

  /// @param patience how long to wait for unsettled sends at the end
  /// @param known receives what may be completed
  public Chat(Self self, Screen screen, Keyboard keyboard, Duration patience, Known known) {
    this.api = self.api();
    this.screen = screen;
    this.patience = patience;
    this.known = known;
    this.names = new Names(api, known);
    this.news = new News(self.accountId());
    this.sends = new UnsettledSends(screen);
    this.connection = new ConnectionNotice(screen);
    this.view =
        new RoomView(
            new Transcript(ZoneId.systemDefault(), self.accountId(), names::of, signs.receipts()),
            names::learn,
            screen);
    this.seats = new SeatNotices(screen, names::title);
    this.around = new Around((people, rooms) -> client().watch(people, rooms));
    this.recount = new Recount(api, queue, news, around);
    this.listener = new ChatListener(queue, connection, recount, signs, around, this::events);
    this.client = new ConfabClient(api, ClientOptions.usual(), listener);
    Reading reading = new Reading(client);
    keyboard.watch(reading::typing);
    this.sealed = self.sealed().begin(api, client, new SealedEars(queue, this::sealedEvents));
    SealedNotices notices =
        new SealedNotices(screen, self.accountId(), names::read, self.sealed().refusal());
    SealedStates states = new SealedStates(sealed, signs.receipts(), queue, screen, names::read);
    SealedStatus trust = new SealedStatus(sealed, api::members, self.accountId(), queue, screen);
    SealedOpening sealing = new SealedOpening(sealed, screen, notices, states, trust);
    EmojiDialog emojis = new EmojiDialog(sealed, names::read, screen);
    this.open =
        new OpenRoom(
            new RoomOpening(api, screen, names, seats, view, sealing),
            view,
            reading,
            news,
            sealed,
            System::nanoTime);
    LinkDialog links =
        new LinkDialog(sealed, screen, new DeviceNames(api::devices, queue), open::came);
    this.sealedEvents = new SealedEvents(screen, open, notices, states, trust, emojis, links);
    this.events = new ChatEvents(screen, names, news, signs, seats, open);
    this.status = new StatusLine(view, connection, seats, news, names, signs, around, trust);
    Window window = new Window();
    this.typist = new Typist(keyboard, screen, queue, window);
    this.commands =
        new Commands(
            api,
            names,
            screen,
            around,
            new SealedCommands(sealed, screen, emojis, links, names::read, names::read),
            new SealedTalk(
                new LiveTalk(api, client, view, reading, sends, window), open, view, sends));
  }

  /// Its listener is there before it.
  private ConfabClient client() {
    return client;
  }

  private ChatEvents events() {
    return events;
  }

  private SealedEvents sealedEvents() {
    return sealedEvents;
  }

  /// Chats until the input ends or asks to quit, and everything sent is settled. Blocks.
  ///
  /// @param room name or id; a channel is joined
  /// @return whether everything that was sent is stored
  public boolean run(String room) throws IOException, InterruptedException {
    try {
      return chat(room);
    } finally {
      closeSealed();
    }
  }

  private boolean chat(String room) throws IOException, InterruptedException {
    ChatRoom opened = new RoomFinder(api).enter(room);
    Disposable _ = client.updates().subscribe(listener::updated); // ends with the client
    Future<Void> connected = client.connect().onComplete(_ -> queue.add(() -> {}));
    while (!connected.isComplete()) {
      handleNext();
    }
    if (connected.failed()) {
      handleQueued();
      return false;
    }
    typist.start();
    List<ChatRoom> rooms = api.rooms().await();
    known.rooms(names.titles(rooms));
    recount.listed(rooms);
    open(opened);
    tellUnread();
    while (!quitting && !listener.isStopped()) {
      handleNext();
    }
    boolean whole = finish();
    typist.end(SIGN_OFF);
    return whole;
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
      screen.line(
          "* %d update came too fast to be shown%s"
              .formatted(missed, open.isSealed() ? "" : "; /history has the messages"));
      open.missed();
    }
    if (!quitting) {
      open.goOnAgain();
    }
    sends.print();
    queue.runNotices();
    screen.status(status.text());
  }

  /// Waits until sends are settled and shown, and signs off.
  private boolean finish() throws InterruptedException {
    quitting = true;
    events.beQuiet();
    boolean settled = awaitSends();
    long end = System.nanoTime() + LAST_NEWS.toNanos();
    while (ownAreMissing() && !listener.isStopped() && System.nanoTime() < end) {
      handleNext();
    }
    handleQueued();
    if (!settled && !listener.isStopped()) {
      screen.line("✗ not everything was acknowledged in time");
    }
    boolean whole = settled && (removed || !listener.isStopped()) && sends.failed() == 0;
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
      if (listener.isStopped() || System.nanoTime() > end) {
        return false;
      }
    }
    return true;
  }

  /// Lines of sealed rooms that wait fail then, so that they are named.
  private void signOff() {
    within(SIGN_OFF, client.close());
    closeSealed();
  }

  private void closeSealed() {
    if (!sealedClosed) {
      sealedClosed = true;
      within(SIGN_OFF, sealed.close());
    }
  }

  private static void within(Duration limit, Future<Void> end) {
    end.timeout(limit.toMillis(), TimeUnit.MILLISECONDS)
        .recover(_ -> Future.succeededFuture())
        .await();
  }

  private void open(ChatRoom room) {
    open.open(room);
    around.opened(room);
    screen.status(status.text());
    if (room.memberCount() <= MOST_COMPLETED) {
      api.members(room.roomId())
          .onSuccess(all -> known.handles(all.stream().map(Member::handle).toList()));
    }
  }

  /// Where no status says it, a line does.
  private void tellUnread() {
    String text = news.text(view.room(), names::title);
    if (!screen.isTerminal() && !text.isEmpty()) {
      screen.line("* unread: " + text);
    }
  }

  /// What is typed, and where it is typed.
  private final class Window implements Typist.Chat, LiveTalk.Window {
    @Override
    public boolean typed(Input asked) {
      if (quitting) {
        return false;
      }
      try {
        commands.run(asked).ifPresent(refused -> screen.line("✗ " + refused));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        quitting = true;
      }
      return true;
    }

    @Override
    public boolean asksForKey() {
      return sealed.asksForKey().otherwise(false).await(); // the command says why
    }

    @Override
    public boolean isStopped() {
      return listener.isStopped();
    }

    @Override
    public void printNotices() {
      Chat.this.printNotices();
    }

    @Override
    public void open(ChatRoom room) {
      Chat.this.open(room);
    }

    @Override
    public void entering(Optional<RoomSignal.Standing> entered) {
      RoomId room = view.room().orElseThrow();
      if (entered.isEmpty()) {
        screen.line("* no answer yet; it comes by itself");
      } else if (seats.text(room).isPresent()) {
        queue.add(() -> seats.text(room).ifPresent(text -> screen.line("* " + text)));
      }
    }

    @Override
    public void exiting() {
      if (view.room().flatMap(seats::text).isEmpty()) {
        screen.line("* you have neither a seat nor a place here");
      }
    }

    @Override
    public Secret secret() {
      return typist.secret();
    }

    @Override
    public void unsent(String what) {
      screen.line("✗ not sent: " + Plain.line(what));
    }

    @Override
    public void sealedMeanwhile() {
      queue.update(open::missed);
    }

    @Override
    public void removed() {
      removed = true;
    }

    @Override
    public void quit() {
      quitting = true;
    }
  }
}
