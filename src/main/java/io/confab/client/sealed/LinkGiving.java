package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.client.sealed.LinkStep.Stage;
import io.confab.protocol.DeviceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The old device of [Links]: takes the code that a person types, and gives what it has to the
/// device that shows it.
final class LinkGiving {
  /// So many pieces are on their way.
  static final int WINDOW = 24;

  /// So many devices may ask in ten minutes: each of them may guess once at a code that is typed.
  static final int MOST_ASKING = 4;

  private final DeviceAccount own;
  private final Belongings belongings;
  private final LinkLetters letters;
  private final Supplier<Parcels> packing;
  private final List<Offered> offers = new ArrayList<>();

  /// Since when the person knows that a device asks.
  private final Map<DeviceId, Instant> asked = new HashMap<>();

  private final List<Instant> wrong = new ArrayList<>();
  private final List<Typed> typed = new ArrayList<>();
  private @Nullable Giving giving;

  /// @param packing all that there is to give, from its beginning
  LinkGiving(
      DeviceAccount own, Belongings belongings, LinkLetters letters, Supplier<Parcels> packing) {
    this.own = own;
    this.belongings = belongings;
    this.letters = letters;
    this.packing = packing;
  }

  /// What a new device asked this one.
  private record Offered(
      RoomDevice from, DeviceIdentity identity, String id, String share, Instant since) {}

  /// What a device is to answer, of those that had asked when the person typed the code.
  ///
  /// @param proof what shows that the new device has the code
  private record Typed(Offered offer, String proof, Instant since, boolean proven) {}

  /// What is on its way to a new device.
  private static final class Giving {
    private final RoomDevice to;
    private final String id;
    private final Parcels parcels;
    private Instant heard;
    private int given;
    private int got;

    /// So many pieces give the identity; the rest goes to a device that is signed.
    private int first = Integer.MAX_VALUE;

    private Giving(RoomDevice to, String id, Parcels parcels, Instant heard) {
      this.to = to;
      this.id = id;
      this.parcels = parcels;
      this.heard = heard;
    }

    /// Whether the new device is first to say that it is signed.
    private boolean isToJoin() {
      return given >= first && got < first;
    }

    private void given(ObjectNode piece) {
      given++;
      if (first == Integer.MAX_VALUE && piece.path("last").asBoolean()) {
        first = given;
      }
    }
  }

  Optional<LinkStep> started(
      Changes changes, Note note, RoomDevice from, DeviceIdentity identity, Instant now) {
    Instant told = Instant.ofEpochMilli(note.ts());
    Instant since = told.isBefore(now) ? told : now;
    if (!belongings.mayGive(changes) || isLocked(now) || LinkLetters.isOver(since, now)) {
      return Optional.empty();
    }
    String id = SealedJson.text(note.content(), "id");
    String share = SealedJson.text(note.content(), "share");
    forgetOver(now);
    boolean again = asked.containsKey(from.deviceId());
    if (!again && asked.size() >= MOST_ASKING) {
      return Optional.empty();
    }
    asked.putIfAbsent(from.deviceId(), now);
    offers.removeIf(offer -> offer.from().hasNameOf(from));
    offers.add(new Offered(from, identity, id, share, since));
    return again ? Optional.empty() : Optional.of(LinkStep.onOld(Stage.OFFERED, from));
  }

  private void forgetOver(Instant now) {
    offers.removeIf(offer -> LinkLetters.isOver(offer.since(), now));
    asked.values().removeIf(since -> LinkLetters.isOver(since, now));
  }

  /// All that asked get the answer: whose code it is can go on, and another one has one guess by
  /// it.
  Optional<LinkStep> type(Changes changes, LinkCode code, Instant now) {
    forgetOver(now);
    if (offers.isEmpty() || isLocked(now)) {
      return Optional.empty();
    }
    typed.clear();
    List<LetterTo> all = new ArrayList<>();
    RoomDevice newest = offers.getLast().from();
    for (Offered offer : offers) {
      try {
        all.add(answer(changes, code, offer, now));
      } catch (Untrusted _) {
        // What it said is no share; the others go on.
      }
      asked.remove(offer.from().deviceId());
    }
    offers.clear();
    return Optional.of(
        all.isEmpty()
            ? LinkStep.onOld(Stage.BROKEN, newest)
            : new LinkStep(Stage.TYPED, LinkStep.Role.OLD, newest, List.copyOf(all), 0, 0));
  }

  private LetterTo answer(Changes changes, LinkCode code, Offered offer, Instant now) {
    LinkSecret secret =
        new LinkSecret(code, offer.id(), offer.identity(), own.identity(changes), false);
    LinkSecret.Proofs proofs = secret.proofs(offer.share());
    typed.add(new Typed(offer, proofs.fresh(), now, false));
    ObjectNode accept = SealedJson.object().put("share", secret.share()).put("proof", proofs.old());
    return letters.letter(changes, offer.from(), LinkLetters.ACCEPT, offer.id(), accept);
  }

