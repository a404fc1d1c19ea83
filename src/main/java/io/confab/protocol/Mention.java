package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Whom a message mentions: an account, `@all` members of the room, or those `@online`.
///
/// @param code the id of the account, or one that no account has
public record Mention(long code) {
  public static final Mention ALL = new Mention(0);
  public static final Mention ONLINE = new Mention(-1);

  public static Mention of(AccountId account) {
    return new Mention(account.value());
  }

  @JsonCreator
  public static Mention parse(String text) {
    return switch (text) {
      case "@all" -> ALL;
      case "@online" -> ONLINE;
      default -> of(AccountId.parse(text));
    };
  }

  @Override
  @JsonValue
  public String toString() {
    if (equals(ALL)) {
      return "@all";
    }
    return equals(ONLINE) ? "@online" : IdText.encode(code);
  }
}
