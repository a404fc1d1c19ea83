package io.confab.terminal;

import io.confab.client.ChatMessage;
import io.confab.client.RoomUpdate;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.AccountId;
import io.confab.screen.Plain;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Turns messages and updates of a room into lines that are safe to print, with a heading for each
/// day.
final class Transcript {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEEE, d MMMM yyyy", Locale.ENGLISH);
  private static final String INDENT = "    ";
  private static final String NOT_SEALED = "⚠ not sealed: ";

  private final ZoneId zone;
  private final AccountId self;
  private final Function<AccountId, String> names;
  private final Receipts receipts;
  private @Nullable LocalDate day;
  private @Nullable RoomSeal seal;

  /// @param self whose messages are marked, and who is mentioned
  /// @param receipts what became of them
  Transcript(ZoneId zone, AccountId self, Function<AccountId, String> names, Receipts receipts) {
    this.zone = zone;
    this.self = self;
    this.names = names;
    this.receipts = receipts;
  }

  /// How the room is sealed; null: it is not.
  void sealed(@Nullable RoomSeal now) {
    seal = now;
  }

  /// Another room begins: the day is headed again.
  void beginAnew() {
    day = null;
  }

  /// A message that was there before, with what has become of it.
  List<String> message(ChatMessage message) {
    return message(message, receipts.of(message.roomId(), message.seq()));
  }

  private List<String> message(ChatMessage message, Receipts.State state) {
    List<String> lines = headed(message.ts());
    String body = message.body();
    String head =
        "%s #%s %s%s: "
            .formatted(
                time(message.ts()),
                message.seq(),
                unsealed(message) + mark(message, state),
                name(message.senderId()));
    if (message.isDeleted() || body == null) {
      lines.add(head + "(deleted)");
      return lines;
    }
    List<String> said = Plain.lines(body);
    lines.add(
        head
            + prefix(message)
            + said.getFirst()
            + (message.editedAt() == null ? "" : " (edited)")
            + read(message, state));
    said.stream().skip(1).forEach(line -> lines.add(INDENT + line));
    return lines;
  }

  /// A line that a device opened, with what has become of it.
  List<String> line(SealedLine line) {
    List<String> lines = headed(line.ts());
    Receipts.State state = receipts.ofSealed(line.roomId(), line.seq());
    boolean own = isSelf(line.senderId());
    List<String> said = Plain.lines(line.text());
    lines.add(
        "%s #%s 🔒 %s%s: %s%s"
            .formatted(
                time(line.ts()),
                line.seq(),
                own ? state.ticks() + " " : "",
                name(line.senderId()),
                said.getFirst(),
                own && state == Receipts.State.READ ? " (read)" : ""));
    said.stream().skip(1).forEach(rest -> lines.add(INDENT + rest));
    return lines;
  }

  /// Anybody at the server may have written what is plain in a sealed room.
  private String unsealed(ChatMessage message) {
    return seal != null && seal.covers(message.seq()) ? NOT_SEALED : "";
  }

  private String mark(ChatMessage message, Receipts.State state) {
    if (isOwn(message)) {
      return state.ticks() + " ";
    }
    return News.mentions(message, self) ? "@ " : "";
  }

  private String read(ChatMessage message, Receipts.State state) {
    return isOwn(message) && state == Receipts.State.READ ? " (read)" : "";
  }

  boolean isOwn(ChatMessage message) {
    return isSelf(message.senderId());
  }

  boolean isSelf(AccountId account) {
    return account.equals(self);
  }

  private static String prefix(ChatMessage message) {
    String reply = message.replyTo() == null ? "" : "↪ #" + message.replyTo() + " ";
    String topic = message.topic();
    return reply + (topic == null ? "" : "[" + Plain.line(topic) + "] ");
  }

  /// The lines of an update, but not those of a page of messages.
  List<String> update(RoomUpdate update) {
    return switch (update) {
      case RoomUpdate.Said said -> message(said.message(), Receipts.State.SENT);
      case RoomUpdate.Edited edited -> edited(edited.message());
      case RoomUpdate.Deleted deleted ->
          note(deleted.change(), name(deleted.deletedBy()) + " deleted message #" + deleted.seq());
      case RoomUpdate.MemberJoined joined ->
          note(joined.change(), name(joined.accountId()) + " joined");
      case RoomUpdate.MemberLeft left ->
          note(left.change(), name(left.accountId()) + " " + leaving(left.reason()));
      case RoomUpdate.MembersChanged many ->
          note(many.change(), "%d joined, %d left".formatted(many.joined(), many.left()));
      case RoomUpdate.Archived archived ->
          note(archived.change(), "the room was archived and takes no more messages");
      case RoomUpdate.RoomSealed sealed ->
          note(
              sealed.change(),
              name(sealed.change().actorId())
                  + " sealed this room, for ever: what is said from here on is for its members"
                  + " alone");
      case RoomUpdate.ExpirySet set ->
          note(
              set.change(),
              set.expiresInS() == 0
                  ? "what is said from here on stays"
                  : "what is said from here on goes "
                      + Spans.text(set.expiresInS())
                      + " after it was read; whoever is away for longer misses it");
      case RoomUpdate.Sealed _, RoomUpdate.Other _, RoomUpdate.Reset _ -> List.of();
    };
  }

  private List<String> edited(ChatMessage message) {
    Long at = message.editedAt();
    List<String> lines = headed(at == null ? message.ts() : at);
    String body = message.body();
    lines.add(
        "%s * %s%s edited #%s: %s"
            .formatted(
                time(at == null ? message.ts() : at),
                seal == null ? "" : NOT_SEALED, // nothing is edited there, whatever its number
                name(message.senderId()),
                message.seq(),
                body == null ? "(deleted)" : Plain.line(body)));
    return lines;
  }

  private static String leaving(String reason) {
    return switch (reason) {
      case "left" -> "left";
      case "removed" -> "was removed";
      case "banned" -> "was banned";
      case "account_removed" -> "left (account removed)";
      default -> "left (" + Plain.line(reason) + ")";
    };
  }

  private List<String> note(RoomUpdate.Change change, String text) {
    List<String> lines = headed(change.ts());
    lines.add(time(change.ts()) + " * " + text);
    return lines;
  }

  private List<String> headed(long ts) {
    List<String> lines = new ArrayList<>();
    LocalDate date = LocalDate.ofInstant(Instant.ofEpochMilli(ts), zone);
    if (!date.equals(day)) {
      day = date;
      lines.add("—— " + DAY.format(date) + " ——");
    }
    return lines;
  }

  private String time(long ts) {
    return TIME.format(Instant.ofEpochMilli(ts).atZone(zone));
  }

  private String name(AccountId account) {
    return Plain.line(names.apply(account));
  }
}
