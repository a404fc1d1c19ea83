package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.LinkStep;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Warning;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import java.util.concurrent.Executor;

/// Calls the listener of the program when whoever tells it is done, in the same order: what it
/// throws concerns nobody else.
record DeferredListener(SealedListener listener, Executor loop) implements SealedListener {
  @Override
  public void shown(SealedLine line) {
    loop.execute(() -> listener.shown(line));
  }

  @Override
  public void released(List<SealedLine> lines) {
    loop.execute(() -> listener.released(lines));
  }

  @Override
  public void believed(AccountId account) {
    loop.execute(() -> listener.believed(account));
  }

  @Override
  public void warned(Warning warning) {
    loop.execute(() -> listener.warned(warning));
  }

  @Override
  public void gone(RoomId room, Seq seq) {
    loop.execute(() -> listener.gone(room, seq));
  }

  @Override
  public void unsent(RoomId room, String text, ApiException why) {
    loop.execute(() -> listener.unsent(room, text, why));
  }

  @Override
  public void unheard(SealedLine line) {
    loop.execute(() -> listener.unheard(line));
  }

  @Override
  public void delivered(RoomId room) {
    loop.execute(() -> listener.delivered(room));
  }

  @Override
  public void compared(Comparison step) {
    loop.execute(() -> listener.compared(step));
  }

  @Override
  public void linked(LinkStep step) {
    loop.execute(() -> listener.linked(step));
  }

  @Override
  public void failed(Throwable why) {
    loop.execute(() -> listener.failed(why));
  }

  @Override
  public void state(SealedState state) {
    loop.execute(() -> listener.state(state));
  }
}
