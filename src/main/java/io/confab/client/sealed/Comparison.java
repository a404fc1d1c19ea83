package io.confab.client.sealed;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a comparison by emoji stands after a step.
///
/// @param id which comparison
/// @param with the device of the other person
/// @param emojis what both people see, each with its name; empty before that
/// @param letters what is to be sent for this step
/// @param doubt what ended it where that was a step that is not believed, or that the two see other
///     emoji; null: one of them left it, or it took too long
public record Comparison(
    String id,
    RoomDevice with,
    Stage stage,
    List<String> emojis,
    List<LetterTo> letters,
    @Nullable Doubt doubt) {

  /// How far it has come.
  public enum Stage {
    /// The other device is to answer.
    WAITING,
    /// The person is to say whether both see the same.
    SHOWN,
    /// The person said so, the other one has not yet.
    CONFIRMED,
    /// Both said so: the identity of the other person is verified.
    VERIFIED,
    /// It came to nothing.
    ENDED
  }
}
