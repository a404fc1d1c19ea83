package io.confab.simulation;

import io.confab.socket.SimulatedLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;

/// A connection between a client and a node, with a queue at the node's end that fills when the
/// client reads slowly. When it is cut each side notices in its own time, or the node never.
final class SimSocket implements SimulatedLoop.Pipe {
  /// Few, so that a queue is full often.
  private static final int FULL = 8;

  private final Scheduler scheduler;
  private final Dice dice;
  private final SimNode node;
  private final End client;
  private final Line up;
  private final Line down;
  private final Deque<byte[]> queue = new ArrayDeque<>();
  private Promise<Void> drained = Promise.promise();
  private SimulatedLoop.Peer peer;
  private boolean writing;
  private boolean closing;
  private boolean gone;
  private int closeCode;
  private long frameNanos;

  /// The client's side.
  interface End {
    void frame(SimSocket from, byte[] json);

    void closed(SimSocket from, int code);
  }

  SimSocket(SimWorld world, SimNode node, End client, String session) {
    this.scheduler = world.scheduler();
    this.dice = world.dice();
    this.node = node;
    this.client = client;
    this.up = new Line(scheduler);
    this.down = new Line(scheduler);
    this.peer = node.open(session, dice.between(0, 1), this);
  }

  SimNode node() {
    return node;
  }

  /// How long the client takes for a frame.
  void slow(long nanosForAFrame) {
    frameNanos = nanosForAFrame;
  }

  /// The client writes a frame.
  void write(String text) {
    up.after(dice.millis(0.1, 5), () -> node.after(0, () -> received(text)));
  }

  private void received(String text) {
    if (!gone && node.passes()) {
      peer.text(text);
    }
  }

  @Override
  public void frame(byte[] json) {
    if (node.passes() && !gone) {
      queue.add(json);
      writeNext();
    }
  }

  private void writeNext() {
    if (writing || queue.isEmpty()) {
      return;
    }
    writing = true;
    node.after(
        frameNanos,
        () -> {
          writing = false;
          byte[] json = queue.poll();
          if (json != null) {
            down.after(dice.millis(0.1, 5), () -> client.frame(this, json));
          }
          if (queue.isEmpty()) {
            whenEmpty();
          }
          writeNext();
        });
  }

  private void whenEmpty() {
    Promise<Void> waiting = drained;
    drained = Promise.promise();
    waiting.complete();
    if (closing) {
      hangUp();
    }
  }

  @Override
  public boolean isFull() {
    return queue.size() >= FULL;
  }

  @Override
  public Future<Void> drained() {
    return queue.isEmpty() ? Future.succeededFuture() : drained.future();
  }

  @Override
  public void close(int code) {
    closing = true;
    closeCode = code;
    if (queue.isEmpty()) {
      hangUp();
    }
  }

  private void hangUp() {
    if (!gone) {
      gone = true;
      down.after(dice.millis(0.1, 5), () -> client.closed(this, closeCode));
    }
  }

  /// The network loses it: nothing passes any more.
  ///
  /// @param clientNotices after how many nanoseconds
  void cut(long clientNotices) {
    up.cut();
    down.cut();
    scheduler.after(clientNotices, () -> client.closed(this, 1006));
    node.after(dice.millis(0, 3_000), this::serverSees);
  }

  /// The client has gone away.
  void hungUp() {
    up.cut();
    down.cut();
    node.after(dice.chance(0.2) ? dice.millis(0, 5_000) : dice.millis(0.1, 5), this::serverSees);
  }

  private void serverSees() {
    if (!gone) {
      gone = true;
      queue.clear();
      peer.gone();
    }
  }
}
