package io.confab.protocol;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request of a client on its socket. The reader of each frame takes the fields of that frame;
/// its caller reads to the end of the JSON object.
public sealed interface ClientFrame {

  /// Always first. Exactly one of ticket and token, or none where the upgrade carried a token.
  record Hello(@Nullable Secret ticket, @Nullable Secret token, @Nullable DeviceInfo device)
      implements ClientFrame {
    public static Hello read(Fields fields) {
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
  }

  record Resume(List<RoomPoint> rooms, boolean last) implements ClientFrame {
    /// @param most how many rooms it may name
    public static Resume read(Fields fields, int most) {
      List<RoomPoint> rooms = fields.objects("rooms", most).stream().map(RoomPoint::read).toList();
      return new Resume(rooms, fields.flag("last"));
    }
  }

  /// Where a client stands in a room. The room is the client's text: it may not exist.
  record RoomPoint(String roomId, Epoch epoch, Rev rev) {
    private static RoomPoint read(Fields fields) {
      String roomId = fields.text("room_id");
      Epoch epoch = new Epoch(fields.number("epoch"));
      long rev = fields.number("rev");
      if (rev < 0) {
        throw Refusal.invalidField(fields.path("rev"), "must not be negative");
      }
      fields.end();
      return new RoomPoint(roomId, epoch, new Rev(rev));
    }
  }

  record MessageSend(String roomId, SendFields send, @Nullable String localId)
      implements ClientFrame {
    /// @param bodyBytes the most that a body may have in UTF-8
    public static MessageSend read(Fields fields, int bodyBytes) {
      String roomId = fields.text("room_id");
      SendFields send = SendFields.read(fields, bodyBytes);
      return new MessageSend(roomId, send, fields.optionalId("local_id"));
    }
  }

  record MessageEdit(String roomId, Seq seq, ClientId clientId, String body)
      implements ClientFrame {
    /// @param bodyBytes the most that a body may have in UTF-8
    public static MessageEdit read(Fields fields, int bodyBytes) {
      String roomId = fields.text("room_id");
      Seq seq = Seq.read(fields, "seq");
      EditFields edit = EditFields.read(fields, bodyBytes);
      return new MessageEdit(roomId, seq, edit.clientId(), edit.body());
    }
  }

  record MessageDelete(String roomId, Seq seq) implements ClientFrame {
    public static MessageDelete read(Fields fields) {
      return new MessageDelete(fields.text("room_id"), Seq.read(fields, "seq"));
    }
  }

  /// To a sealed room.
  record EnvelopeSend(String roomId, EnvelopeFields send, @Nullable String localId)
      implements ClientFrame {
    public static EnvelopeSend read(Fields fields) {
      String roomId = fields.text("room_id");
      EnvelopeFields send = EnvelopeFields.read(fields);
      return new EnvelopeSend(roomId, send, fields.optionalId("local_id"));
    }
  }

  /// The device comes for what waits for it.
  ///
  /// @param epoch of the position; null: none is known
  /// @param after everything up to this number has arrived before
  record QueueOpen(@Nullable Epoch epoch, QueueSeq after) implements ClientFrame {
    public static QueueOpen read(Fields fields) {
      Long epoch = fields.optionalNumber("epoch");
      return new QueueOpen(epoch == null ? null : new Epoch(epoch), QueueSeq.read(fields, "after"));
    }
  }

  /// Everything up to the number has arrived and is kept.
  record QueueAck(QueueSeq queueSeq) implements ClientFrame {
    public static QueueAck read(Fields fields) {
      return new QueueAck(QueueSeq.read(fields, "queue_seq"));
    }
  }

  /// What came under the number cannot be read.
  ///
  /// @param reason a word for whoever looks for the fault
  record QueueReject(QueueSeq queueSeq, String reason) implements ClientFrame {
    public static QueueReject read(Fields fields) {
      return new QueueReject(
          QueueSeq.read(fields, "queue_seq"),
          TextRules.clientMade(fields.path("reason"), fields.text("reason")));
    }
  }

  record Typing(String roomId) implements ClientFrame {
    public static Typing read(Fields fields) {
      return new Typing(fields.text("room_id"));
    }
  }

  record TypingStop(String roomId) implements ClientFrame {
    public static TypingStop read(Fields fields) {
      return new TypingStop(fields.text("room_id"));
    }
  }

  /// Everything up to the message was read.
  record Read(String roomId, Seq seq) implements ClientFrame {
    public static Read read(Fields fields) {
      return new Read(fields.text("room_id"), Seq.read(fields, "seq"));
    }
  }

  /// Everything up to the message was received.
  record Delivered(String roomId, Seq seq) implements ClientFrame {
    public static Delivered read(Fields fields) {
      return new Delivered(fields.text("room_id"), Seq.read(fields, "seq"));
    }
  }

  /// The message and what follows is to be seen as unread.
  record MarkUnread(String roomId, Seq seq) implements ClientFrame {
    public static MarkUnread read(Fields fields) {
      return new MarkUnread(fields.text("room_id"), Seq.read(fields, "seq"));
    }
  }

  /// Whom, and of which rooms how many, the session wants to know to be there; in place of what it
  /// named before.
  record PresenceWatch(List<AccountId> accounts, List<String> roomIds) implements ClientFrame {
    public static final int ACCOUNTS = 1_000;
    public static final int ROOMS = 100;

    public static PresenceWatch read(Fields fields) {
      List<String> ids = fields.texts("accounts", ACCOUNTS);
      List<AccountId> accounts = new ArrayList<>(ids.size());
      for (String id : ids) {
        accounts.add(account(fields.path("accounts[" + accounts.size() + "]"), id));
      }
      return new PresenceWatch(accounts, fields.texts("rooms", ROOMS));
    }

    private static AccountId account(String path, String id) {
      try {
        return AccountId.parse(id);
      } catch (Refusal _) {
        throw Refusal.invalidField(path, "is no id of an account");
      }
    }
  }

  /// @param text null: as before; empty: none
  record PresenceSet(PresenceStatus status, @Nullable String text) implements ClientFrame {
    public static PresenceSet read(Fields fields) {
      return new PresenceSet(
          PresenceStatus.read(fields, "status"), TextRules.statusText(fields, "text"));
    }
  }

  /// Enters a room with a capacity, or joins the line before it.
  ///
  /// @param place what `seat.waiting` carried
  record RoomEnter(String roomId, @Nullable String place) implements ClientFrame {
    private static final int PLACE_LENGTH = 500;

    public static RoomEnter read(Fields fields) {
      return new RoomEnter(fields.text("room_id"), place(fields));
    }

    /// A place as `seat.waiting` carried it, if one is named.
    public static @Nullable String place(Fields fields) {
      String place = fields.optionalText("place");
      if (place != null && place.length() > PLACE_LENGTH) {
        throw Refusal.invalidField(fields.path("place"), "is no place");
      }
      return place;
    }
  }

  /// Gives up seat or place.
  record RoomExit(String roomId) implements ClientFrame {
    public static RoomExit read(Fields fields) {
      return new RoomExit(fields.text("room_id"));
    }
  }

  /// Renews the authorisation of the socket.
  record Token(Secret token) implements ClientFrame {
    public static Token read(Fields fields) {
      return new Token(new Secret(fields.text("token")));
    }
  }

  record Ping() implements ClientFrame {}

  record Bye() implements ClientFrame {}
}
