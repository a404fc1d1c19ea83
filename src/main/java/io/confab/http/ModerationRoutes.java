package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.PUT;

import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.confab.protocol.Fields;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.TextRules;
import io.confab.room.RoomCommand;
import io.vertx.core.Future;

/// Moderation by owners and admins: bans, mutes, ownership, and the audit log.
final class ModerationRoutes {
  private static final String ROOM = "/v1/rooms/:room_id";
  private static final int REASON_LENGTH = 500;

  /// The end of the year 9999.
  private static final long LATEST = 253_402_300_799_999L;

  private final Bus bus;

  ModerationRoutes(Bus bus) {
    this.bus = bus;
  }

  void mount(Routes routes) {
    routes.signedIn(GET, ROOM + "/bans?after=&limit=", Limit.READS, this::listBans);
    routes.signedIn(PUT, ROOM + "/bans/:account_id", Limit.WRITES, this::ban);
    routes.signedIn(DELETE, ROOM + "/bans/:account_id", Limit.WRITES, this::unban);
    routes.signedIn(PUT, ROOM + "/mutes/:account_id", Limit.WRITES, this::mute);
    routes.signedIn(DELETE, ROOM + "/mutes/:account_id", Limit.WRITES, this::unmute);
    routes.signedIn(PUT, ROOM + "/owner/:account_id", Limit.WRITES, this::transfer);
    routes.signedIn(GET, ROOM + "/audit?after=&limit=", Limit.READS, this::readAudit);
  }

  private Future<Answer> listBans(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId after = call.query().after(AccountId::parse);
    return bus.request(new RoomCommand.ListBans(caller, room, after, call.query().limit()))
        .map(Answer::ok);
  }

  private Future<Answer> ban(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId account = call.account();
    Fields fields = call.optionalBody();
    String reason = fields.optionalText("reason");
    fields.end();
    return bus.request(
            new RoomCommand.BanMember(
                caller,
                room,
                account,
                reason == null ? null : TextRules.text("reason", reason, REASON_LENGTH)))
        .map(view -> Answer.ok(view.ban()));
  }

  private Future<Answer> unban(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId account = call.account();
    call.requireNoFields();
    return bus.request(new RoomCommand.Unban(caller, room, account)).map(_ -> Answer.noContent());
  }

  private Future<Answer> mute(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId account = call.account();
    Fields fields = call.body();
    long until = fields.number("until");
    fields.end();
    if (until < 0 || until > LATEST) {
      throw Refusal.invalidField("until", "must be from 0 to " + LATEST);
    }
    return bus.request(new RoomCommand.MuteMember(caller, room, account, until))
        .map(view -> Answer.ok(view.member()));
  }

  private Future<Answer> unmute(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId account = call.account();
    call.requireNoFields();
    return bus.request(new RoomCommand.Unmute(caller, room, account)).map(_ -> Answer.noContent());
  }

  private Future<Answer> transfer(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId account = call.account();
    call.requireNoFields();
    return bus.request(new RoomCommand.TransferRoom(caller, room, account))
        .map(view -> Answer.ok(view.member()));
  }

  private Future<Answer> readAudit(AccountId caller, Call call) {
    RoomId room = call.room();
    Long after = call.query().number("after");
    return bus.request(
            new RoomCommand.ReadAudit(
                caller, room, after == null ? 0 : after, call.query().limit()))
        .map(Answer::ok);
  }
}
