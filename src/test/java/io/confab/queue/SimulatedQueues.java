package io.confab.queue;

import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.confab.feed.Announcer;
import io.confab.feed.QueuedSend;
import io.confab.postgres.BatchedRead;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.Epoch;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.QueueCommand.AckQueue;
import io.confab.queue.QueueCommand.Acknowledged;
import io.confab.queue.QueueCommand.OpenQueue;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueCommand.ReadQueue;
import io.confab.queue.QueueCommand.RejectEnvelope;
import io.confab.queue.QueueStore.Ack;
import io.confab.queue.QueueStore.From;
import io.confab.queue.QueueStore.OpenedQueue;
import io.confab.queue.QueueStore.Page;
import io.confab.queue.QueueStore.Run;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/// What a node does for queues above tables and a time that are somebody else's models: it reads,
/// acknowledges, tells what arrived and wakes.
public final class SimulatedQueues {
  private final Tables tables;
  private final QueueReads reads;
  private final AckWriter acks;
  private final WakeWatch wakes;

  /// The tables as a node sees them, in words that other packages know.
  public interface Tables {
    /// Devices without keys are left out.
    Future<Map<Caller, Opened>> open(List<Caller> devices);

    /// Queues that ended are left out.
    Future<Map<Place, Part>> read(List<Place> places);

    /// Ends what is due.
    Future<Void> expire();

    /// @param waits whether it waits for queues that somebody else has locked
    Future<Stored> ack(Map<RegistrationId, UpTo> acks, boolean waits);

    Future<Boolean> reject(RejectEnvelope command);

    /// @param woken what was claimed before, and is done
    Future<Claimed> claim(SortedSet<RegistrationId> waiting, List<ToWake> woken);

    /// From whom each is to be hidden; those that nobody is told are left out.
    Future<Map<Arrived, Set<AccountId>>> audience(List<Arrived> runs);
  }

  /// A place from which a queue is read.
  public record Place(RegistrationId registration, QueueSeq after) {}

  /// @param stops whether it ends before something that is due
  public record Part(QueuePage page, boolean stops) {}

  /// All up to a number of an epoch.
  public record UpTo(QueueSeq seq, Epoch epoch) {}

  /// Messages of a room that a device of an account has acknowledged.
  public record Arrived(AccountId account, RoomId room, Seq from, Seq to) {}

  /// @param gone up to where each queue is acknowledged
  /// @param busy queues that somebody else has locked
  public record Stored(
      Epoch epoch,
      Map<RegistrationId, QueueSeq> gone,
      Set<RegistrationId> busy,
      Set<Arrived> arrived) {}

  /// A device to be woken.
  ///
  /// @param until when nobody else does, in milliseconds
  public record ToWake(RegistrationId registration, Caller device, long until) {}

  /// @param later queues to be asked for again, after so long
  public record Claimed(List<ToWake> due, Map<RegistrationId, Duration> later) {}

  /// @param after how long a queue may wait before its device is woken
  public SimulatedQueues(
      Tables tables, Announcer announcer, Duration after, Wakes wakes, LongSupplier nanoTime) {
    this.tables = tables;
    DeliveryTelling telling = new DeliveryTelling(this::audience, announcer);
    this.reads =
        new QueueReads(
            new QueueReads.Statements(this::open, this::read, tables::expire), (_, _) -> {});
    this.acks = new AckWriter(this::ack, telling::tell, BatchedRead.Pace.NONE);
    this.wakes = new WakeWatch(after, this::claim, wakes, nanoTime);
  }

  /// Why a send is refused.
  public static Refusal refusal(String outcome, List<PresentDevice> present) {
    return EnvelopeRefusal.of(outcome, 0, present);
  }

  public Future<? extends BusMessage> handle(QueueCommand<?> command) {
    return switch (command) {
      case OpenQueue(var device) -> reads.open(device);
      case ReadQueue(_, var registration, var after) -> reads.read(registration, after);
      case AckQueue(_, var registration, var upTo, var epoch) ->
          acks.ack(registration, new Ack(upTo, epoch)).map(Acknowledged::new);
      case RejectEnvelope reject -> tables.reject(reject).map(_ -> Done.DONE);
    };
  }

  /// These are in queues now.
  public void queued(List<QueuedSend> sends) {
    wakes.queued(sends);
  }

  /// These have waited for long, and nobody was woken.
  public void forgotten(List<RegistrationId> registrations) {
    wakes.forgotten(registrations);
  }

  /// To be called several times in the time after which devices are woken.
  public void tick() {
    wakes.tick();
  }

  private Future<WakeStore.Claimed> claim(
      Collection<RegistrationId> waiting, Collection<WakeStore.Wake> woken) {
    return tables
        .claim(new TreeSet<>(waiting), woken.stream().map(SimulatedQueues::toWake).toList())
        .map(
            claimed ->
                new WakeStore.Claimed(
                    claimed.due().stream().map(SimulatedQueues::wake).toList(), claimed.later()));
  }

  private static ToWake toWake(WakeStore.Wake wake) {
    return new ToWake(wake.registration(), wake.device(), wake.until().toInstant().toEpochMilli());
  }

  private static WakeStore.Wake wake(ToWake wake) {
    return new WakeStore.Wake(
        wake.registration(),
        wake.device(),
        Instant.ofEpochMilli(wake.until()).atOffset(ZoneOffset.UTC));
  }

  private Future<Map<Caller, OpenedQueue>> open(List<Caller> devices) {
    return tables.open(devices).map(opened -> values(opened, o -> new OpenedQueue(o, null)));
  }

  private Future<Map<From, Page>> read(List<From> places) {
    Map<Place, From> asked = new LinkedHashMap<>();
    places.forEach(from -> asked.put(new Place(from.registration(), from.after()), from));
    return tables
        .read(List.copyOf(asked.keySet()))
        .map(
            parts -> {
              Map<From, Page> pages = new HashMap<>();
              parts.forEach(
                  (place, part) ->
                      pages.put(
                          new From(place.registration(), place.after()),
                          new Page(part.page(), part.stops())));
              return pages;
            });
  }

  private Future<QueueStore.Acked> ack(SortedMap<RegistrationId, Ack> acks, boolean waits) {
    return tables
        .ack(values(acks, ack -> new UpTo(ack.upTo(), ack.epoch())), waits)
        .map(
            stored ->
                new QueueStore.Acked(
                    stored.epoch(),
                    stored.gone(),
                    stored.busy(),
                    stored.arrived().stream()
                        .map(a -> new Run(a.account(), a.room(), a.from(), a.to()))
                        .collect(Collectors.toSet())));
  }

  private Future<Map<Run, Set<AccountId>>> audience(List<Run> runs) {
    return tables
        .audience(
            runs.stream().map(r -> new Arrived(r.account(), r.room(), r.from(), r.to())).toList())
        .map(
            found -> {
              Map<Run, Set<AccountId>> hidden = new HashMap<>();
              found.forEach(
                  (a, from) -> hidden.put(new Run(a.account(), a.room(), a.from(), a.to()), from));
              return hidden;
            });
  }

  private static <K, V, W> Map<K, W> values(Map<K, V> of, Function<V, W> as) {
    Map<K, W> mapped = new LinkedHashMap<>();
    of.forEach((key, value) -> mapped.put(key, as.apply(value)));
    return mapped;
  }
}
