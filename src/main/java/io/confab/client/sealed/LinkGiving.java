package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.client.sealed.LinkStep.Stage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The old device of [Links]: takes the code that a person types, and gives what it has to the
/// device that shows it.
final class LinkGiving {
  /// So many pieces are on their way.
  static final int WINDOW = 24;

  private static final int MOST_OFFERS = 8;

  private final DeviceAccount own;
  private final Belongings belongings;
  private final LinkLetters letters;
  private final Supplier<Parcels> packing;
  private final List<Offered> offers = new ArrayList<>();
  private final List<Instant> wrong = new ArrayList<>();
  private @Nullable Typed typed;
  private @Nullable Giving giving;

  /// @param packing all that there is to give, from its beginning
  LinkGiving(
      DeviceAccount own,
      Belongings belongings,
      LinkLetters letters,
      Supplier<Parcels> packing) {
    this.own = own;
    this.belongings = belongings;
    this.letters = letters;
    this.packing = packing;
  }

  /// What a new device asked this one.
  private record Offered(
      RoomDevice from, DeviceIdentity identity, String id, String share, Instant since) {}

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
      Changes changes, RoomDevice from, DeviceIdentity identity, ObjectNode content, Instant now) {
    if (!belongings.mayGive(changes) || isLocked(now)) {
      return Optional.empty();
    }
    String id = SealedJson.text(content, "id");
    offers.removeIf(
        offer -> offer.from().hasNameOf(from) || LinkLetters.isOver(offer.since(), now));
    if (offers.size() >= MOST_OFFERS) {
      offers.removeFirst();
    }
    offers.add(new Offered(from, identity, id, SealedJson.text(content, "share"), now));
    return Optional.of(LinkStep.of(Stage.OFFERED, from));
  }

  /// The device that asked last is the one that is meant.
  Optional<LinkStep> type(Changes changes, LinkCode code, Instant now) {
    offers.removeIf(offer -> LinkLetters.isOver(offer.since(), now));
    if (offers.isEmpty() || isLocked(now)) {
      return Optional.empty();
    }
    Offered offer = offers.removeLast();
    try {
      LinkSecret secret =
          new LinkSecret(code, offer.id(), offer.identity(), own.identity(changes), false);
      LinkSecret.Proofs proofs = secret.proofs(offer.share());
      typed = new Typed(offer, proofs.fresh(), now, false);
      ObjectNode accept =
          SealedJson.object().put("share", secret.share()).put("proof", proofs.old());
      return Optional.of(
          LinkStep.of(
              Stage.TYPED,
              offer.from(),
              letters.letter(changes, offer.from(), LinkLetters.ACCEPT, offer.id(), accept)));
    } catch (Untrusted _) {
      return Optional.of(LinkStep.of(Stage.BROKEN, offer.from()));
    }
  }

  boolean isLocked(Instant now) {
    wrong.removeIf(since -> LinkLetters.isOver(since, now));
    return wrong.size() >= Links.TRIES;
  }

  Optional<LinkStep> proven(Changes changes, RoomDevice from, ObjectNode content, Instant now) {
    Typed present = typed;
    if (present == null || present.proven() || !isOf(present.offer(), from, content)) {
      return Optional.empty();
    }
    if (LinkLetters.isOver(present.since(), now)
        || !LinkSecret.same(present.proof(), SealedJson.text(content, "proof"))) {
      typed = null;
      wrong.add(now);
      LetterTo cancel = letters.cancel(changes, from, present.offer().id(), LinkLetters.WRONG);
      return Optional.of(LinkStep.of(Stage.WRONG_CODE, from, cancel));
    }
    typed = new Typed(present.offer(), present.proof(), now, true);
    return Optional.of(LinkStep.of(Stage.PROVEN, from));
  }

  Optional<LinkStep> decide(Changes changes, boolean yes, Instant now) {
    Typed present = typed;
    if (present == null || !present.proven() || LinkLetters.isOver(present.since(), now)) {
      return Optional.empty();
    }
    typed = null;
    Offered offer = present.offer();
    if (yes) {
      giving = new Giving(offer.from(), offer.id(), packing.get(), now);
      return Optional.of(LinkStep.of(Stage.MOVING, offer.from()));
    }
    return Optional.of(
        LinkStep.of(
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

  Optional<LinkStep> stop() {
    Optional<LinkStep> stopped =
        Optional.ofNullable(giving).map(one -> LinkStep.of(Stage.BROKEN, one.to));
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
            from,
            List.of(),
            present.parcels.lines(),
            present.parcels.all()));
  }

  /// Whether that ended something.
  boolean cancelled(RoomDevice from, ObjectNode content, Instant now) {
    boolean ended = false;
    if (typed != null && isOf(typed.offer(), from, content)) {
      typed = null;
      ended = true;
      if (content.path("code").asText().equals(LinkLetters.WRONG)) {
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

  boolean isOpen() {
    return typed != null || giving != null;
  }

  List<LinkStep> endOverdue(Instant now) {
    List<LinkStep> ended = new ArrayList<>();
    if (typed != null && LinkLetters.isOver(typed.since(), now)) {
      ended.add(LinkStep.of(Stage.TOO_LATE, typed.offer().from()));
      typed = null;
    }
    if (giving != null && LinkLetters.isOver(giving.heard, now)) {
      ended.add(LinkStep.of(Stage.TOO_LATE, giving.to));
      giving = null;
    }
    return List.copyOf(ended);
  }

  private static boolean isOf(Offered offer, RoomDevice from, ObjectNode content) {
    return offer.from().hasNameOf(from) && offer.id().equals(SealedJson.text(content, "id"));
  }
}
