package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.Credentials;
import io.confab.client.QueueEvent;
import io.confab.client.RoomSignal;
import io.confab.client.RoomUpdate;
import io.confab.client.sealed.KnownSeal;
import io.confab.client.sealed.LinkStep;
import io.confab.client.sealed.Links;
import io.confab.client.sealed.Note;
import io.confab.client.sealed.Opened;
import io.confab.client.sealed.SealedDevice;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.TextRules;
import io.confab.time.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// The sealed rooms of an account on this device: says and shows lines that only the devices of
/// their members can read. The program passes on what its [ConfabClient] tells it.
///
/// Calls may come from any thread. The listener is called on one event loop, and so are those who
/// wait for an answer. Each call fails with [ApiException]; anything else is a fault of the device.
public final class SealedRooms {
  private static final int TEXT_BYTES = 16_384;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final SealedListener listener;
  private final SealedLoop loop;
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("sealed-rooms").daemon().factory());
  private final DeviceThread device;
  private final ServerCalls calls;
  private final Tellings tellings;
  private final Roster roster;
  private final SealedSends sends;
  private final Lifetimes lifetimes;
  private final SealedPeople people;
  private final SealedRecovery recovery;
  private final Comparing comparing;
  private final Linking linking;
  private final Deliveries deliveries;
  private final Attendance attendance;
  private final Mending mending;

  /// @param client follows the rooms of the same account
  /// @param own whose device it is
  /// @param device is closed by [#close]
  public SealedRooms(
      Vertx vertx,
      ConfabApi api,
      ConfabClient client,
      Credentials own,
      SealedDevice device,
      SealedListener listener) {
    this.loop = new SealedLoop(vertx);
    this.listener = new DeferredListener(listener, loop);
    this.device = new DeviceThread(device, worker, loop);
    this.calls = new ApiCalls(api, loop);
    this.tellings = new Tellings(this.listener, this.device);
    this.roster = new Roster(own.accountId(), calls, this.device, tellings::learned);
    InstantSource clock = InstantSource.system();
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, new SecureRandom());
    Retries retries = new Retries(loop, backoff);
    Letters letters = new Letters(calls, roster, retries);
    Claims claims = new Claims(calls, this.device, letters, this.listener::warned, clock);
    Preparation preparation =
        new Preparation(roster, claims, letters, this.device, this.listener::warned, clock);
    this.sends = new SealedSends(calls, roster, preparation, this.device, loop, backoff);
    this.lifetimes = new Lifetimes(this.device, loop, clock, this::gone);
    KeyUpkeep keys =
        new KeyUpkeep(
            new KeyUpkeep.Own(own.accountId(), own.deviceId()),
            calls,
            roster,
            this.device,
            retries);
    this.comparing = new Comparing(roster, claims, letters, this.device, loop, tellings::compared);
    this.people = new SealedPeople(loop, this.device, roster, comparing, tellings);
    QueueDrain drain =
        new QueueDrain(new SocketQueue(client.queue()), roster, this.device, this::opened);
    this.deliveries = new Deliveries(own.accountId());
    this.attendance = new Attendance(keys, roster, drain, sends, this::said, this.listener, clock);
    this.mending = new Mending(roster, claims, this.device, attendance::isReady);
    this.recovery =
        new SealedRecovery(
            loop, new Recovering(own.accountId(), calls, roster, this.device, clock, attendance));
    this.linking =
        new Linking(
            own.accountId(),
            roster,
            claims,
            letters,
            this.device,
            loop,
            clock,
            attendance,
            this::linked);
    this.device.broken().onFailure(attendance::broken);
    loop.execute(lifetimes::watch);
    loop.execute(comparing::resume);
    loop.execute(linking::resume);
  }

  private void opened(List<Opened> page) {
    tellings.opened(page, this::noted);
    mending.opened(page);
  }

  private void noted(Note note) {
    if (Links.isStep(note)) {
      linking.take(note);
    } else {
      comparing.take(note);
    }
  }

  /// Lines that came may be over soon.
  private void linked(LinkStep step) {
    listener.linked(step);
    if (step.isLast()) {
      lifetimes.watch();
    }
  }

  /// What [io.confab.client.ClientListener#queued] is told.
  public void queued(QueueEvent event) {
    loop.execute(
        () -> {
          attendance.queued(event);
          mending.queued(event);
        });
  }

  /// What [ConfabClient#updates] brings, of all rooms.
  public void updated(RoomUpdate update) {
    switch (update) {
      case RoomUpdate.MemberJoined _,
          RoomUpdate.MemberLeft _,
          RoomUpdate.MembersChanged _,
          RoomUpdate.RoomSealed _,
          RoomUpdate.ExpirySet _,
          RoomUpdate.Reset _ ->
          loop.execute(() -> roster.changed(update.roomId()));
      case RoomUpdate.OfMessage _,
          RoomUpdate.Deleted _,
          RoomUpdate.Archived _,
          RoomUpdate.Sealed _,
          RoomUpdate.Other _ -> {}
    }
  }

  /// What [io.confab.client.ClientListener#signalled] is told.
  public void signalled(RoomSignal signal) {
    loop.execute(
        () -> {
          if (deliveries.signalled(signal)) {
            listener.delivered(signal.roomId());
          }
        });
  }

  /// Says a line; done when it is stored, which the listener is told first. Lines of a room keep
  /// their order. One that is on its way when the program ends is sent when it begins again.
  public Future<SealedLine> say(RoomId room, String text) {
    try {
      TextRules.body("text", text, TEXT_BYTES);
    } catch (Refusal refusal) {
      return Future.failedFuture(ApiException.local(refusal.code().wire(), refusal.detail()));
    }
    return loop.ask(
        () ->
            attendance.takesLines()
                ? sends.say(room, text).onSuccess(this::said).compose(loop::later)
                : Future.failedFuture(Attendance.absent()));
  }

  /// An own line is stored, also one that was on its way when the program ended.
  private void said(SealedLine line) {
    listener.shown(line);
    lifetimes.began(line);
    attendance.stored(line);
  }

  private void gone(List<SealedLine> lines) {
    tellings.gone(lines);
    attendance.over(lines);
  }

  /// Remembers that a room is sealed, for [#seal].
  public Future<Void> sealed(RoomId room, KnownSeal seal) {
    return device.tell(own -> own.history().sealed(room, seal));
  }

  /// How a room is sealed: it was told, or a line of it was kept once. Empty: not, as far as is
  /// known. A server that says otherwise wants to read.
  public Future<Optional<KnownSeal>> seal(RoomId room) {
    return device.ask(own -> own.history().seal(room));
  }

  /// The last lines of a room, oldest first.
  ///
  /// @param before null: up to the newest
  public Future<List<SealedLine>> lines(RoomId room, @Nullable Seq before, int most) {
    return device.ask(
        own ->
            before == null
                ? own.history().last(room, most)
                : own.history().before(room, before, most));
  }

  /// The last lines that have all of these words, newest first.
  ///
  /// @param room null: of all rooms
  public Future<List<SealedLine>> search(@Nullable RoomId room, String words, int most) {
    return device.ask(own -> own.history().search(room, words, most));
  }

  /// The person has seen the lines of a room from one number to another: their lifetimes begin.
  public void seen(RoomId room, Seq from, Seq upTo) {
    lifetimes.seen(room, from, upTo);
  }

  /// Whose keys are believed.
  public SealedPeople people() {
    return people;
  }

  /// The vault of the account.
  public SealedRecovery recovery() {
    return recovery;
  }

  /// Linking to another device of the account.
  public SealedLinks links() {
    return new SealedLinks(loop, linking);
  }

  /// Asks what became of the own lines of a room from one on, 500 at most; from here on what is
  /// told of them is kept for [#fate].
  public Future<Void> follow(RoomId room, Seq from) {
    return loop.ask(
        () -> {
          deliveries.follow(room);
          return calls
              .deliveries(room, from)
              .onSuccess(answer -> deliveries.answered(room, answer))
              .mapEmpty();
        });
  }

  /// What became of an own line of a room that is followed.
  public Future<Fate> fate(RoomId room, Seq seq) {
    return loop.ask(() -> Future.succeededFuture(deliveries.of(room, seq)));
  }

  /// Ends, and closes the device. What is on its way goes out when it is opened again.
  public Future<Void> close() {
    return loop.ask(
            () -> {
              loop.close();
              sends.close();
              return device.close();
            })
        .onComplete(_ -> worker.shutdown());
  }
}
