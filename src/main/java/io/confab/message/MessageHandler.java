package io.confab.message;

import io.confab.bus.BusMessage;
import io.confab.feed.EventStore;
import io.confab.feed.VisibilityStore;
import io.confab.message.MessageCommand.CheckSend;
import io.confab.message.MessageCommand.HistoryPage;
import io.confab.message.MessageCommand.LogPage;
import io.confab.message.MessageCommand.MaySend;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.message.MessageCommand.ReadLog;
import io.confab.message.MessageCommand.ReadVersions;
import io.confab.message.MessageCommand.Versions;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.vertx.core.Future;
import java.util.function.Function;

/// Answers what clients ask about messages.
public final class MessageHandler {
  private final Function<ReadHistory, Future<HistoryPage>> history;
  private final Function<ReadLog, Future<LogPage>> log;
  private final Function<ReadVersions, Future<Versions>> versions;
  private final Function<CheckSend, Future<MaySend>> sendChecks;

  public MessageHandler(
      Function<ReadHistory, Future<HistoryPage>> history,
      Function<ReadLog, Future<LogPage>> log,
      Function<ReadVersions, Future<Versions>> versions,
      Function<CheckSend, Future<MaySend>> sendChecks) {
    this.history = history;
    this.log = log;
    this.versions = versions;
    this.sendChecks = sendChecks;
  }

  /// Reads from the database.
  ///
  /// @param typing how long those are gathered who ask whether they may send
  public static MessageHandler of(Database database, BatchedRead.Pace typing) {
    LogStore log = new LogStore(database, new EventStore(database), new VisibilityStore(database));
    return new MessageHandler(
        new HistoryStore(database)::read,
        log::read,
        new VersionStore(database)::read,
        new SendRightStore(database, typing)::check);
  }

  public Future<? extends BusMessage> handle(MessageCommand<?> command) {
    return switch (command) {
      case ReadHistory read -> history.apply(read);
      case ReadLog read -> log.apply(read);
      case ReadVersions read -> versions.apply(read);
      case CheckSend check -> sendChecks.apply(check);
    };
  }
}