  boolean isLocked(Instant now) {
    wrong.removeIf(since -> LinkLetters.isOver(since, now));
    return wrong.size() >= Links.TRIES;
  }

  Optional<LinkStep> proven(Changes changes, RoomDevice from, ObjectNode content, Instant now) {
    Optional<Typed> found =
        typed.stream().filter(one -> isOf(one.offer(), from, content) && !one.proven()).findFirst();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Typed present = found.get();
    if (LinkLetters.isOver(present.since(), now)
        || !LinkSecret.same(present.proof(), SealedJson.text(content, "proof"))) {
      typed.remove(present);
      LetterTo cancel = letters.cancel(changes, from, present.offer().id(), LinkLetters.WRONG);
      return isWrong(now)
          ? Optional.of(LinkStep.onOld(Stage.WRONG_CODE, from, cancel))
          : Optional.empty();
    }
    typed.clear();
    typed.add(new Typed(present.offer(), present.proof(), now, true));
    return Optional.of(LinkStep.onOld(Stage.PROVEN, from));
  }

  /// Whether the code was that of no device which asked.
  private boolean isWrong(Instant now) {
    if (typed.isEmpty()) {
      wrong.add(now);
    }
    return typed.isEmpty();
  }

  Optional<LinkStep> decide(Changes changes, boolean yes, Instant now) {
    Optional<Typed> found = typed.stream().filter(Typed::proven).findFirst();
    if (found.isEmpty() || LinkLetters.isOver(found.get().since(), now)) {
      return Optional.empty();
    }
    typed.clear();
    Typed present = found.get();
    Offered offer = present.offer();
    if (yes) {
      giving = new Giving(offer.from(), offer.id(), packing.get(), now);
      return Optional.of(LinkStep.onOld(Stage.MOVING, offer.from()));
    }
    return Optional.of(
        LinkStep.onOld(
            Stage.LEFT, offer.from(), letters.cancel(changes, offer.from(), offer.id(), "left")));
  }

  Optional<LetterTo> next(Changes changes) {
    Giving present = giving;
    if (present == null || present.given - present.got >= WINDOW || present.isToJoin()) {
      return Optional.empty();
    }
    return present
        .parcels
        .next(changes)
        .map(
            piece -> {
              present.given(piece);
              return letters.letter(changes, present.to, LinkLetters.PIECE, present.id, piece);
            });
  }

  Optional<LinkStep> stop(Changes changes) {
    Optional<LinkStep> stopped =
        Optional.ofNullable(giving)
            .map(
                one ->
                    LinkStep.onOld(
                        Stage.BROKEN, one.to, letters.cancel(changes, one.to, one.id, "broken")));
    giving = null;
    return stopped;
  }

  Optional<LinkStep> got(RoomDevice from, ObjectNode content, Instant now) {
    Giving present = giving;
    int next = content.path("next").asInt(-1);
    if (present == null
        || !present.to.hasNameOf(from)
        || !present.id.equals(SealedJson.text(content, "id"))
        || next < present.got
        || next > present.given) {
      return Optional.empty();
    }
    present.got = next;
    present.heard = now;
    boolean done = content.path("done").asBoolean();
    if (done) {
      giving = null;
    }
    return Optional.of(
        new LinkStep(
            done ? Stage.DONE : Stage.MOVING,
            LinkStep.Role.OLD,
            from,
            List.of(),
            present.parcels.lines(),
            present.parcels.all()));
  }

  /// Whether that ended something.
  boolean cancelled(RoomDevice from, ObjectNode content, Instant now) {
    boolean ended = false;
    if (typed.removeIf(one -> isOf(one.offer(), from, content))) {
      ended = typed.isEmpty();
      if (ended && content.path("code").asText().equals(LinkLetters.WRONG)) {
        wrong.add(now);
      }
    }
    if (giving != null
        && giving.to.hasNameOf(from)
        && giving.id.equals(SealedJson.text(content, "id"))) {
      giving = null;
      ended = true;
    }
    return ended;
  }

  /// When something is over of which nothing is heard.
  Stream<Instant> ends() {
    return Stream.concat(
            typed.stream().map(Typed::since),
            Optional.ofNullable(giving).map(one -> one.heard).stream())
        .map(LinkLetters::end);
  }

  List<LinkStep> endOverdue(Instant now) {
    List<LinkStep> ended = new ArrayList<>();
    if (!typed.isEmpty() && LinkLetters.isOver(typed.getLast().since(), now)) {
      ended.add(LinkStep.onOld(Stage.TOO_LATE, typed.getLast().offer().from()));
      typed.clear();
    }
    if (giving != null && LinkLetters.isOver(giving.heard, now)) {
      ended.add(LinkStep.onOld(Stage.TOO_LATE, giving.to));
      giving = null;
    }
    return List.copyOf(ended);
  }

  private static boolean isOf(Offered offer, RoomDevice from, ObjectNode content) {
    return offer.from().hasNameOf(from) && offer.id().equals(SealedJson.text(content, "id"));
  }
}
