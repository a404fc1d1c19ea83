package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.feed.Subscriber;
import io.confab.feed.Subscription;
import io.confab.limit.Limit;
import io.confab.message.MessageCommand.CheckSend;
import io.confab.message.MessageCommand.MaySend;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientFrame.Typing;
import io.confab.protocol.ClientFrame.TypingStop;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Json;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.Ok;
import io.confab.time.TimingWheel.Timeout;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The frames by which a session says that its account is typing in a room. The other members hear
/// of it for as long as it is repeated. It ends at once when the client stops or its socket is
/// lost, and when a message of the account, or its leaving, passes in the room. Belongs to one
/// event loop.
final class TypingFrames {
  private static final Duration LASTS = Duration.ofSeconds(5);

  /// A repetition that comes sooner is answered, and nothing more.
  private static final Duration REST = Duration.ofSeconds(1);

  private static final String KIND = "typing";
  private static final int MOST_MEMBERS = 200;

  private final Requests bus;
  private final SocketLoop loop;
  private final Map<AuthenticatedSession, SessionRooms> sessions = new HashMap<>();
  private @Nullable Event lastMessage;
  private String lastSender = "";

  TypingFrames(Requests bus, SocketLoop loop) {
    this.bus = bus;
    this.loop = loop;
  }

  void mount(Frames frames) {
    frames.mount("typing", Limit.TYPING, Typing::read, this::type);
    frames.mount("typing.stop", Limit.TYPING, TypingStop::read, this::stop);
  }

  private Future<?> type(FrameCall call, Typing frame) {
    RoomId room = RoomId.parse(frame.roomId());
    SessionRooms rooms = of(call.session());
    return (rooms.isResting(room) ? Future.succeededFuture() : ask(call, rooms, room))
        .onSuccess(_ -> call.answer(Ok.done(call.id())));
  }

  private Future<?> ask(FrameCall call, SessionRooms rooms, RoomId room) {
    AccountId account = call.caller().account();
    Object question = new Object();
    rooms.asked.put(room, question);
    return loop.seats()
        .attempt(account, room, inside -> bus.request(new CheckSend(account, room, inside)))
        .map(TypingFrames::requireFew)
        .onSuccess(
            may -> {
              if (rooms.asked.remove(room, question)) {
                rooms
                    .typists
                    .computeIfAbsent(room, _ -> new Typist(rooms, account, room))
                    .type(may);
              }
            })
        .onFailure(_ -> rooms.end(room));
  }

  private static MaySend requireFew(MaySend may) {
    if (may.members() > MOST_MEMBERS) {
      throw new Refusal(
          ErrorCode.CONFLICT, "in a room of more than 200 members nobody is shown typing");
    }
    return may;
  }

  /// Where a session types; ends with it.
  private SessionRooms of(AuthenticatedSession session) {
    SessionRooms present = sessions.get(session);
    if (present != null) {
      return present;
    }
    SessionRooms rooms = new SessionRooms();
    sessions.put(session, rooms);
    session.whenClosed(
        () -> {
          sessions.remove(session);
          rooms.endAll();
        });
    return rooms;
  }

  /// The rooms in which one session types, or asks whether its account may.
  private static final class SessionRooms {
    private final Map<RoomId, Typist> typists = new HashMap<>();

    /// The latest question about a room: an answer to an older one tells nothing.
    private final Map<RoomId, Object> asked = new HashMap<>();

    boolean isResting(RoomId room) {
      Typist typist = typists.get(room);
      return typist != null && typist.isResting();
    }

    void end(RoomId room) {
      asked.remove(room);
      Typist typist = typists.get(room);
      if (typist != null) {
        typist.end();
      }
    }

    void endAll() {
      asked.clear();
      List.copyOf(typists.values()).forEach(Typist::end);
    }
  }

  /// The session sends a message to the room, so a question that is under way tells nothing. What
  /// is told already ends when the message passes.
  void sends(AuthenticatedSession session, RoomId room) {
    SessionRooms rooms = sessions.get(session);
    if (rooms != null) {
      rooms.asked.remove(room);
    }
  }

  /// Reads the frame of a message once, however many type in its room.
  @SuppressWarnings("ReferenceEquality") // the same object is what the room's subscribers get
  private String senderOf(Event message) {
    if (message != lastMessage) {
      lastMessage = message;
      String name = message.subject() instanceof Event.OfSealed ? "actor_id" : "sender_id";
      lastSender = Json.object(message.frame()).text(name);
    }
    return lastSender;
  }

  private Future<?> stop(FrameCall call, TypingStop frame) {
    of(call.session()).end(RoomId.parse(frame.roomId()));
    call.answer(Ok.done(call.id()));
    return Future.succeededFuture();
  }

  /// An account that types in a room, as one session says. Follows the room to hear what ends it.
  private final class Typist implements Subscriber {
    private final SessionRooms rooms;
    private final AccountId account;
    private final RoomId room;
    private final Subscription followed;
    private @Nullable Timeout lapse;
    private long restsUntil;

    /// Members who are told nothing.
    private Set<AccountId> hiddenFrom = Set.of();

    /// Where the room stood when the account was last allowed to send: older events end nothing.
    private Rev allowedAt = Rev.ZERO;

    Typist(SessionRooms rooms, AccountId account, RoomId room) {
      this.rooms = rooms;
      this.account = account;
      this.room = room;
      this.restsUntil = loop.wheel().nanos();
      this.followed = loop.feeds().attach(room, this);
    }

    boolean isResting() {
      return loop.wheel().nanos() - restsUntil < 0;
    }

    /// What came to pass since it was asked whether the account may send is looked at first.
    void type(MaySend may) {
      allowedAt = may.rev();
      List<Event> since = Objects.requireNonNullElse(followed.since(may.rev()), List.of());
      if (since.stream().anyMatch(this::isEnd)) {
        forget();
      } else if (may.hidden()) {
        end(); // it may have begun to hide while others were told
      } else if (!isResting()) {
        hiddenFrom = Set.copyOf(may.hiddenFrom());
        tell(may.now());
      }
    }

    private void tell(long now) {
      announce(LASTS, new ServerFrame.Typing(room, account, now + LASTS.toMillis()));
      if (lapse != null) {
        lapse.cancel();
      }
      lapse = loop.wheel().schedule(LASTS, this::forget);
      restsUntil = loop.wheel().nanos() + REST.toNanos();
    }

    @Override
    public void ready() {}

    @Override
    public void event(Event event) {
      if (event.rev().isAfter(allowedAt) && isEnd(event)) {
        end();
      }
    }

    private boolean isEnd(Event event) {
      return switch (event.subject()) {
        case Event.Departure(var who, _) -> who.equals(account);
        case Event.OfMessage _, Event.OfSealed _ -> senderOf(event).equals(account.toString());
        case Event.OfChange _, Event.OfRoom _ -> false;
      };
    }

    void end() {
      if (forget() && lapse != null) {
        announce(Duration.ZERO, new ServerFrame.TypingStop(room, account));
      }
    }

    private boolean forget() {
      if (!rooms.typists.remove(room, this)) {
        return false;
      }
      if (lapse != null) {
        lapse.cancel();
      }
      loop.feeds().detach(followed);
      return true;
    }

    private void announce(Duration lasts, ServerFrame frame) {
      loop.feeds()
          .announce(
              new RoomSignal(
                  room, account, new RoomSignal.State(KIND, lasts), hiddenFrom, Json.bytes(frame)));
    }
  }
}
