package io.confab.marker;

import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.feed.RoomSignal;
import io.confab.marker.MarkerCommand.Marker;
import io.confab.marker.MarkerCommand.MarkerView;
import io.confab.marker.MarkerCommand.MoveMarker;
import io.confab.marker.MarkerStore.Moved;
import io.confab.marker.MarkerStore.MovedMarker;
import io.confab.marker.MarkerStore.RaisedReceipt;
import io.confab.marker.MarkerStore.Step;
import io.confab.postgres.BatchedRead;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Json;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Moves markers, many that wait in one call and one commit, and then tells whom it concerns: the
/// other sessions of the account, the members of rooms that show it, and the senders of what was
/// received. What is too far for one call goes on in the next ones, and leaves alone what was
/// marked as unread meanwhile. For any thread.
final class MarkerMoves {
  /// Requests that may wait, 200 bytes each: 4 MB.
  private static final int MOST_WAITING = 20_000;

  /// That the rest of a request leaves `unread_from` as it is.
  private static final long LEAVE = -1;

  /// Requests in one call, each of which may look at some thousands of messages.
  private static final int AT_ONCE = 200;

  /// As of [MarkerStore].
  interface Mover {
    Future<Moved> move(List<Step> requests, Supplier<Future<Void>> lost);
  }

  private final Mover mover;
  private final Announcer announcer;
  private final BiConsumer<AccountId, RoomId> replaced;
  private final BatchedRead<Request, Answers> calls;
  private final BatchedRead<Request, Answers> furtherCalls;

  /// Equal requests are not the same: another one may have come between.
  private static final class Request {
    private final Step step;

    Request(Step step) {
      this.step = step;
    }

    private MoveMarker move() {
      return step.move();
    }
  }

  private record Key(AccountId account, RoomId room) {
    static Key of(MoveMarker move) {
      return new Key(move.caller(), move.room());
    }

    static Key of(Marker marker) {
      return new Key(marker.accountId(), marker.roomId());
    }
  }

  private record Answers(Map<Request, String> outcomes, Map<Key, Marker> markers) {}

  /// @param replaced is told of a marker from which unread counts begin elsewhere now
  /// @param pace of the calls
  MarkerMoves(
      Mover mover,
      Announcer announcer,
      BiConsumer<AccountId, RoomId> replaced,
      BatchedRead.Pace pace) {
    this.mover = mover;
    this.announcer = announcer;
    this.replaced = replaced;
    this.calls = new BatchedRead<>(MOST_WAITING, AT_ONCE, this::make, pace);
    this.furtherCalls = new BatchedRead<>(MOST_WAITING, AT_ONCE, this::make);
  }

  /// Refusals: as of [MoveMarker]; `unavailable` when too many wait.
  Future<MarkerView> move(MoveMarker move) {
    return move(new Step(move, null), calls);
  }

  private Future<MarkerView> move(Step step, BatchedRead<Request, Answers> by) {
    Request request = new Request(step);
    return by.read(List.of(request))
        .compose(
            answers -> {
              String outcome = Objects.requireNonNull(answers.outcomes().get(request));
              Key key = Key.of(step.move());
              switch (outcome) {
                case "more" -> {
                  Marker now = Objects.requireNonNull(answers.markers().get(key));
                  return move(new Step(step.move(), stood(now)), furtherCalls);
                }
                case "aside" -> {
                  return move(new Step(step.move(), LEAVE), furtherCalls);
                }
                default -> refuse(outcome);
              }
              return Future.succeededFuture(
                  new MarkerView(Objects.requireNonNull(answers.markers().get(key))));
            });
  }

  private static long stood(Marker marker) {
    Seq unreadFrom = marker.unreadFrom();
    return unreadFrom == null ? 0 : unreadFrom.value();
  }

