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

/// What [SealedRooms] report to their program: one call at a time, on their event loop, which it
/// must not block. What a call throws is reported as unhandled and changes nothing else.
public interface SealedListener {
  /// A line of a sealed room, each once: of others as the queue brings it, one's own when it is
  /// stored. It is kept.
  default void shown(SealedLine line) {}

  /// Lines that waited until their sender was believed. They are older than what was shown since.
  default void released(List<SealedLine> lines) {}

  /// The person believes somebody's keys from here on: accepted or verified them. Comes before what
  /// waited for that.
  default void believed(AccountId account) {}

  /// What the person is to know about somebody's keys, or about what came by them.
  default void warned(Warning warning) {}

  /// The lifetime of a line is over, and it is kept no longer.
  default void gone(RoomId room, Seq seq) {}

  /// A line that was on its way when the program ended before is not stored, for good.
  default void unsent(RoomId room, String text, ApiException why) {}

  /// An own line is stored, but another device of the account put this one out about then: others
  /// may not be shown it. Comes after [SealedState#NOT_LINKED].
  default void unheard(SealedLine line) {}

  /// Something became known of the own lines of a room.
  default void delivered(RoomId room) {}

  /// Where a comparison by emoji stands after a step. Once its emojis are shown the person says
  /// whether both see the same: [SealedPeople#matches].
  default void compared(Comparison step) {}

  /// Where linking to another device of the account stands after a step. At
  /// [LinkStep.Stage#OFFERED] the person may type its code, and at [LinkStep.Stage#PROVEN] on the
  /// old device say yes: [SealedLinks].
  default void linked(LinkStep step) {}

  /// The store of the device failed, or the device itself: from here on nothing is kept, and so
  /// nothing sent, shown or acknowledged. Told once, before [SealedState#STORE_FAILED].
  ///
  /// @param why of the disk an [java.io.IOException], which may name a file
  default void failed(Throwable why) {}

  /// How far this device takes part; told at each connection.
  default void state(SealedState state) {}
}
