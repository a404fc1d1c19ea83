package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.Mention;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.WireName;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Makes messages from rows that have the columns of the table `message`. A row finds a column by
/// its name only by comparing all names before it, so pages ask where they stand once.
public final class MessageColumns {
  private static final String SEALED = "sealed";

  private final int roomId;
  private final int seq;
  private final int rev;
  private final int changedRev;
  private final int senderId;
  private final int clientId;
  private final int type;
  private final int body;
  private final int replyTo;
  private final int topic;
  private final int mentions;
  private final int ts;
  private final int editedAt;
  private final int deletedAt;
  private final int deletedBy;

  private MessageColumns(ToIntFunction<String> indexOf) {
    roomId = indexOf.applyAsInt("room_id");
    seq = indexOf.applyAsInt("seq");
    rev = indexOf.applyAsInt("rev");
    changedRev = indexOf.applyAsInt("changed_rev");
    senderId = indexOf.applyAsInt("sender_id");
    clientId = indexOf.applyAsInt("client_id");
    type = indexOf.applyAsInt("msg_type");
    body = indexOf.applyAsInt("body");
    replyTo = indexOf.applyAsInt("reply_to");
    topic = indexOf.applyAsInt("topic");
    mentions = indexOf.applyAsInt("mentions");
    ts = indexOf.applyAsInt("ts");
    editedAt = indexOf.applyAsInt("edited_at");
    deletedAt = indexOf.applyAsInt("deleted_at");
    deletedBy = indexOf.applyAsInt("deleted_by");
  }

  /// Where the columns stand in these rows.
  public static MessageColumns of(RowSet<Row> rows) {
    return new MessageColumns(rows.columnsNames()::indexOf);
  }

  /// The message of a row that comes alone.
  public static Message message(Row row) {
    return new MessageColumns(row::getColumnIndex).read(row);
  }

  /// Whether a row has a message at all: an outer join has none for no match.
  public boolean isIn(Row row) {
    return row.getLong(seq) != null;
  }

  /// What is told of one of these rows: the message, or only that there is one, where none but the
  /// devices of members can read it.
  Event event(Row row, Epoch epoch) {
    return SEALED.equals(row.getString(type)) ? sealed(row, epoch) : Event.of(read(row), epoch);
  }

  /// That there is a message which only the devices of members can read.
  public static Event sealed(Row row, Epoch epoch) {
    return Event.sealed(
        new EventFrames.Stamp(
            new RoomId(row.getLong("room_id")),
            new Rev(row.getLong("rev")),
            epoch,
            new AccountId(row.getLong("sender_id")),
            row.getOffsetDateTime("ts").toInstant().toEpochMilli()),
        new Seq(row.getLong("seq")));
  }

  /// The message of one of these rows.
  public Message read(Row row) {
    return new Message(
        new RoomId(row.getLong(roomId)),
        new Seq(row.getLong(seq)),
        new Rev(row.getLong(rev)),
        optional(row, changedRev, Rev::new),
        new AccountId(row.getLong(senderId)),
        new ClientId(row.getString(clientId)),
        WireName.of(MessageType.class, row.getString(type)),
        row.getString(body),
        optional(row, replyTo, Seq::new),
        row.getString(topic),
        mentions(row.getArrayOfLongs(mentions)),
        row.getOffsetDateTime(ts).toInstant().toEpochMilli(),
        time(row, editedAt),
        time(row, deletedAt),
        optional(row, deletedBy, AccountId::new));
  }

  private static @Nullable List<Mention> mentions(Long @Nullable [] codes) {
    return codes == null ? null : Arrays.stream(codes).map(Mention::new).toList();
  }

  private static <T> @Nullable T optional(Row row, int column, LongFunction<T> make) {
    Long value = row.getLong(column);
    return value == null ? null : make.apply(value);
  }

  private static @Nullable Long time(Row row, int column) {
    OffsetDateTime time = row.getOffsetDateTime(column);
    return time == null ? null : time.toInstant().toEpochMilli();
  }
}