  private static void refuse(String outcome) {
    switch (outcome) {
      case "done" -> {}
      case "beyond" -> throw Refusal.invalidField("seq", "is no message of the room yet");
      case "too_far" ->
          throw Refusal.invalidField(
              "seq", "is more than 10,000 messages away from what is unread");
      case "no_receipts" ->
          throw new Refusal(ErrorCode.CONFLICT, "a room of more than 32 members has no receipts");
      default -> throw ReadRefusal.of(outcome);
    }
  }

  private Future<Answers> make(List<Request> requests) {
    List<Request> sorted = new ArrayList<>(requests);
    sorted.sort(
        Comparator.comparingLong((Request r) -> r.move().caller().value())
            .thenComparingLong(r -> r.move().room().value()));
    List<MoveMarker> moves = sorted.stream().map(Request::move).toList();
    AtomicBoolean failed = new AtomicBoolean();
    return mover
        .move(sorted.stream().map(request -> request.step).toList(), () -> settle(failed))
        .onFailure(_ -> failed.set(true))
        .onSuccess(moved -> tell(moved, moves))
        .map(moved -> answers(sorted, moved));
  }

  /// Of a call that failed nobody knows whom it concerned. One that is late is waited for.
  private Future<Void> settle(AtomicBoolean failed) {
    if (failed.get()) {
      announcer.untold();
    }
    return Future.succeededFuture();
  }

  private static Answers answers(List<Request> requests, Moved moved) {
    Map<Request, String> outcomes = new HashMap<>();
    IntStream.range(0, requests.size())
        .forEach(i -> outcomes.put(requests.get(i), moved.outcomes().get(i)));
    Map<Key, Marker> markers = new HashMap<>();
    moved.markers().forEach(m -> markers.put(Key.of(m.marker()), m.marker()));
    return new Answers(outcomes, markers);
  }

  private void tell(Moved moved, List<MoveMarker> moves) {
    List<AccountSignal> signals = new ArrayList<>();
    Map<Key, Set<@Nullable SessionId>> movers = movers(moves);
    for (MovedMarker each : moved.markers()) {
      if (each.moved()) {
        signals.add(signal(each.marker(), moved.version(), movers));
      }
      if (each.shown()) {
        announcer.announce(shown(each));
      }
    }
    for (RaisedReceipt each : moved.receipts()) {
      signals.add(
          new AccountSignal.OthersRead(
              each.account(), each.room(), each.read(), each.delivered(), each.asOf()));
    }
    announcer.signalOnce(signals);
    moved.markers().stream()
        .filter(MovedMarker::replaced)
        .forEach(each -> replaced.accept(each.marker().accountId(), each.marker().roomId()));
  }

  /// The sessions that asked for each marker.
  private static Map<Key, Set<@Nullable SessionId>> movers(List<MoveMarker> moves) {
    Map<Key, Set<@Nullable SessionId>> movers = new HashMap<>();
    moves.forEach(
        move -> movers.computeIfAbsent(Key.of(move), _ -> new HashSet<>(1)).add(move.by()));
    return movers;
  }

  private static AccountSignal signal(
      Marker marker, long version, Map<Key, Set<@Nullable SessionId>> movers) {
    return new AccountSignal.MarkerMoved(
        marker.accountId(),
        marker.roomId(),
        marker.readSeq(),
        marker.deliveredSeq(),
        marker.unreadFrom(),
        version,
        only(movers.getOrDefault(Key.of(marker), Set.of())));
  }

  /// The session that moved it, unless there were several.
  private static @Nullable SessionId only(Set<@Nullable SessionId> movers) {
    return movers.size() == 1 ? movers.iterator().next() : null;
  }

  private static RoomSignal shown(MovedMarker moved) {
    Marker marker = moved.marker();
    return new RoomSignal(
        marker.roomId(),
        marker.accountId(),
        null,
        Set.copyOf(moved.hiddenFrom()),
        Json.bytes(
            new ServerFrame.Marker(
                marker.roomId(),
                marker.accountId(),
                moved.readShown() ? marker.readSeq() : null,
                marker.deliveredSeq(),
                null)));
  }
}
