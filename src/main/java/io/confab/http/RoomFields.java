package io.confab.http;

import io.confab.protocol.AccountId;
import io.confab.protocol.EnvelopeFields;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Fields;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.protocol.Suite;
import io.confab.protocol.TextRules;
import io.confab.room.RoomCommand.CreateRoom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the fields of a new room: `{type, name, …, members?}`, of a direct room
/// `{type, members:[one]}`.
final class RoomFields {
  private static final int DESCRIPTION_LENGTH = 500;
  private static final long MOST_SLOW_MODE_S = 86_400;
  private static final long MOST_MEMBERS = 1_000_000_000;
  private static final long MOST_INSIDE = 1_000_000;

  private final int membersPerCall;

  RoomFields(int membersPerCall) {
    this.membersPerCall = membersPerCall;
  }

  /// @param asks as of [CreateRoom], as `id`
  CreateRoom read(AccountId caller, Fields fields, boolean asks, @Nullable RoomId id) {
    RoomType type = fields.choice("type", RoomType.class);
    List<AccountId> members = accounts(fields, "members");
    return switch (type) {
      case DIRECT -> {
        fields.end();
        if (members.size() != 1) {
          throw Refusal.invalidField("members", "must be one account");
        }
        yield new CreateRoom(caller, type, RoomSettings.named(null), members, asks, id);
      }
      case GROUP, CHANNEL -> {
        fields.text("name");
        String description = fields.optionalText("description");
        if (description != null && description.isEmpty()) {
          throw Refusal.invalidField("description", "must not be blank");
        }
        yield new CreateRoom(caller, type, settings(fields), members, asks, id);
      }
    };
  }

  /// The settings to change; no other field may be there.
  static RoomSettings changes(Fields fields) {
    Fields encryption = fields.optionalObject("encryption");
    String suite = encryption == null ? null : suite(encryption);
    Long lasts = fields.optionalNumber("expires_in_s");
    if (lasts != null && lasts != 0) {
      EnvelopeFields.lasting(fields.path("expires_in_s"), lasts);
    }
    return settings(fields).sealing(suite, lasts == null ? null : Math.toIntExact(lasts));
  }

  private static String suite(Fields encryption) {
    Suite suite = encryption.choice("suite", Suite.class);
    encryption.end();
    return suite.wire();
  }

  private static RoomSettings settings(Fields fields) {
    String name = fields.optionalText("name");
    String description = fields.optionalText("description");
    HistoryRule history = fields.optionalChoice("history", HistoryRule.class);
    Long slowMode = within("slow_mode_s", fields.optionalNumber("slow_mode_s"), MOST_SLOW_MODE_S);
    Long maxMembers = within("max_members", fields.optionalNumber("max_members"), MOST_MEMBERS);
    Long capacity = within("capacity", fields.optionalNumber("capacity"), MOST_INSIDE);
    Boolean readOutside = fields.optionalFlag("read_outside");
    fields.end();
    return new RoomSettings(
        name == null ? null : TextRules.name("name", name),
        description == null || description.isEmpty()
            ? description
            : TextRules.text("description", description, DESCRIPTION_LENGTH),
        history,
        slowMode == null ? null : Math.toIntExact(slowMode),
        maxMembers,
        capacity == null ? null : Math.toIntExact(capacity),
        readOutside);
  }

  private static @Nullable Long within(String field, @Nullable Long number, long most) {
    if (number != null && (number < 0 || number > most)) {
      throw Refusal.invalidField(field, "must be from 0 to " + most);
    }
    return number;
  }

  /// As many accounts as one call may name; none where the field is not there.
  List<AccountId> accounts(Fields fields, String name) {
    List<AccountId> accounts = new ArrayList<>();
    for (String id : fields.texts(name, membersPerCall)) {
      accounts.add(account(id, name + "[" + accounts.size() + "]"));
    }
    return List.copyOf(accounts);
  }

  private static AccountId account(String id, String path) {
    try {
      return AccountId.parse(id);
    } catch (Refusal _) {
      throw new Refusal(ErrorCode.NOT_FOUND, path, "no such account");
    }
  }
}
