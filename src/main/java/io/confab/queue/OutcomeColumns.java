package io.confab.queue;

import io.confab.feed.Event;
import io.confab.feed.QueuedSend;
import io.confab.feed.QueuedSend.Place;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Envelope;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.FullDevice;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The answer of `append_envelopes`, which is one row of columns.
final class OutcomeColumns {
  private final Row row;
  private final String[] outcomes;
  private final @Nullable Long[] seqs;
  private final @Nullable Long[] revs;
  private final @Nullable Long[] times;
  private final @Nullable Long[] waits;
  private final Long[] numbers;
  private final @Nullable Long[] untils;

  private OutcomeColumns(Row row) {
    this.row = row;
    this.outcomes = row.getArrayOfStrings("outcomes");
    this.seqs = row.getArrayOfLongs("seqs");
    this.revs = row.getArrayOfLongs("revs");
    this.times = row.getArrayOfLongs("times");
    this.waits = row.getArrayOfLongs("waits");
    this.numbers = row.getArrayOfLongs("numbers");
    this.untils = row.getArrayOfLongs("until");
  }

  static OutcomeColumns of(Row row) {
    return new OutcomeColumns(row);
  }

  private record Target(long account, long registration, long seq, boolean first) {}

  List<EnvelopeOutcome> outcomes(List<EnvelopeDraft> group, EnvelopeColumns columns, Epoch epoch) {
    Map<Integer, List<Target>> targets = targets();
    Map<Integer, List<FullDevice>> full = full();
    Map<Integer, List<PresentDevice>> present = present();
    List<EnvelopeOutcome> answers = new ArrayList<>(group.size());
    for (int i = 0; i < group.size(); i++) {
      EnvelopeDraft draft = group.get(i);
      answers.add(
          switch (outcomes[i]) {
            case "stored" ->
                stored(i, draft, epoch, targets.getOrDefault(i + 1, List.of()), full.get(i + 1));
            case "duplicate" -> new EnvelopeOutcome.Duplicate(sent(i, draft, true, null));
            default ->
                new EnvelopeOutcome.Refused(
                    EnvelopeRefusal.of(
                        outcomes[i],
                        number(waits[i]),
                        present.getOrDefault(columns.slot(i), List.of())));
          });
    }
    return answers;
  }

  private EnvelopeSent sent(
      int i, EnvelopeDraft draft, boolean duplicate, @Nullable List<FullDevice> full) {
    return new EnvelopeSent(
        draft.roomId(), draft.clientId(), seq(i), number(times[i]), duplicate, full);
  }

  private EnvelopeOutcome stored(
      int i,
      EnvelopeDraft draft,
      Epoch epoch,
      List<Target> targets,
      @Nullable List<FullDevice> full) {
    RoomId room = draft.roomId();
    Seq seq = seq(i);
    AccountId sender = draft.sender().account();
    Event event =
        room == null || seq == null
            ? null
            : Event.sealed(
                new EventFrames.Stamp(
                    room, new Rev(number(revs[i])), epoch, sender, number(times[i])),
                seq);
    return new EnvelopeOutcome.Stored(
        sent(i, draft, false, full), event, queued(i, draft, epoch, targets));
  }

  /// One that is for no device is told of too: it has a number.
  private List<QueuedSend> queued(int i, EnvelopeDraft draft, Epoch epoch, List<Target> targets) {
    if (targets.isEmpty()) {
      return draft.roomId() == null
          ? List.of()
          : List.of(
              new QueuedSend(draft.roomId(), null, epoch, numbers[i], new byte[0], List.of()));
    }
    byte[] tail =
        EnvelopeFrames.tail(
            new Envelope(
                draft.roomId(),
                seq(i),
                draft.sender().account(),
                draft.sender().device(),
                draft.clientId(),
                number(times[i]),
                draft.payload(),
                untils[i]),
            epoch);
    Map<Long, String> bodies = new HashMap<>();
    draft.bodies().forEach(body -> bodies.put(body.registrationId().value(), body.body()));
    Map<Long, List<Place>> byChannel = new TreeMap<>();
    for (Target target : targets) {
      byChannel
          .computeIfAbsent(draft.roomId() == null ? target.account() : 0L, _ -> new ArrayList<>())
          .add(
              new Place(
                  new RegistrationId(target.registration()),
                  new QueueSeq(target.seq()),
                  target.first(),
                  bodies.get(target.registration())));
    }
    return byChannel.entrySet().stream()
        .map(
            channel ->
                new QueuedSend(
                    draft.roomId(),
                    draft.roomId() == null ? new AccountId(channel.getKey()) : null,
                    epoch,
                    draft.roomId() == null ? 0 : numbers[i],
                    tail,
                    channel.getValue()))
        .toList();
  }

  private @Nullable Seq seq(int i) {
    Long seq = seqs[i];
    return seq == null ? null : new Seq(seq);
  }

  private Map<Integer, List<Target>> targets() {
    Integer @Nullable [] sends = row.getArrayOfIntegers("target_sends");
    Map<Integer, List<Target>> found = new HashMap<>();
    if (sends != null) {
      Long[] accounts = row.getArrayOfLongs("target_accounts");
      Long[] registrations = row.getArrayOfLongs("target_registrations");
      Long[] places = row.getArrayOfLongs("target_seqs");
      Boolean[] firsts = row.getArrayOfBooleans("target_firsts");
      for (int t = 0; t < sends.length; t++) {
        found
            .computeIfAbsent(sends[t], _ -> new ArrayList<>())
            .add(new Target(accounts[t], registrations[t], places[t], firsts[t]));
      }
    }
    return found;
  }

  private Map<Integer, List<FullDevice>> full() {
    Integer @Nullable [] sends = row.getArrayOfIntegers("full_sends");
    Map<Integer, List<FullDevice>> found = new HashMap<>();
    if (sends != null) {
      Long[] accounts = row.getArrayOfLongs("full_accounts");
      String[] devices = row.getArrayOfStrings("full_devices");
      for (int f = 0; f < sends.length; f++) {
        found
            .computeIfAbsent(sends[f], _ -> new ArrayList<>())
            .add(new FullDevice(new AccountId(accounts[f]), new DeviceId(devices[f])));
      }
    }
    return found;
  }

  private Map<Integer, List<PresentDevice>> present() {
    Integer @Nullable [] slots = row.getArrayOfIntegers("present_slots");
    Map<Integer, List<PresentDevice>> found = new HashMap<>();
    if (slots != null) {
      Long[] accounts = row.getArrayOfLongs("present_accounts");
      String[] devices = row.getArrayOfStrings("present_devices");
      Long[] registrations = row.getArrayOfLongs("present_registrations");
      for (int p = 0; p < slots.length; p++) {
        found
            .computeIfAbsent(slots[p], _ -> new ArrayList<>())
            .add(
                new PresentDevice(
                    new AccountId(accounts[p]),
                    new DeviceId(devices[p]),
                    new RegistrationId(registrations[p])));
      }
    }
    return found;
  }

  private static long number(@Nullable Long value) {
    return value == null ? 0 : value;
  }
}
