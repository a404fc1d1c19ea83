package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.client.sealed.LinkStep.Stage;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Links a new device to an old one of the account by a code that the new one shows and a person
/// types on the old one, and moves to it what the old one has.
///
/// ```
/// new                      old
///   start ──────────────────▶        a share, made with the code
///                            the person types the code
///         ◀────────────────── accept   a share, and a proof of the code
///   proof ──────────────────▶
///                            the person says yes
///         ◀────────────────── piece, piece, … end
///     got ──────────────────▶        so that no more waits than a queue takes
/// ```
///
/// The first pieces give the identity, and the others wait until the new device has said that the
/// server has its signature: what is said from then on is sealed for it too.
///
/// Each code is good for one answer, and for ten minutes. Up to the pieces all of it is in memory
/// alone, so who is killed begins anew; from then on the new device goes on where it was, and the
/// old one does not.
public final class Links {
  /// So many wrong codes may be typed in ten minutes.
  static final int TRIES = 3;

  private final SealedStore store;
  private final DeviceAccount own;
  private final Partners partners;
  private final Inbox inbox;
  private final LinkAsking asking;
  private final LinkGiving giving;

  Links(
      SealedStore store,
      DeviceAccount own,
      Partners partners,
      Inbox inbox,
      LinkAsking asking,
      LinkGiving giving) {
    this.store = store;
    this.own = own;
    this.partners = partners;
    this.inbox = inbox;
    this.asking = asking;
    this.giving = giving;
  }

  /// Whether a device said something about linking.
  public static boolean isStep(Note note) {
    return note.type().startsWith(LinkLetters.STEP);
  }

  /// The other devices of the account that its identity signed: one of them is to have the code.
  public List<RoomDevice> others() {
    return store.transact(partners::ownOthers);
  }

  /// Whether there is a session with a device; if not, a key of it is to be claimed.
  public boolean canAsk(RoomDevice with) {
    return store.transact(changes -> partners.hasSession(changes, with));
  }

  /// @param letters what is to be sent
  public record Offer(LinkCode code, List<LetterTo> letters) {}

  /// Asks other devices with a code; what was asked before is over.
  ///
  /// @param others with which there are sessions
  public Offer offer(List<RoomDevice> others, Instant now) {
    return store.transact(changes -> asking.offer(changes, others, now));
  }

  /// The person typed the code that a device shows which asked; empty: none did, or it [#isLocked].
  /// Of several that asked it is the one that can answer.
  public Optional<LinkStep> type(LinkCode code, Instant now) {
    return store.transact(changes -> giving.type(changes, code, now));
  }

  /// Whether so many wrong codes were typed that none is taken for a while.
  public boolean isLocked(Instant now) {
    return giving.isLocked(now);
  }

  /// The person says whether the device that has the code is to get everything; empty: none has.
  public Optional<LinkStep> decide(boolean yes, Instant now) {
    return store.transact(changes -> giving.decide(changes, yes, now));
  }

  /// The next piece for the new device; empty: it is first to say what it has, or all was given.
  public Optional<LetterTo> next() {
    return store.transact(giving::next);
  }

  /// A piece could not be sent, so nothing behind it is, which the new device is told; empty:
  /// nothing is given.
  public Optional<LinkStep> stop() {
    return store.transact(giving::stop);
  }

  /// Takes what a device said, out of the inbox too; empty: it is nothing to know.
  public Optional<LinkStep> take(Note note, Instant now) {
    return store.transact(
        changes -> {
          inbox.done(changes, note);
          DeviceIdentity me = own.identity(changes);
          boolean mine =
              note.senderId().equals(me.account()) && !note.senderDeviceId().equals(me.device());
          return mine
              ? partners.sender(changes, note).flatMap(from -> step(changes, note, from, now))
              : Optional.empty();
        });
  }

  /// Whether something was coming to this device when the program ended.
  public boolean isExpecting() {
    return store.transact(asking::expected).isPresent();
  }

  /// Goes on with what was coming when the program ended: says how far it is; empty: nothing was,
  /// or the old device is there no more.
  public Optional<LetterTo> resume(Instant now) {
    return store.transact(
        changes ->
            asking
                .expected(changes)
                .flatMap(
                    kept ->
                        partners
                            .listed(changes, kept.old())
                            .map(old -> asking.resume(changes, kept, old, now))));
  }

  /// The server has the word that all came; until then [#isExpecting].
  public void told() {
    store.change(asking::told);
  }

  /// What is to be sent of which there is nothing to know; each once.
  public List<LetterTo> answers() {
    return asking.answers();
  }

  private Optional<LinkStep> step(Changes changes, Note note, RoomDevice from, Instant now) {
    return partners
        .identity(changes, from)
        .flatMap(
            identity -> {
              try {
                return step(changes, note, from, identity, now);
              } catch (Untrusted _) {
                return Optional.empty();
              }
            });
  }

  private Optional<LinkStep> step(
      Changes changes, Note note, RoomDevice from, DeviceIdentity identity, Instant now) {
    ObjectNode content = note.content();
    return switch (note.type()) {
      case LinkLetters.START -> giving.started(changes, note, from, identity, now);
      case LinkLetters.ACCEPT -> asking.accepted(changes, from, content, now);
      case LinkLetters.PROOF -> giving.proven(changes, from, content, now);
      case LinkLetters.PIECE -> asking.piece(changes, from, identity, content, now);
      case LinkLetters.GOT -> giving.got(from, content, now);
      case LinkLetters.CANCEL -> cancelled(changes, from, identity, content, now);
      default -> Optional.empty();
    };
  }

  private Optional<LinkStep> cancelled(
      Changes changes, RoomDevice from, DeviceIdentity identity, ObjectNode content, Instant now) {
    boolean isWrong = content.path("code").asText().equals(LinkLetters.WRONG);
    Stage stage = isWrong ? Stage.WRONG_CODE : Stage.LEFT;
    if (giving.cancelled(from, content, now)) {
      return Optional.of(LinkStep.onOld(stage, from));
    }
    return asking.cancelled(changes, identity, SealedJson.text(content, "id"))
        ? Optional.of(LinkStep.onNew(stage, from))
        : Optional.empty();
  }

  /// The letters of [#offer] could not be sent: nobody has the code to type.
  public void unask() {
    asking.unask();
  }

  /// When something is over unless the other device says something; empty: it is to say nothing.
  public Optional<Instant> nextEnd() {
    return Stream.concat(asking.ends(), giving.ends()).min(Comparator.naturalOrder());
  }

  /// Ends what takes too long.
  public List<LinkStep> endOverdue(Instant now) {
    return store.transact(
        changes ->
            Stream.concat(asking.endOverdue(changes, now).stream(), giving.endOverdue(now).stream())
                .toList());
  }
}
