package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The comparisons by emoji that are under way, one with a device. They are in memory alone: who is
/// killed begins anew. A step that is not believed ends one, and so do ten minutes.
///
/// Where one ends as verified, [SealedDevice#release] answers the lines that waited for it.
public final class Comparisons {
  private static final int MOST = 8;
  private static final Duration LASTS = Duration.ofMinutes(10);

  private final SealedStore store;
  private final Partners partners;
  private final Pins pins;
  private final Sealing sealing;
  private final Inbox inbox;
  private final Map<RoomDevice, OpenComparison> open = new LinkedHashMap<>();

  Comparisons(SealedStore store, Partners partners, Pins pins, Sealing sealing, Inbox inbox) {
    this.store = store;
    this.partners = partners;
    this.pins = pins;
    this.sealing = sealing;
    this.inbox = inbox;
  }

  /// The device with which somebody's identity is compared: the newest that it signed. Of a changed
  /// identity that is a device of the new one. Empty also while this device is not signed.
  public Optional<RoomDevice> partner(AccountId account) {
    return store.transact(
        changes ->
            partners.own(changes).isPresent()
                ? partners.newest(changes, account)
                : Optional.empty());
  }

  /// Whether there is a session with a partner; if not, a key of it is to be claimed.
  public boolean canBegin(RoomDevice with) {
    return store.transact(changes -> partners.hasSession(changes, with));
  }

  /// Begins one with a partner; another one with it ends silently.
  public Comparison begin(RoomDevice with, Instant now) {
    return store.transact(
        changes -> {
          OpenComparison begun =
              OpenComparison.begin(
                  with,
                  partners.own(changes).orElseThrow(),
                  partners.other(changes, with).orElseThrow(),
                  UUID.randomUUID().toString(),
                  now);
          put(begun);
          return told(changes, begun, List.of(begun.start()), null);
        });
  }

  /// Takes a step of the other device, out of the inbox too; empty: it is a step of none.
  public Optional<Comparison> take(Note note, Instant now) {
    if (!note.type().startsWith(OpenComparison.STEP)) {
      return Optional.empty();
    }
    return store.transact(
        changes -> {
          inbox.done(changes, note);
          return partners
              .sender(changes, note)
              .flatMap(
                  with ->
                      note.type().equals(OpenComparison.START)
                          ? started(changes, with, note, now)
                          : stepped(changes, with, note));
        });
  }

  /// The person says whether both see the same; empty: there is nothing to compare.
  ///
  /// @param id is chosen by who begins: another device may have begun one with the same
  public Optional<Comparison> matches(RoomDevice with, String id, boolean same) {
    return store.transact(
        changes ->
            find(with, id)
                .filter(one -> one.stage() == Comparison.Stage.SHOWN)
                .map(
                    one ->
                        told(
                            changes,
                            one,
                            List.of(same ? one.confirm() : one.cancel(OpenComparison.DIFFERENT)),
                            null)));
  }

  /// The person does not go on; empty: there is none.
  public Optional<Comparison> cancel(RoomDevice with, String id) {
    return store.transact(
        changes ->
            find(with, id).map(one -> told(changes, one, List.of(one.cancel("m.user")), null)));
  }

  /// Ends those that take too long.
  public List<Comparison> endOverdue(Instant now) {
    return store.transact(
        changes ->
            List.copyOf(open.values()).stream()
                .filter(one -> !now.isBefore(one.since().plus(LASTS)))
                .map(one -> told(changes, one, List.of(one.cancel("m.timeout")), null))
                .toList());
  }

  void close() {
    open.values().forEach(OpenComparison::close);
    open.clear();
  }

  private Optional<Comparison> started(Changes changes, RoomDevice with, Note note, Instant now) {
    Optional<EmojiComparison.Party> own = partners.own(changes);
    Optional<EmojiComparison.Party> other = partners.other(changes, with);
    OpenComparison present = open.get(with);
    boolean first = present != null && present.isOffered() && !partners.yieldsTo(changes, with);
    boolean full = present == null && open.size() == MOST;
    if (own.isEmpty() || other.isEmpty() || first || full) {
      return Optional.empty();
    }
    try {
      OpenComparison answered =
          OpenComparison.answer(with, own.get(), other.get(), note.content(), now);
      put(answered);
      return Optional.of(told(changes, answered, List.of(answered.accept()), null));
    } catch (Untrusted _) {
      return Optional.empty();
    }
  }

  private Optional<Comparison> stepped(Changes changes, RoomDevice with, Note note) {
    return Optional.ofNullable(open.get(with))
        .filter(one -> note.content().path("transaction_id").asText().equals(one.id()))
        .map(one -> stepped(changes, one, new OpenComparison.Step(note.type(), note.content())));
  }

  private Comparison stepped(Changes changes, OpenComparison one, OpenComparison.Step step) {
    try {
      return told(changes, one, one.take(step).stream().toList(), null);
    } catch (Untrusted e) {
      return told(changes, one, List.of(one.cancel("m.unexpected_message")), e.doubt());
    }
  }

  private Comparison told(
      Changes changes, OpenComparison one, List<OpenComparison.Step> steps, @Nullable Doubt why) {
    Comparison.Stage stage = one.stage();
    Doubt doubt = one.differs() ? Doubt.DIFFERENT : why;
    List<String> emojis = one.emojis();
    if (stage == Comparison.Stage.VERIFIED
        && !pins.verified(changes, one.with().accountId(), one.master())) {
      // The server told of yet another identity while they compared.
      doubt = Doubt.CHANGED_IDENTITY;
      stage = Comparison.Stage.ENDED;
    }
    if (stage == Comparison.Stage.VERIFIED || stage == Comparison.Stage.ENDED) {
      open.remove(one.with(), one);
      one.close();
    }
    List<LetterTo> letters =
        steps.stream()
            .map(step -> sealing.letter(changes, one.with(), step.type(), step.content()))
            .toList();
    return new Comparison(one.id(), one.with(), stage, emojis, letters, doubt);
  }

  private Optional<OpenComparison> find(RoomDevice with, String id) {
    return Optional.ofNullable(open.get(with)).filter(one -> one.id().equals(id));
  }

  private void put(OpenComparison begun) {
    OpenComparison before = open.put(begun.with(), begun);
    if (before != null) {
      before.close();
    }
  }
}
