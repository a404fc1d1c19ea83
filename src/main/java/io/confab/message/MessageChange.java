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

  /// @param clientId recognises a retry; of the same space as those of sends
  record Edit(RoomId roomId, Seq seq, AccountId caller, ClientId clientId, String body)
      implements MessageChange {}

  record Deletion(RoomId roomId, Seq seq, AccountId caller) implements MessageChange {}
}
