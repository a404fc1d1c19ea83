package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.LinkStep;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Warning;
import io.confab.client.sealedroom.SealedListener;
import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import java.util.function.Supplier;

/// Hands on what sealed rooms tell to the thread of the chat.
final class SealedEars implements SealedListener {
  private final ChatQueue queue;
  private final Supplier<SealedEvents> events;

  /// @param events is asked for once something is told
  SealedEars(ChatQueue queue, Supplier<SealedEvents> events) {
    this.queue = queue;
    this.events = events;
  }

  @Override
  public void shown(SealedLine line) {
    queue.update(() -> events.get().shown(line));
  }

  @Override
  public void released(List<SealedLine> lines) {
    queue.update(() -> events.get().released(lines));
  }

  @Override
  public void believed(AccountId account) {
    queue.add(() -> events.get().believed(account));
  }

  @Override
  public void warned(Warning warning) {
    queue.update(() -> events.get().warned(warning));
  }

  @Override
  public void gone(RoomId room, Seq seq) {
    queue.update(() -> events.get().gone(room, seq));
  }

  @Override
  public void unsent(RoomId room, String text, ApiException why) {
    queue.add(() -> events.get().unsent(text, why));
  }

  @Override
  public void unheard(SealedLine line) {
    queue.add(() -> events.get().unheard(line));
  }

  @Override
  public void delivered(RoomId room) {
    queue.update(() -> events.get().delivered(room));
  }

  @Override
  public void compared(Comparison step) {
    queue.update(() -> events.get().compared(step));
  }

  @Override
  public void linked(LinkStep step) {
    Runnable task = () -> events.get().linked(step);
    switch (step.stage()) {
      case OFFERED, MOVING -> queue.update(task); // others decide how many come
      case TYPED, PROVEN, JOINED, DONE, WRONG_CODE, TOO_LATE, LEFT, BROKEN, OTHER_IDENTITY ->
          queue.add(task);
    }
  }

  @Override
  public void failed(Throwable why) {
    queue.add(() -> events.get().failed(why));
  }

  @Override
  public void state(SealedState state) {
    queue.add(() -> events.get().state(state));
  }
}
