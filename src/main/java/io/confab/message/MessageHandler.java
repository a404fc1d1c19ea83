package io.confab.message;

import io.confab.bus.BusMessage;
import io.confab.bus.Lane;
import io.confab.bus.Requests;
import io.confab.message.AppendCommand.Append;
import io.confab.message.MessageCommand.Change;
import io.confab.message.MessageCommand.HistoryPage;
import io.confab.message.MessageCommand.LogPage;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.message.MessageCommand.ReadLog;
import io.confab.message.MessageCommand.ReadVersions;
import io.confab.message.MessageCommand.Send;
import io.confab.message.MessageCommand.Versions;
import io.confab.metrics.Meters;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.function.Function;

/// What clients ask about messages: sends and changes go to the writer of their room, reads to
/// the history.
public final class MessageHandler {
  private final Requests bus;
  private final Function<ReadHistory, Future<HistoryPage>> history;
  private final Function<ReadLog, Future<LogPage>> log;
  private final Function<ReadVersions, Future<Versions>> versions;
  private final Meters meters;

  public MessageHandler(
      Requests bus,
      Function<ReadHistory, Future<HistoryPage>> history,
      Function<ReadLog, Future<LogPage>> log,
      Function<ReadVersions, Future<Versions>> versions,
      Meters meters) {
    this.bus = bus;
    this.history = history;
    this.log = log;
    this.versions = versions;
    this.meters = meters;
  }

  public Future<? extends BusMessage> handle(MessageCommand<?> command) {
    return switch (command) {
      case Send send -> send(send.draft());
      case Change change -> change(change.change());
      case ReadHistory read -> history.apply(read);
      case ReadLog read -> log.apply(read);
      case ReadVersions read -> versions.apply(read);
    };
  }

  private Future<Sent> send(Draft draft) {
    return bus.request(AppendCommand.ADDRESS, Lane.of(draft.roomId().value()), new Append(draft))
        .onSuccess(sent -> meters.sendAcknowledged(sent.duplicate()))
        .onFailure(this::refused);
  }

  private Future<Changed> change(MessageChange change) {
    return bus.request(
            AppendCommand.ADDRESS,
            Lane.of(change.roomId().value()),
            new AppendCommand.Change(change))
        .onSuccess(_ -> meters.changeAcknowledged())
        .onFailure(failure -> meters.changeRefused(code(failure)));
  }

  private void refused(Throwable failure) {
    meters.sendRefused(code(failure));
  }

  private static ErrorCode code(Throwable failure) {
    return failure instanceof Refusal refusal ? refusal.code() : ErrorCode.INTERNAL;
  }
}
