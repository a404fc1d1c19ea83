package io.confab.http;

import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Fields;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomType;
import io.confab.protocol.TextRules;
import io.confab.room.RoomCommand.CreateRoom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what a room is made from: `{type, name, description?, history?, members?}`, of a
/// direct room `{type, members:[one]}`.
final class RoomFields {
  private static final int DESCRIPTION_LENGTH = 500;

  private final int membersPerCall;

  RoomFields(int membersPerCall) {
    this.membersPerCall = membersPerCall;
  }

  CreateRoom read(AccountId caller, Fields fields) {
    RoomType type = type(fields);
    List<AccountId> members = members(fields);
    return switch (type) {
      case DIRECT -> {
        fields.end();
        if (members.size() != 1) {
          throw Refusal.invalidField("members", "must be one account");
        }
        yield new CreateRoom(caller, type, null, null, HistoryRule.ALL, members);
      }
      case GROUP, CHANNEL -> {
        String name = TextRules.name("name", fields.text("name"));
        String description = description(fields.optionalText("description"));
        HistoryRule history = history(fields.optionalText("history"));
        fields.end();
        yield new CreateRoom(caller, type, name, description, history, members);
      }
    };
  }

  private static RoomType type(Fields fields) {
    String text = fields.text("type");
    for (RoomType type : RoomType.values()) {
      if (type.wire().equals(text)) {
        return type;
      }
    }
    throw Refusal.invalidField("type", "must be direct, group or channel");
  }

  private static @Nullable String description(@Nullable String text) {
    return text == null ? null : TextRules.text("description", text, DESCRIPTION_LENGTH);
  }

  private static HistoryRule history(@Nullable String text) {
    return text == null ? HistoryRule.ALL : HistoryRule.read("history", text);
  }

  private List<AccountId> members(Fields fields) {
    List<AccountId> members = new ArrayList<>();
    for (String id : fields.texts("members", membersPerCall)) {
      members.add(member(id, "members[" + members.size() + "]"));
    }
    return List.copyOf(members);
  }

  private static AccountId member(String id, String path) {
    try {
      return AccountId.parse(id);
    } catch (Refusal _) {
      throw new Refusal(ErrorCode.NOT_FOUND, path, "no such account");
    }
  }
}
