package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.confab.protocol.Fields;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.TextRules;
import io.confab.room.RoomCommand;
import io.confab.room.RoomCommand.Invite;
import io.confab.room.RoomCommand.NewInvite;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Invitations of rooms.
final class InviteRoutes {
  private static final String INVITES = "/v1/rooms/:room_id/invites";
  private static final long MOST_SECONDS = Duration.ofDays(36_500).toSeconds();
  private static final long MOST_USES = 1_000_000_000;

  private final Bus bus;
  private final KeyedCalls keyed;

  InviteRoutes(Bus bus, KeyedCalls keyed) {
    this.bus = bus;
    this.keyed = keyed;
  }

  void mount(Routes routes) {
    routes.signedIn(POST, INVITES, Limit.WRITES, keyed.once(this::make));
    routes.signedIn(GET, INVITES + "?after=&limit=", Limit.READS, this::list);
    routes.signedIn(DELETE, INVITES + "/:code", Limit.WRITES, this::delete);
    routes.signedIn(POST, "/v1/invites/:code", Limit.JOINS, this::join);
  }

  /// An invitation with its code, which is shown only here.
  record Made(
      String code,
      String inviteId,
      AccountId madeBy,
      long madeAt,
      @Nullable Long expiresAt,
      @Nullable Long maxUses,
      long uses) {
    static Made of(NewInvite made) {
      Invite invite = made.invite();
      return new Made(
          made.code().value(),
          invite.inviteId(),
          invite.madeBy(),
          invite.madeAt(),
          invite.expiresAt(),
          invite.maxUses(),
          invite.uses());
    }
  }

  private Future<Answer> make(AccountId caller, Call call) {
    RoomId room = call.room();
    Fields fields = call.optionalBody();
    Long seconds = atLeastOne("expires_in_s", fields, MOST_SECONDS);
    Long uses = atLeastOne("max_uses", fields, MOST_USES);
    fields.end();
    return bus.request(
            new RoomCommand.MakeInvite(
                caller, room, seconds == null ? null : Duration.ofSeconds(seconds), uses))
        .map(made -> Answer.created(Made.of(made)));
  }

  private static @Nullable Long atLeastOne(String field, Fields fields, long most) {
    Long number = fields.optionalNumber(field);
    if (number != null && (number < 1 || number > most)) {
      throw Refusal.invalidField(field, "must be from 1 to " + most);
    }
    return number;
  }

  private Future<Answer> list(AccountId caller, Call call) {
    RoomId room = call.room();
    String after = call.query().after(text -> TextRules.clientMade("after", text));
    return bus.request(new RoomCommand.ListInvites(caller, room, after, call.query().limit()))
        .map(Answer::ok);
  }

  private Future<Answer> delete(AccountId caller, Call call) {
    RoomId room = call.room();
    call.requireNoFields();
    return bus.request(new RoomCommand.DeleteInvite(caller, room, code(call)))
        .map(_ -> Answer.noContent());
  }

  private Future<Answer> join(AccountId caller, Call call) {
    call.requireNoFields();
    return bus.request(new RoomCommand.JoinByInvite(caller, code(call)))
        .map(view -> Answer.ok(view.room()));
  }

  private static Secret code(Call call) {
    return new Secret(call.context().pathParam("code"));
  }
}
