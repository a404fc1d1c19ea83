package io.confab.queue;

import io.confab.postgres.BatchedRead;
import io.confab.protocol.Caller;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueStore.From;
import io.confab.queue.QueueStore.OpenedQueue;
import io.confab.queue.QueueStore.Page;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Opens and reads queues, those of devices that ask at the same time in one statement. For any
/// thread.
final class QueueReads {
  /// Questions that may wait, 100 bytes each: 2 MB.
  private static final int MOST_WAITING = 20_000;

  /// Devices of a statement.
  static final int AT_ONCE = 50;

  /// About as much as a socket takes at a time.
  static final long PAGE_BYTES = 64_000;

  /// The statements.
  ///
  /// @param open as of [QueueStore#open]
  /// @param read as of [QueueStore#read], for pages of usual size
  /// @param expire ends what is due
  record Statements(
      Function<List<Caller>, Future<Map<Caller, OpenedQueue>>> open,
      Function<List<From>, Future<Map<From, Page>>> read,
      Supplier<Future<Void>> expire) {}

  private static final Object EVERYTHING = new Object();

  /// Of all that find something due at the same time one ends it.
  private final Supplier<Future<Void>> expire;
  private final BiConsumer<Caller, Long> back;
  private final BatchedRead<Caller, Map<Caller, OpenedQueue>> openings;
  private final BatchedRead<From, Map<From, Page>> pages;

  /// @param back hears of each device that was dormant, with the version of its account's devices
  QueueReads(Statements statements, BiConsumer<Caller, Long> back) {
    BatchedRead<Object, Void> ending =
        new BatchedRead<>(MOST_WAITING, _ -> statements.expire().get());
    this.expire = () -> ending.read(List.of(EVERYTHING));
    this.back = back;
    this.openings = new BatchedRead<>(MOST_WAITING, AT_ONCE, devices -> open(statements, devices));
    this.pages = new BatchedRead<>(MOST_WAITING, AT_ONCE, statements.read());
  }

  private Future<Map<Caller, OpenedQueue>> open(Statements statements, List<Caller> devices) {
    return statements.open().apply(devices).onSuccess(this::tellBack);
  }

  /// Whoever brought an account's devices a new version is told once.
  private void tellBack(Map<Caller, OpenedQueue> opened) {
    Set<Long> told = new HashSet<>();
    opened.forEach(
        (device, queue) -> {
          Long version = queue.version();
          if (version != null && told.add(device.account().value())) {
            back.accept(device, version);
          }
        });
  }

  /// Refusal: as of [QueueCommand.OpenQueue].
  Future<Opened> open(Caller device) {
    return openings
        .read(List.of(device))
        .map(
            opened -> {
              OpenedQueue queue = opened.get(device);
              if (queue == null) {
                throw new Refusal(ErrorCode.CONFLICT, "this device has no keys");
              }
              return queue.opened();
            });
  }

  /// Refusals: as of [QueueCommand.ReadQueue].
  Future<QueuePage> read(RegistrationId registration, QueueSeq after) {
    From place = new From(registration, after);
    return page(place)
        .compose(
            page ->
                page.stops() && page.page().envelopes().isEmpty()
                    ? expire.get().compose(_ -> page(place))
                    : Future.succeededFuture(page))
        .map(Page::page);
  }

  private Future<Page> page(From place) {
    return pages
        .read(List.of(place))
        .map(
            found -> {
              if (!found.containsKey(place)) {
                throw new Refusal(ErrorCode.NOT_FOUND, "the device was removed");
              }
              return Objects.requireNonNull(found.get(place));
            });
  }
}
