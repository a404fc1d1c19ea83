package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.PATCH;
import static io.vertx.core.http.HttpMethod.PUT;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.MeChange;
import io.confab.account.AccountCommand.MeView;
import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.EntityTag;
import io.confab.protocol.Fields;
import io.confab.protocol.InvitesFrom;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.protocol.TextRules;
import io.confab.protocol.VisibleTo;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;

/// The caller's own account, its devices, and the accounts that it has blocked.
final class OwnRoutes {
  private final Bus bus;
  private final Limits limits;
  private final PasswordCalls passwords;

  OwnRoutes(Bus bus, Limits limits, PasswordCalls passwords) {
    this.bus = bus;
    this.limits = limits;
    this.passwords = passwords;
  }

  void mount(Routes routes) {
    routes.signedIn(GET, "/v1/me", Limit.READS, this::readMe);
    routes.signedIn(PATCH, "/v1/me", Limit.WRITES, this::changeMe);
    routes.onDevice(DELETE, "/v1/me", Limit.WRITES, this::removeMe);
    routes.onDevice(PUT, "/v1/me/password", Limit.WRITES, this::changePassword);
    routes.onDevice(GET, "/v1/devices?after=&limit=", Limit.READS, this::listDevices);
    routes.onDevice(PATCH, "/v1/devices/:device_id", Limit.WRITES, this::renameDevice);
    routes.onDevice(DELETE, "/v1/devices/:device_id", Limit.WRITES, this::removeDevice);
    routes.signedIn(GET, "/v1/blocks?after=&limit=", Limit.READS, this::listBlocks);
    routes.signedIn(PUT, "/v1/blocks/:account_id", Limit.WRITES, this::block);
    routes.signedIn(DELETE, "/v1/blocks/:account_id", Limit.WRITES, this::unblock);
  }

  private Future<Answer> readMe(AccountId caller, Call call) {
    return bus.request(new AccountCommand.ReadMe(caller))
        .map(view -> Preconditions.answer(call, view.tag(), view.me()));
  }

  private Future<Answer> changeMe(AccountId caller, Call call) {
    Fields fields = call.body();
    MeChange change =
        new MeChange(
            fields.optionalText("display_name"),
            fields.optionalChoice("invites_from", InvitesFrom.class),
            fields.optionalChoice("presence_visible_to", VisibleTo.class),
            fields.optionalChoice("last_seen_visible_to", VisibleTo.class),
            fields.optionalFlag("private_reading"));
    fields.end();
    List<EntityTag> seen = Preconditions.seen(call);
    var command = new AccountCommand.ChangeMe(caller, change, seen);
    Future<MeView> changed =
        change.displayName() == null
            ? bus.request(command)
            : rename(caller, () -> bus.request(command));
    return changed.map(view -> Answer.tagged(view.tag(), view.me()));
  }

  /// What is refused does not count; what may have been made does.
  private <T> Future<T> rename(AccountId account, Supplier<Future<T>> change) {
    limits.take(Limit.RENAMES, account.toString());
    return change
        .get()
        .onFailure(
            failure -> {
              if (failure instanceof Refusal refusal && !refusal.code().retryable()) {
                limits.giveBack(Limit.RENAMES, account.toString());
              }
            });
  }

  private Future<Answer> changePassword(Caller caller, Call call) {
    Fields fields = call.body();
    Secret old = new Secret(fields.text("old"));
    Secret fresh = new Secret(fields.text("new"));
    fields.end();
    TextRules.password("new", fresh.value());
    limits.take(Limit.SIGN_INS, call.address().group());
    return passwords.change(call.address(), caller, old, fresh).map(_ -> Answer.noContent());
  }

  private Future<Answer> removeMe(Caller caller, Call call) {
    Fields fields = call.body();
    Secret password = new Secret(fields.text("password"));
    fields.end();
    limits.take(Limit.SIGN_INS, call.address().group());
    return passwords.removeMe(call.address(), caller, password).map(_ -> Answer.noContent());
  }

  private Future<Answer> listDevices(Caller caller, Call call) {
    DeviceId after = call.query().after(DeviceId::parse);
    return bus.request(new AccountCommand.ListDevices(caller, after, call.query().limit()))
        .map(Answer::ok);
  }

  private Future<Answer> renameDevice(Caller caller, Call call) {
    DeviceId device = device(call);
    Fields fields = call.body();
    String name = fields.text("name");
    fields.end();
    return rename(
            caller.account(),
            () -> bus.request(new AccountCommand.RenameDevice(caller, device, name)))
        .map(Answer::ok);
  }

  private static DeviceId device(Call call) {
    return DeviceId.parse(call.context().pathParam("device_id"));
  }

  private Future<Answer> removeDevice(Caller caller, Call call) {
    call.requireNoFields();
    return bus.request(new AccountCommand.RemoveDevice(caller.account(), device(call)))
        .onSuccess(
            forgotten -> {
              if (forgotten.was()) {
                SecurityWatch.signInEnded(call);
              }
            })
        .map(_ -> Answer.noContent());
  }

  private Future<Answer> listBlocks(AccountId caller, Call call) {
    AccountId after = call.query().after(AccountId::parse);
    return bus.request(new AccountCommand.ListBlocks(caller, after, call.query().limit()))
        .map(Answer::ok);
  }

  private Future<Answer> block(AccountId caller, Call call) {
    call.requireNoFields();
    return bus.request(new AccountCommand.Block(caller, call.account())).map(Answer::ok);
  }

  private Future<Answer> unblock(AccountId caller, Call call) {
    call.requireNoFields();
    return bus.request(new AccountCommand.Unblock(caller, call.account()))
        .map(_ -> Answer.noContent());
  }
}
