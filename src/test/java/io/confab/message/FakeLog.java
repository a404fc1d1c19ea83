package io.confab.message;

import io.confab.feed.Event;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.SendFields;
import io.confab.protocol.Seq;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeOutcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A log whose calls return when the test says so.
final class FakeLog implements MessageLog {
  final List<List<Draft>> groups = new ArrayList<>();
  final List<List<MessageChange>> runs = new ArrayList<>();
  final List<List<Draft>> found = new ArrayList<>();
  final List<List<MessageChange>> foundRuns = new ArrayList<>();
  final List<Promise<List<Outcome>>> calls = new ArrayList<>();
  final List<Promise<List<ChangeOutcome>>> changeCalls = new ArrayList<>();
  final List<List<EnvelopeDraft>> puts = new ArrayList<>();
  final List<Promise<List<EnvelopeOutcome>>> putCalls = new ArrayList<>();
  final List<List<EnvelopeDraft>> foundPuts = new ArrayList<>();
  final List<String> buried = new ArrayList<>();
  final Set<RoomId> locked = new HashSet<>();
  int looks;
  int connects;
  int refuseConnects;
  boolean closed;
  private boolean connected;
  private long seq;

  @Override
  public Future<Void> connect() {
    connects++;
    if (refuseConnects > 0) {
      refuseConnects--;
      return Future.failedFuture(new ClosedChannelException());
    }
    connected = true;
    return Future.succeededFuture();
  }

  @Override
  public boolean connected() {
    return connected;
  }

  @Override
  public Epoch epoch() {
    return new Epoch(7);
  }

  @Override
  public Future<List<Outcome>> append(List<Draft> group) {
    groups.add(group);
    Promise<List<Outcome>> call = Promise.promise();
    calls.add(call);
    return call.future();
  }

  @Override
  public Future<List<ChangeOutcome>> change(List<MessageChange> run) {
    runs.add(run);
    Promise<List<ChangeOutcome>> call = Promise.promise();
    changeCalls.add(call);
    return call.future();
  }

  @Override
  public Future<List<Event>> find(List<Draft> group) {
    found.add(group);
    List<Outcome> outcomes = stored(group);
    return Future.succeededFuture(
        IntStream.range(0, group.size())
            .mapToObj(i -> ((Outcome.Stored) outcomes.get(i)).message(group.get(i)))
            .map(message -> Event.of(message, epoch()))
            .toList());
  }

  @Override
  public Future<List<Event>> findChanges(List<MessageChange> run) {
    foundRuns.add(run);
    return Future.succeededFuture(
        run.stream().map(change -> made(change).event(change, epoch())).toList());
  }

  @Override
  public Future<List<EnvelopeOutcome>> put(List<EnvelopeDraft> group) {
    puts.add(group);
    Promise<List<EnvelopeOutcome>> call = Promise.promise();
    putCalls.add(call);
    return call.future();
  }

  @Override
  public Future<Void> bury(EnvelopeDraft draft, String reason) {
    buried.add(draft + " " + reason);
    return Future.succeededFuture();
  }

  @Override
  public Future<List<Event>> findPut(List<EnvelopeDraft> group) {
    foundPuts.add(group);
    return Future.succeededFuture(List.of());
  }

  @Override
  public Future<Set<RoomId>> locked(Collection<RoomId> rooms) {
    looks++;
    return Future.succeededFuture(
        rooms.stream().filter(locked::contains).collect(Collectors.toSet()));
  }

  @Override
  public Future<Void> close() {
    closed = true;
    return Future.succeededFuture();
  }

  /// The latest call commits: everything in it is stored.
  void commit() {
    calls.getLast().complete(stored(groups.getLast()));
  }

  /// The latest call for changes commits.
  void commitChanges() {
    changeCalls.getLast().complete(List.copyOf(runs.getLast().stream().map(this::made).toList()));
  }

  void loseConnectionOfChanges() {
    connected = false;
    changeCalls.getLast().fail(new ClosedChannelException());
  }

  private ChangeOutcome.Made made(MessageChange change) {
    seq++;
    return new ChangeOutcome.Made(
        new Rev(seq),
        2_000,
        true,
        Message.sent(
            change.roomId(),
            change.seq(),
            new Rev(1),
            change.caller(),
            new SendFields(new ClientId("c"), MessageType.TEXT, "now", null, null),
            null,
            1_000));
  }

  void fail(Throwable failure) {
    calls.getLast().fail(failure);
  }

  void loseConnection() {
    connected = false;
    fail(new ClosedChannelException());
  }

  private List<Outcome> stored(List<Draft> group) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      seq++;
      outcomes.add(new Outcome.Stored(new Seq(seq), new Rev(seq), 1_000, null));
    }
    return outcomes;
  }
}
