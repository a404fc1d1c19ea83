package io.confab.client.sealed;

import java.util.List;

/// Where linking stands after a step.
///
/// @param role which of the two this device is
/// @param with the other device of the account
/// @param letters what is to be sent for this step
/// @param lines how many lines of history are there, of those that come
/// @param all how many lines come
public record LinkStep(
    Stage stage, Role role, RoomDevice with, List<LetterTo> letters, long lines, long all) {

  /// One of the two.
  public enum Role {
    /// It shows the code, and gets what the other one has.
    NEW,
    /// The code is typed on it, and it gives.
    OLD
  }

  /// How far it has come.
  public enum Stage {
    /// On the old device: the new one shows a code, which may be typed here.
    OFFERED,
    /// On the old device: the code is on its way to the new one.
    TYPED,
    /// The two have the same code. On the old device the person is to say yes.
    PROVEN,
    /// On the new device: it has the identity.
    JOINED,
    /// Something of the rest came.
    MOVING,
    /// All of it is there.
    DONE,
    /// The two had not the same code; this one is good for nothing more.
    WRONG_CODE,
    /// It took too long.
    TOO_LATE,
    /// The other device does not go on.
    LEFT,
    /// Something of it is missing, or not to be read; what came before is taken.
    BROKEN,
    /// The server tells of another identity than the other device has: nothing is taken.
    OTHER_IDENTITY
  }

  static LinkStep onNew(Stage stage, RoomDevice with, LetterTo... letters) {
    return new LinkStep(stage, Role.NEW, with, List.of(letters), 0, 0);
  }

  static LinkStep onOld(Stage stage, RoomDevice with, LetterTo... letters) {
    return new LinkStep(stage, Role.OLD, with, List.of(letters), 0, 0);
  }

  /// Whether nothing more comes.
  public boolean isLast() {
    return switch (stage) {
      case OFFERED, TYPED, PROVEN, JOINED, MOVING -> false;
      case DONE, WRONG_CODE, TOO_LATE, LEFT, BROKEN, OTHER_IDENTITY -> true;
    };
  }
}
