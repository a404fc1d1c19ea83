package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One comparison by emoji with a device, up to its end.
final class OpenComparison implements AutoCloseable {
  static final String STEP = "m.key.verification.";
  static final String START = STEP + "start";

  /// The code of a cancellation: the two people see other emoji.
  static final String DIFFERENT = "m.mismatched_sas";

  private static final String ACCEPT = STEP + "accept";
  private static final String KEY = STEP + "key";
  private static final String MAC = STEP + "mac";
  private static final String CANCEL = STEP + "cancel";

  private final RoomDevice with;
  private final String master;
  private final EmojiComparison emoji;
  private final boolean starts;
  private final Instant since;
  private Comparison.Stage stage = Comparison.Stage.WAITING;
  private boolean answered;
  private boolean confirmedThere;
  private boolean differs;

  /// @param type what kind of step it is
  record Step(String type, ObjectNode content) {}

  /// @param master the key of the other account, which is compared
  private OpenComparison(
      RoomDevice with, String master, EmojiComparison emoji, boolean starts, Instant since) {
    this.with = with;
    this.master = master;
    this.emoji = emoji;
    this.starts = starts;
    this.since = since;
  }

  /// Begins one, with [#start].
  static OpenComparison begin(
      RoomDevice with,
      EmojiComparison.Party own,
      EmojiComparison.Party other,
      String id,
      Instant now) {
    return new OpenComparison(
        with, other.master(), EmojiComparison.begin(own, other, id), true, now);
  }

  /// The other device began one; it is answered by [#accept]. Doubts: MALFORMED, OTHER_SENDER.
  static OpenComparison answer(
      RoomDevice with,
      EmojiComparison.Party own,
      EmojiComparison.Party other,
      ObjectNode start,
      Instant now) {
    return new OpenComparison(
        with, other.master(), EmojiComparison.answer(own, other, start), false, now);
  }

  RoomDevice with() {
    return with;
  }

  String master() {
    return master;
  }

  String id() {
    return SealedJson.text(emoji.start(), "transaction_id");
  }

  Instant since() {
    return since;
  }

  Comparison.Stage stage() {
    return stage;
  }

  /// This device began it, and the other one has said nothing.
  boolean isOffered() {
    return starts && !answered;
  }

  /// Whether it ended since the two people see other emoji.
  boolean differs() {
    return differs;
  }

  /// What both people see, as soon as there is something.
  List<String> emojis() {
    return switch (stage) {
      case SHOWN, CONFIRMED, VERIFIED -> emoji.emojis();
      case WAITING, ENDED -> List.of();
    };
  }

  Step start() {
    return new Step(START, emoji.start());
  }

  Step accept() {
    return new Step(ACCEPT, emoji.accept());
  }

  /// Takes a step of the other device, and says what follows. Doubts: MALFORMED, BAD_KEY,
  /// BAD_SIGNATURE.
  Optional<Step> take(Step step) {
    answered = true;
    switch (step.type()) {
      case ACCEPT -> {
        emoji.accepted(step.content());
        return Optional.of(new Step(KEY, emoji.key()));
      }
      case KEY -> {
        emoji.agree(step.content());
        stage = Comparison.Stage.SHOWN;
        return starts ? Optional.empty() : Optional.of(new Step(KEY, emoji.key()));
      }
      case MAC -> {
        emoji.verify(step.content());
        confirmedThere = true;
        if (stage == Comparison.Stage.CONFIRMED) {
          stage = Comparison.Stage.VERIFIED;
        }
        return Optional.empty();
      }
      case CANCEL -> {
        stage = Comparison.Stage.ENDED;
        differs = step.content().path("code").asText().equals(DIFFERENT);
        return Optional.empty();
      }
      default -> {
        return Optional.empty();
      }
    }
  }

  /// The person says that both see the same.
  Step confirm() {
    Step mac = new Step(MAC, emoji.mac());
    stage = confirmedThere ? Comparison.Stage.VERIFIED : Comparison.Stage.CONFIRMED;
    return mac;
  }

  /// Ends it.
  ///
  /// @param code as Matrix calls the reason
  Step cancel(String code) {
    stage = Comparison.Stage.ENDED;
    differs = code.equals(DIFFERENT);
    ObjectNode content = SealedJson.object().put("transaction_id", id());
    return new Step(CANCEL, content.put("code", code).put("reason", code));
  }

  @Override
  public void close() {
    emoji.close();
  }
}
