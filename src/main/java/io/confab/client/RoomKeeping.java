package io.confab.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.Suite;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the owners and admins of a room do; made by [ConfabApi#keeping].
public final class RoomKeeping {
  private static final Set<String> NUMBERS =
      Set.of("slow_mode_s", "max_members", "capacity", "expires_in_s");

  private static final Set<String> FLAGS = Set.of("read_outside");

  private final SignedCalls calls;
  private final String path;

  RoomKeeping(SignedCalls calls, String path) {
    this.calls = calls;
    this.path = path;
  }

  public Future<Void> remove(AccountId member) {
    return ask(HttpAsk.once(HttpMethod.DELETE, path + "/members/" + member, null));
  }

  /// @param reason absent: none
  public Future<Void> ban(AccountId account, @Nullable String reason) {
    ObjectNode body = ClientJson.object();
    if (reason != null) {
      body.put("reason", reason);
    }
    return ask(HttpAsk.repeatable(HttpMethod.PUT, path + "/bans/" + account, body));
  }

  public Future<Void> unban(AccountId account) {
    return ask(HttpAsk.once(HttpMethod.DELETE, path + "/bans/" + account, null));
  }

  /// Who is banned, by account.
  public Future<List<Ban>> bans() {
    return calls.pages(path + "/bans", "bans", Ban.class);
  }

  public Future<Void> mute(AccountId member, Instant until) {
    ObjectNode body = ClientJson.object().put("until", until.toEpochMilli());
    return ask(HttpAsk.repeatable(HttpMethod.PUT, path + "/mutes/" + member, body));
  }

  public Future<Void> unmute(AccountId member) {
    return ask(HttpAsk.repeatable(HttpMethod.DELETE, path + "/mutes/" + member, null));
  }

  /// @param role `owner`, `admin` or `member`
  public Future<Void> role(AccountId member, String role) {
    ObjectNode body = ClientJson.object().put("role", role);
    return ask(HttpAsk.repeatable(HttpMethod.PUT, path + "/members/" + member, body));
  }

  /// The code of a new invitation.
  ///
  /// @param lifetime absent: for ever
  /// @param uses absent: without a bound
  public Future<String> invite(@Nullable Duration lifetime, @Nullable Long uses) {
    ObjectNode body = ClientJson.object();
    if (lifetime != null) {
      body.put("expires_in_s", lifetime.toSeconds());
    }
    if (uses != null) {
      body.put("max_uses", uses);
    }
    return calls
        .ask(HttpAsk.making(path + "/invites", body))
        .map(made -> made.path("code").asText());
  }

  /// The invitations, without their codes.
  public Future<List<Invite>> invites() {
    return calls.pages(path + "/invites", "invites", Invite.class);
  }

  /// @param invite its code or its id
  public Future<Void> revoke(String invite) {
    return ask(
        HttpAsk.once(HttpMethod.DELETE, path + "/invites/" + SignedCalls.encoded(invite), null));
  }

  /// What owners and admins did, oldest first.
  public Future<List<AuditEntry>> audit() {
    return calls.pages(path + "/audit", "entries", AuditEntry.class);
  }

  /// Makes a member the owner in the caller's place.
  public Future<Void> transfer(AccountId member) {
    return ask(HttpAsk.repeatable(HttpMethod.PUT, path + "/owner/" + member, null));
  }

  /// Changes one of the settings.
  ///
  /// @param setting `name`, `description`, `history`, `slow_mode_s`, `max_members`,
  ///     `capacity`, `read_outside`, `expires_in_s`; others may come
  /// @param value digits are sent as a number where the setting is one, `true` and `false` so too
  public Future<ChatRoom> change(String setting, String value) {
    ObjectNode body = ClientJson.object();
    if (NUMBERS.contains(setting) && value.matches("[0-9]{1,18}")) {
      body.put(setting, Long.parseLong(value));
    } else if (FLAGS.contains(setting) && value.matches("true|false")) {
      body.put(setting, Boolean.parseBoolean(value));
    } else {
      body.put(setting, value);
    }
    return patch(body);
  }

  /// Seconds between two messages of a member; 0: none.
  public Future<Void> slowMode(int seconds) {
    return ask(
        HttpAsk.repeatable(
            HttpMethod.PATCH, path, ClientJson.object().put("slow_mode_s", seconds)));
  }

  /// Seals the room, for ever: only the devices of its members can read what is said from now on.
  /// An owner may, or either of the two of a direct room once both have a device with keys (else
  /// `conflict`).
  public Future<ChatRoom> seal() {
    ObjectNode body = ClientJson.object();
    body.putObject("encryption").put("suite", Suite.OLM1.wire());
    return patch(body);
  }

  /// For how many seconds what is said in a sealed room lasts, 30 at least; 0: as long as anything.
  public Future<ChatRoom> expire(int seconds) {
    return patch(ClientJson.object().put("expires_in_s", seconds));
  }

  private Future<ChatRoom> patch(ObjectNode body) {
    return calls.ask(HttpAsk.repeatable(HttpMethod.PATCH, path, body), ChatRoom.class);
  }

  /// Ends the room for ever; it can still be read.
  public Future<Void> archive() {
    return ask(HttpAsk.once(HttpMethod.DELETE, path, null));
  }

  private Future<Void> ask(HttpAsk ask) {
    return calls.ask(ask).mapEmpty();
  }
}
