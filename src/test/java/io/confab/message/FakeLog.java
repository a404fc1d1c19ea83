package io.confab.message;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;

/// A log whose calls return when the test says so.
final class FakeLog implements MessageLog {
  final List<List<Draft>> groups = new ArrayList<>();
  final List<List<Draft>> found = new ArrayList<>();
  final List<Promise<List<Outcome>>> calls = new ArrayList<>();
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
  public Future<List<Outcome>> find(List<Draft> group) {
    found.add(group);
    return Future.succeededFuture(stored(group));
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
      outcomes.add(new Outcome.Stored(new Seq(seq), new Rev(seq), 1_000));
    }
    return outcomes;
  }
}
