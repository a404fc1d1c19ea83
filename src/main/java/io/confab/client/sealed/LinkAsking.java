package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.client.sealed.LinkStep.Stage;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The new device of [Links]: shows a code, and takes what an old one gives that has it too.
final class LinkAsking {
  private static final int GOT_EACH = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final DeviceAccount own;
  private final Pins pins;
  private final LinkLetters letters;
  private final Unpacking unpacking;
  private final List<LetterTo> answers = new ArrayList<>();
  private @Nullable Asked asked;
  private @Nullable RoomDevice giver;
  private Instant heard = Instant.EPOCH;

  LinkAsking(DeviceAccount own, Pins pins, LinkLetters letters, Unpacking unpacking) {
    this.own = own;
    this.pins = pins;
    this.letters = letters;
    this.unpacking = unpacking;
  }

  /// Each device that was asked gets a share of its own.
  private record Asked(List<Side> sides, Instant since) {}

  private record Side(RoomDevice with, DeviceIdentity identity, String id, LinkSecret secret) {}

  Links.Offer offer(Changes changes, List<RoomDevice> others, Instant now) {
    LinkCode code = LinkCode.make(RANDOM);
    List<Side> sides = new ArrayList<>();
    List<LetterTo> all = new ArrayList<>();
    for (RoomDevice with : others) {
      DeviceIdentity identity =
          pins.device(changes, with.accountId(), with.deviceId()).orElseThrow();
      String id = UUID.randomUUID().toString();
      LinkSecret secret = new LinkSecret(code, id, own.identity(changes), identity, true);
      sides.add(new Side(with, identity, id, secret));
      ObjectNode start = SealedJson.object().put("share", secret.share());
      all.add(letters.letter(changes, with, LinkLetters.START, id, start));
    }
    asked = new Asked(List.copyOf(sides), now);
    giver = null;
    unpacking.forget(changes);
    return new Links.Offer(code, List.copyOf(all));
  }

  /// The first answer to a code is the last one, be it right or wrong. Who answers another one is
  /// not to wait for more.
  Optional<LinkStep> accepted(Changes changes, RoomDevice from, ObjectNode content, Instant now) {
    Asked present = asked;
    String id = SealedJson.text(content, "id");
    Optional<Side> side =
        present == null || LinkLetters.isOver(present.since(), now)
            ? Optional.empty()
            : present.sides().stream()
                .filter(one -> one.with().hasNameOf(from) && one.id().equals(id))
                .findFirst();
    if (side.isEmpty()) {
      answers.add(letters.cancel(changes, from, id, "over"));
      return Optional.empty();
    }
    asked = null;
    Optional<LinkSecret.Proofs> proofs = proofs(side.get(), content);
    if (proofs.isEmpty()) {
      LetterTo cancel = letters.cancel(changes, from, id, LinkLetters.WRONG);
      return Optional.of(LinkStep.onNew(Stage.WRONG_CODE, from, cancel));
    }
    unpacking.expect(changes, id, side.get().identity());
    giver = from;
    heard = now;
    ObjectNode proof = SealedJson.object().put("proof", proofs.get().fresh());
    return Optional.of(
        LinkStep.onNew(
            Stage.PROVEN, from, letters.letter(changes, from, LinkLetters.PROOF, id, proof)));
  }

  List<LetterTo> answers() {
    List<LetterTo> all = List.copyOf(answers);
    answers.clear();
    return all;
  }

  private static Optional<LinkSecret.Proofs> proofs(Side side, ObjectNode content) {
    try {
      LinkSecret.Proofs proofs = side.secret().proofs(SealedJson.text(content, "share"));
      return Optional.of(proofs)
          .filter(made -> LinkSecret.same(made.old(), content.path("proof").asText()));
    } catch (Untrusted _) {
      return Optional.empty();
    }
  }

  Optional<LinkStep> piece(
      Changes changes, RoomDevice from, DeviceIdentity identity, ObjectNode content, Instant now) {
    try {
      Optional<Unpacking.Progress> progress = unpacking.take(changes, identity, content);
      progress.ifPresent(
          _ -> {
            giver = from;
            heard = now;
          });
      return progress.map(taken -> told(changes, from, SealedJson.text(content, "id"), taken));
    } catch (Untrusted e) {
      unpacking.forget(changes);
      giver = null;
      boolean other = e.doubt() == Doubt.CHANGED_IDENTITY;
      LetterTo cancel = letters.cancel(changes, from, content.path("id").asText(), "broken");
      return Optional.of(LinkStep.onNew(other ? Stage.OTHER_IDENTITY : Stage.BROKEN, from, cancel));
    }
  }

  private LinkStep told(Changes changes, RoomDevice from, String id, Unpacking.Progress progress) {
    if (progress.done()) {
      giver = null;
    }
    Stage stage = progress.done() ? Stage.DONE : progress.joined() ? Stage.JOINED : Stage.MOVING;
    boolean tells = stage != Stage.MOVING || progress.next() % GOT_EACH == 0;
    List<LetterTo> all =
        tells ? List.of(got(changes, from, id, progress.next(), progress.done())) : List.of();
    return new LinkStep(stage, LinkStep.Role.NEW, from, all, progress.lines(), progress.all());
  }

  private LetterTo got(Changes changes, RoomDevice to, String id, int next, boolean done) {
    ObjectNode got = SealedJson.object().put("next", next).put("done", done);
    return letters.letter(changes, to, LinkLetters.GOT, id, got);
  }

  Optional<Unpacking.Kept> expected(Changes changes) {
    return unpacking.expected(changes);
  }

  /// Goes on after the program ended: nobody knows whether the old device was told how far this one
  /// is.
  LetterTo resume(Changes changes, Unpacking.Kept kept, RoomDevice old, Instant now) {
    if (!kept.done()) {
      giver = old;
      heard = now;
    }
    return got(changes, old, kept.id(), kept.next(), kept.done());
  }

  void told(Changes changes) {
    unpacking.told(changes);
  }

  /// Whether that ended something.
  boolean cancelled(Changes changes, DeviceIdentity from, String id) {
    boolean mine = unpacking.isOf(changes, from, id);
    if (mine) {
      unpacking.forget(changes);
      giver = null;
    }
    return mine;
  }

  /// The letters of the offer could not be sent.
  void unask() {
    asked = null;
  }

  /// When something is over of which nothing is heard.
  Stream<Instant> ends() {
    return Stream.of(
            Optional.ofNullable(asked).map(Asked::since),
            Optional.ofNullable(giver).map(_ -> heard))
        .flatMap(Optional::stream)
        .map(LinkLetters::end);
  }

  List<LinkStep> endOverdue(Changes changes, Instant now) {
    List<LinkStep> ended = new ArrayList<>();
    if (asked != null && LinkLetters.isOver(asked.since(), now)) {
      ended.add(LinkStep.onNew(Stage.TOO_LATE, asked.sides().getFirst().with()));
      asked = null;
    }
    if (giver != null && LinkLetters.isOver(heard, now)) {
      ended.add(LinkStep.onNew(Stage.TOO_LATE, giver));
      giver = null;
      unpacking.forget(changes);
    }
    return List.copyOf(ended);
  }
}
