package io.confab.protocol;

import io.confab.config.Secret;
import io.confab.protocol.ClientFrame.Bye;
import io.confab.protocol.ClientFrame.Hello;
import io.confab.protocol.ClientFrame.MessageDelete;
import io.confab.protocol.ClientFrame.MessageEdit;
import io.confab.protocol.ClientFrame.MessageSend;
import io.confab.protocol.ClientFrame.Ping;
import io.confab.protocol.ClientFrame.Resume;
import io.confab.protocol.ClientFrame.RoomPoint;
import io.confab.protocol.ClientFrame.Token;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Turns a text frame into a [ClientFrame], or refuses it.
public final class ClientFrameReader {
  private static final int ID_LENGTH = 64;

  private final int bodyBytes;
  private final int roomsPerResume;

  public ClientFrameReader(int bodyBytes, int roomsPerResume) {
    this.bodyBytes = bodyBytes;
    this.roomsPerResume = roomsPerResume;
  }

  /// Reads a frame. One that is not a JSON object is refused at once; any other fault comes
  /// with the `id` and `client_id` of the frame, so that its answer can name them.
  public Request read(String text) {
    Fields fields = Json.object(text);
    try {
      return new Request(optionalId(fields, "id"), content(fields), null, null);
    } catch (Refusal refusal) {
      return new Request(
          fields.peek("id").filter(ClientFrameReader::isId).orElse(null),
          null,
          refusal,
          fields.peek("client_id").filter(ClientFrameReader::isId).map(ClientId::new).orElse(null));
    }
  }

  /// A frame, or why it is none.
  ///
  /// @param id what the answer refers to
  /// @param clientId of a refused send
  public record Request(
      @Nullable String id,
      @Nullable ClientFrame frame,
      @Nullable Refusal refusal,
      @Nullable ClientId clientId) {}

  private ClientFrame content(Fields fields) {
    String type = fields.text("type");
    return switch (type) {
      case "hello" -> whole(fields, this::hello);
      case "resume" -> whole(fields, this::resume);
      case "message.send" -> whole(fields, this::messageSend);
      case "message.edit" -> whole(fields, this::messageEdit);
      case "message.delete" ->
          whole(fields, f -> new MessageDelete(f.text("room_id"), Seq.read(f, "seq")));
      case "token" -> whole(fields, f -> new Token(new Secret(f.text("token"))));
      case "ping" -> whole(fields, _ -> new Ping());
      case "bye" -> whole(fields, _ -> new Bye());
      default -> throw new Refusal(ErrorCode.UNKNOWN_TYPE, "type", "is not known");
    };
  }

  private static ClientFrame whole(Fields fields, Function<Fields, ClientFrame> reader) {
    ClientFrame frame = reader.apply(fields);
    fields.end();
    return frame;
  }

  private Hello hello(Fields fields) {
    String ticket = fields.optionalText("ticket");
    String token = fields.optionalText("token");
    if (ticket != null && token != null) {
      throw Refusal.invalidField("ticket", "stands beside a token");
    }
    Fields device = fields.optionalObject("device");
    return new Hello(
        ticket == null ? null : new Secret(ticket),
        token == null ? null : new Secret(token),
        device == null ? null : DeviceInfo.read(device));
  }

  private Resume resume(Fields fields) {
    List<RoomPoint> rooms =
        fields.objects("rooms", roomsPerResume).stream().map(ClientFrameReader::point).toList();
    return new Resume(rooms, fields.flag("last"));
  }

  private static RoomPoint point(Fields fields) {
    RoomPoint point =
        new RoomPoint(
            fields.text("room_id"), new Epoch(fields.number("epoch")), rev(fields, "rev"));
    fields.end();
    return point;
  }

  private static Rev rev(Fields fields, String name) {
    long rev = fields.number(name);
    if (rev < 0) {
      throw Refusal.invalidField(fields.path(name), "must not be negative");
    }
    return new Rev(rev);
  }

  private MessageSend messageSend(Fields fields) {
    String roomId = fields.text("room_id");
    SendFields send = SendFields.read(fields, bodyBytes);
    return new MessageSend(roomId, send, optionalId(fields, "local_id"));
  }

  private MessageEdit messageEdit(Fields fields) {
    String roomId = fields.text("room_id");
    Seq seq = Seq.read(fields, "seq");
    EditFields edit = EditFields.read(fields, bodyBytes);
    return new MessageEdit(roomId, seq, edit.clientId(), edit.body());
  }

  private static @Nullable String optionalId(Fields fields, String name) {
    String id = fields.optionalText(name);
    if (id != null && !isId(id)) {
      throw Refusal.invalidField(fields.path(name), "must have 1 to 64 characters");
    }
    return id;
  }

  private static boolean isId(String text) {
    return !text.isEmpty() && text.length() <= ID_LENGTH;
  }
}
