package io.confab.message;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;

/// A change that somebody asks for of a message that is there.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "change")
@JsonSubTypes({
  @JsonSubTypes.Type(value = MessageChange.Edit.class, name = "edit"),
  @JsonSubTypes.Type(value = MessageChange.Deletion.class, name = "deletion")
})
public sealed interface MessageChange {
  RoomId roomId();

  Seq seq();

  /// The account that asks for it.
  AccountId caller();

  /// Whether the account is inside, which a room with a capacity asks for.
  boolean seated();

  /// The same of an account that is inside, or not.
  MessageChange seated(boolean inside);

  /// @param clientId recognises a retry; of the same space as those of sends
  record Edit(
      RoomId roomId, Seq seq, AccountId caller, ClientId clientId, String body, boolean seated)
      implements MessageChange {

    /// Of one who is not known to be inside.
    public Edit(RoomId roomId, Seq seq, AccountId caller, ClientId clientId, String body) {
      this(roomId, seq, caller, clientId, body, false);
    }

    @Override
    public Edit seated(boolean inside) {
      return new Edit(roomId, seq, caller, clientId, body, inside);
    }
  }

  record Deletion(RoomId roomId, Seq seq, AccountId caller, boolean seated)
      implements MessageChange {

    /// Of one who is not known to be inside.
    public Deletion(RoomId roomId, Seq seq, AccountId caller) {
      this(roomId, seq, caller, false);
    }

    @Override
    public Deletion seated(boolean inside) {
      return new Deletion(roomId, seq, caller, inside);
    }
  }
}
