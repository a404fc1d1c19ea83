package io.confab.terminal;

import io.confab.client.OwnDevice;
import io.confab.protocol.DeviceId;
import io.confab.screen.Plain;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// What the devices of the account are called, as the server says, with their ids, which it cannot
/// change. For the thread of a chat, which does not wait for the server.
final class DeviceNames {
  private final Supplier<Future<List<OwnDevice>>> devices;
  private final ChatQueue queue;
  private final Map<DeviceId, String> known = new HashMap<>();

  /// @param devices of the account, which are asked for over HTTP
  DeviceNames(Supplier<Future<List<OwnDevice>>> devices, ChatQueue queue) {
    this.devices = devices;
    this.queue = queue;
  }

  /// Without a server.
  static DeviceNames none() {
    return new DeviceNames(() -> Future.succeededFuture(List.of()), new ChatQueue());
  }

  /// Safe to print; the id alone where no name is known.
  String of(DeviceId device) {
    return known.getOrDefault(device, Plain.line(device.value()));
  }

  /// Asks for the names of all.
  void read() {
    devices.get().onComplete(all -> queue.add(() -> keep(all)));
  }

  /// Runs a task once it is known what a device is called, or the server does not say it: now, or
  /// on the same thread later.
  void learn(DeviceId device, Runnable then) {
    if (known.containsKey(device)) {
      then.run();
      return;
    }
    devices
        .get()
        .onComplete(
            all ->
                queue.add(
                    () -> {
                      keep(all);
                      then.run();
                    }));
  }

  private void keep(AsyncResult<List<OwnDevice>> all) {
    if (all.succeeded()) {
      known.clear();
      for (OwnDevice one : all.result()) {
        known.put(
            one.deviceId(), Plain.line("%s (%s)".formatted(one.name(), one.deviceId().value())));
      }
    }
  }
}
