package io.confab.client.sealedroom;

import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.Note;
import io.confab.client.sealed.Opened;
import io.confab.client.sealed.SealedDevice;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Warning;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/// Tells the listener what the device found.
final class Tellings {
  private final SealedListener listener;
  private final DeviceThread device;

  Tellings(SealedListener listener, DeviceThread device) {
    this.listener = listener;
    this.device = device;
  }

  /// What waited for somebody to be verified is shown.
  void compared(Comparison step) {
    listener.compared(step);
    if (step.stage() == Comparison.Stage.VERIFIED) {
      AccountId with = step.with().accountId();
      device.ask(own -> own.release(with)).onSuccess(lines -> believed(with, lines));
    }
  }

  /// The person believes somebody's keys, and what waited for that is shown.
  Future<Void> accept(AccountId account) {
    return device
        .ask(own -> own.accept(account))
        .onSuccess(lines -> believed(account, lines))
        .mapEmpty();
  }

  private void believed(AccountId account, List<SealedLine> lines) {
    listener.believed(account);
    released(lines);
  }

  void learned(SealedDevice.Learned learned) {
    learned.warnings().forEach(listener::warned);
    released(learned.shown());
  }

  void released(List<SealedLine> lines) {
    if (!lines.isEmpty()) {
      listener.released(lines);
    }
  }

  void gone(List<SealedLine> lines) {
    lines.forEach(line -> listener.gone(line.roomId(), line.seq()));
  }

  /// @param notes takes what devices say to each other
  void opened(List<Opened> page, Consumer<Note> notes) {
    page.forEach(one -> opened(one, notes));
  }

  private void opened(Opened one, Consumer<Note> notes) {
    switch (one) {
      case Opened.Shown shown -> listener.shown(shown.line());
      case Opened.Held held ->
          listener.warned(
              new Warning(held.line().senderId(), held.line().senderDeviceId(), held.doubt()));
      case Opened.Dropped dropped ->
          listener.warned(
              new Warning(dropped.senderId(), dropped.senderDeviceId(), dropped.doubt()));
      case Opened.Noted noted -> notes.accept(noted.note());
      case Opened.Taken _, Opened.Past _, Opened.Ahead _ -> {}
    }
  }
}
