package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.Mention;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.WireName;
import io.vertx.sqlclient.Row;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Makes messages from rows that have the columns of the table `message`.
public final class MessageColumns {
  private MessageColumns() {}

  public static Message message(Row row) {
    return new Message(
        new RoomId(row.getLong("room_id")),
        new Seq(row.getLong("seq")),
        new Rev(row.getLong("rev")),
        optional(row, "changed_rev", Rev::new),
        new AccountId(row.getLong("sender_id")),
        new ClientId(row.getString("client_id")),
        WireName.of(MessageType.class, row.getString("msg_type")),
        row.getString("body"),
        optional(row, "reply_to", Seq::new),
        row.getString("topic"),
        mentions(row.getArrayOfLongs("mentions")),
        row.getOffsetDateTime("ts").toInstant().toEpochMilli(),
        time(row, "edited_at"),
        time(row, "deleted_at"),
        optional(row, "deleted_by", AccountId::new));
  }

  private static @Nullable List<Mention> mentions(Long @Nullable [] codes) {
    return codes == null ? null : Arrays.stream(codes).map(Mention::new).toList();
  }

  private static <T> @Nullable T optional(Row row, String column, LongFunction<T> make) {
    Long value = row.getLong(column);
    return value == null ? null : make.apply(value);
  }

  private static @Nullable Long time(Row row, String column) {
    OffsetDateTime time = row.getOffsetDateTime(column);
    return time == null ? null : time.toInstant().toEpochMilli();
  }
}
