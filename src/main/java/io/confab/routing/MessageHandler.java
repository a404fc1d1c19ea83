package io.confab.routing;

import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Lane;
import io.confab.message.AppendCommand;
import io.confab.message.AppendCommand.Append;
import io.confab.message.MessageCommand;
import io.confab.message.MessageCommand.HistoryPage;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.message.MessageCommand.Send;
import io.vertx.core.Future;
import java.util.function.Function;

/// What clients ask about messages: sends go to the writer of their room, reads to the history.
public final class MessageHandler {
  private final Bus bus;
  private final Function<ReadHistory, Future<HistoryPage>> history;

  public MessageHandler(Bus bus, Function<ReadHistory, Future<HistoryPage>> history) {
    this.bus = bus;
    this.history = history;
  }

  public Future<? extends BusMessage> handle(MessageCommand<?> command) {
    return switch (command) {
      case Send send ->
          bus.request(
              AppendCommand.ADDRESS,
              Lane.of(send.draft().roomId().value()),
              new Append(send.draft()));
      case ReadHistory read -> history.apply(read);
    };
  }
}
