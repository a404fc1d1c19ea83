package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand;
import io.vertx.core.Future;

/// What the caller is asked to join.
final class InvitationRoutes {
  private static final String INVITATIONS = "/v1/me/invitations";

  private final Bus bus;

  InvitationRoutes(Bus bus) {
    this.bus = bus;
  }

  void mount(Routes routes) {
    routes.signedIn(GET, INVITATIONS + "?after=&limit=", Limit.READS, this::list);
    routes.signedIn(POST, INVITATIONS + "/:room_id", Limit.JOINS, this::accept);
    routes.signedIn(DELETE, INVITATIONS + "/:room_id", Limit.WRITES, this::decline);
  }

  private Future<Answer> list(AccountId caller, Call call) {
    RoomId after = call.query().after(RoomId::parse);
    return bus.request(new RoomCommand.ListInvitations(caller, after, call.query().limit()))
        .map(Answer::ok);
  }

  private Future<Answer> accept(AccountId caller, Call call) {
    RoomId room = call.room();
    call.requireNoFields();
    return bus.request(new RoomCommand.AcceptInvitation(caller, room))
        .map(view -> Answer.ok(view.room()));
  }

  private Future<Answer> decline(AccountId caller, Call call) {
    RoomId room = call.room();
    call.requireNoFields();
    return bus.request(new RoomCommand.DeclineInvitation(caller, room))
        .map(_ -> Answer.noContent());
  }
}
