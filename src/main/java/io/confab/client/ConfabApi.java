package io.confab.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.InvitesFrom;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The HTTP API for one account, over several servers.
///
/// Calls may come from any thread. Each fails with [ApiException]: with the server's refusal, or
/// with `unreachable` when no server answered; then a call that changes something may have been
/// carried out all the same. What makes rooms, members, invitations, accounts or bots carries an
/// idempotency key and is made once, however often its answer is lost. An access token that has
/// run out is renewed on the way.
public final class ConfabApi {
  private static final String INVITATIONS = "/v1/me/invitations";
  private static final int IDS_PER_CALL = 100;
  private static final Duration SILENCE = Duration.ofSeconds(20);

  private final Vertx vertx;
  private final Addresses addresses;
  private final HttpCalls calls;
  private final SignIn signIn;
  private final SignedCalls signed;

  /// @param servers such as `http://127.0.0.1:8080`; the first is asked first
  public ConfabApi(Vertx vertx, List<URI> servers, CredentialStore credentials) {
    this.vertx = vertx;
    this.addresses = new Addresses(servers);
    this.calls = new HttpCalls(vertx, addresses, SILENCE);
    this.signIn = new SignIn(calls, credentials);
    this.signed = new SignedCalls(calls, signIn);
  }

  /// Makes an account; does not sign in.
  public Future<Account> signUp(String handle, Secret password, @Nullable String displayName) {
    ObjectNode body = ClientJson.object().put("handle", handle).put("password", password.value());
    if (displayName != null) {
      body.put("display_name", displayName);
    }
    return calls
        .ask(HttpAsk.once(HttpMethod.POST, "/v1/accounts", body), null)
        .map(answer -> ClientJson.read(answer, Account.class));
  }

  /// Signs in; the credentials are kept in the store.
  public Future<Credentials> signIn(String handle, Secret password, DeviceInfo device) {
    ObjectNode body = ClientJson.object().put("handle", handle).put("password", password.value());
    body.set("device", ClientJson.write(device));
    return calls
        .ask(HttpAsk.repeatable(HttpMethod.POST, "/v1/tokens", body), null)
        .map(SignIn::read)
        .compose(signIn::keep);
  }

  /// Ends the sign-in of this device and forgets it.
  public Future<Void> signOut() {
    return signed
        .ask(HttpAsk.repeatable(HttpMethod.DELETE, "/v1/tokens", null))
        .compose(_ -> signIn.forget());
  }

  /// The sign-in that is kept; fails as `unauthorized` when nobody is signed in.
  public Future<Credentials> credentials() {
    return signIn.current();
  }

  public Future<Account> me() {
    return signed.ask(HttpAsk.get("/v1/me"), Account.class);
  }

  /// Changes the name that others see.
  public Future<Account> rename(String displayName) {
    ObjectNode body = ClientJson.object().put("display_name", displayName);
    return signed.ask(HttpAsk.repeatable(HttpMethod.PATCH, "/v1/me", body), Account.class);
  }

  /// Changes the password; all other devices are signed out.
  public Future<Void> changePassword(Secret old, Secret fresh) {
    ObjectNode body = ClientJson.object().put("old", old.value()).put("new", fresh.value());
    return signed.ask(HttpAsk.once(HttpMethod.PUT, "/v1/me/password", body)).mapEmpty();
  }

  /// Removes the account for good and forgets the sign-in.
  public Future<Void> removeAccount(Secret password) {
    ObjectNode body = ClientJson.object().put("password", password.value());
    return signed
        .ask(HttpAsk.once(HttpMethod.DELETE, "/v1/me", body))
        .compose(_ -> signIn.forget());
  }

  /// The devices on which the account is signed in, and those that still have keys.
  public Future<List<OwnDevice>> devices() {
    return signed.pages("/v1/devices", "devices", OwnDevice.class);
  }

  /// Gives a device of the account another name.
  public Future<OwnDevice> renameDevice(DeviceId device, String name) {
    ObjectNode body = ClientJson.object().put("name", name);
    return signed.ask(HttpAsk.repeatable(HttpMethod.PATCH, path(device), body), OwnDevice.class);
  }

  /// Signs a device of the account out, and ends its keys and what waits for it.
  public Future<Void> removeDevice(DeviceId device) {
    return signed.ask(HttpAsk.once(HttpMethod.DELETE, path(device), null)).mapEmpty();
  }

  /// The accounts with these ids; ids of no account are left out.
  public Future<List<Account>> accounts(Collection<AccountId> ids) {
    List<AccountId> distinct = ids.stream().distinct().toList();
    Future<List<Account>> found = Future.succeededFuture(List.of());
    for (int from = 0; from < distinct.size(); from += IDS_PER_CALL) {
      String page =
          distinct.subList(from, Math.min(from + IDS_PER_CALL, distinct.size())).stream()
              .map(AccountId::toString)
              .collect(Collectors.joining(","));
      found =
          found.compose(
              before ->
                  signed
                      .ask(HttpAsk.get("/v1/accounts?ids=" + page))
                      .map(
                          answer ->
                              Stream.concat(
                                      before.stream(),
                                      ClientJson.list(answer, "accounts", Account.class).stream())
                                  .toList()));
    }
    return found;
  }

  /// The account with this handle; empty when nobody has it.
  public Future<Optional<Account>> account(String handle) {
    return signed
        .ask(HttpAsk.get("/v1/accounts?handle=" + SignedCalls.encoded(handle)))
        .map(answer -> ClientJson.list(answer, "accounts", Account.class).stream().findFirst());
  }

  /// All rooms of the account.
  public Future<List<ChatRoom>> rooms() {
    return signed.pages("/v1/rooms", "rooms", ChatRoom.class);
  }

  public Future<ChatRoom> room(RoomId room) {
    return signed.ask(HttpAsk.get(path(room)), ChatRoom.class);
  }

  /// Channels whose name holds this text; all when it is empty.
  public Future<List<Channel>> findChannels(String text) {
    return signed.pages(
        "/v1/channels?query=" + SignedCalls.encoded(text), "channels", Channel.class);
  }

  public Future<ChatRoom> createChannel(String name, @Nullable String description) {
    return create("channel", name, description, List.of());
  }

  public Future<ChatRoom> createGroup(
      String name, @Nullable String description, List<AccountId> members) {
    return create("group", name, description, members);
  }

  /// The direct room with somebody; made when there is none.
  public Future<ChatRoom> createDirect(AccountId peer) {
    ObjectNode body = ClientJson.object().put("type", "direct");
    body.putArray("members").add(peer.toString());
    return signed.ask(HttpAsk.making("/v1/rooms", body), ChatRoom.class);
  }

  private Future<ChatRoom> create(
      String type, String name, @Nullable String description, List<AccountId> members) {
    ObjectNode body = ClientJson.object().put("type", type).put("name", name);
    if (description != null) {
      body.put("description", description);
    }
    if (!members.isEmpty()) {
      ArrayNode list = body.putArray("members");
      members.forEach(member -> list.add(member.toString()));
    }
    return signed.ask(HttpAsk.making("/v1/rooms", body), ChatRoom.class);
  }

  /// Joins a channel; nothing changes for a member.
  public Future<ChatRoom> join(RoomId room) {
    return signed.ask(
        HttpAsk.repeatable(HttpMethod.POST, path(room) + "/join", null), ChatRoom.class);
  }

  public Future<Void> leave(RoomId room) {
    return signed.ask(HttpAsk.once(HttpMethod.DELETE, path(room) + "/members/me", null)).mapEmpty();
  }

  /// Makes somebody a member, or asks them where they want that: false.
  public Future<Boolean> add(RoomId room, AccountId account) {
    return signed
        .ask(HttpAsk.repeatable(HttpMethod.PUT, path(room) + "/members/" + account, null))
        .map(answer -> !answer.path("invited").asBoolean());
  }

  /// As [#add] of several accounts, in one call of at most 1,000.
  public Future<Additions> add(RoomId room, Collection<AccountId> accounts) {
    ObjectNode body = ClientJson.object();
    ArrayNode list = body.putArray("accounts");
    accounts.forEach(account -> list.add(account.toString()));
    return signed.ask(HttpAsk.making(path(room) + "/members", body), Additions.class);
  }

  /// What the account is asked to join.
  public Future<List<Invitation>> invitations() {
    return signed.pages(INVITATIONS, "invitations", Invitation.class);
  }

  /// Joins a room that one is asked to join; nothing changes for a member.
  public Future<ChatRoom> accept(RoomId room) {
    return signed.ask(
        HttpAsk.repeatable(HttpMethod.POST, INVITATIONS + "/" + room, null), ChatRoom.class);
  }

  public Future<Void> decline(RoomId room) {
    return signed.ask(HttpAsk.once(HttpMethod.DELETE, INVITATIONS + "/" + room, null)).mapEmpty();
  }

  /// Says who may bring the account into rooms without asking it.
  public Future<Account> acceptFrom(InvitesFrom whom) {
    ObjectNode body = ClientJson.object().put("invites_from", whom.wire());
    return signed.ask(HttpAsk.repeatable(HttpMethod.PATCH, "/v1/me", body), Account.class);
  }

  /// Whom the account blocks.
  public Future<List<AccountId>> blocks() {
    return signed
        .pages("/v1/blocks", "blocks", Blocked.class)
        .map(all -> all.stream().map(Blocked::accountId).toList());
  }

  private record Blocked(AccountId accountId) {}

  public Future<Void> block(AccountId account) {
    return signed.ask(HttpAsk.repeatable(HttpMethod.PUT, "/v1/blocks/" + account, null)).mapEmpty();
  }

  public Future<Void> unblock(AccountId account) {
    return signed
        .ask(HttpAsk.repeatable(HttpMethod.DELETE, "/v1/blocks/" + account, null))
        .mapEmpty();
  }

  /// What owners and admins may do in a room.
  public RoomKeeping keeping(RoomId room) {
    return new RoomKeeping(signed, path(room));
  }

  /// Seats in a room with a capacity.
  public RoomSeats seats(RoomId room) {
    return new RoomSeats(signed, path(room));
  }

  /// Keys for sealed rooms.
  public OwnKeys keys() {
    return new OwnKeys(signed);
  }

  /// Sends to sealed rooms.
  public SealedCalls sealed() {
    return new SealedCalls(signed);
  }

  /// Who is there.
  public Presences presences() {
    return new Presences(signed);
  }

  /// What the account may do where it is a server admin.
  public Administration administration() {
    return new Administration(signed);
  }

  /// What a backend may do; nobody need be signed in.
  ///
  /// @param key one of the server's API keys
  public Administration administration(Secret key) {
    return new Administration(new SignedCalls(calls, Authenticator.byKey(key)));
  }

  /// Joins by the code of an invitation; nothing changes for a member.
  public Future<ChatRoom> accept(String code) {
    return signed.ask(
        HttpAsk.repeatable(HttpMethod.POST, "/v1/invites/" + SignedCalls.encoded(code), null),
        ChatRoom.class);
  }

  public Future<List<Member>> members(RoomId room) {
    return signed.pages(path(room) + "/members", "members", Member.class);
  }

  /// A message as it is now; of a deleted one its tombstone.
  public Future<ChatMessage> message(RoomId room, Seq seq) {
    return signed.ask(HttpAsk.get(path(room, seq)), ChatMessage.class);
  }

  public Future<HistoryPage> history(RoomId room, HistoryQuery query) {
    return signed.ask(HttpAsk.get(path(room) + "/messages" + query.text()), HistoryPage.class);
  }

  /// Sends without a socket.
  ///
  /// @param clientId new for each message, the same for each retry
  public Future<SentMessage> send(RoomId room, ClientId clientId, String body) {
    return send(room, clientId, body, null, null);
  }

  /// @param replyTo a message of the room
  public Future<SentMessage> send(
      RoomId room, ClientId clientId, String body, @Nullable Seq replyTo, @Nullable String topic) {
    ObjectNode content = content(clientId, body);
    if (replyTo != null) {
      content.put("reply_to", replyTo.value());
    }
    if (topic != null) {
      content.put("topic", topic);
    }
    HttpAsk ask = HttpAsk.repeatable(HttpMethod.POST, path(room) + "/messages", content);
    return whole(body).compose(_ -> signed.ask(ask, SentMessage.class));
  }

  /// @param clientId new for each edit, the same for each retry
  public Future<ChatMessage> edit(RoomId room, Seq seq, ClientId clientId, String body) {
    HttpAsk ask = HttpAsk.repeatable(HttpMethod.PATCH, path(room, seq), content(clientId, body));
    return whole(body).compose(_ -> signed.ask(ask, ChatMessage.class));
  }

  private static ObjectNode content(ClientId clientId, String body) {
    return ClientJson.object().put("client_id", clientId.value()).put("body", body);
  }

  private static Future<Void> whole(String body) {
    return SendLimits.halfPair("body", body)
        .<Future<Void>>map(Future::failedFuture)
        .orElseGet(Future::succeededFuture);
  }

  /// Deletes a message; one that is deleted already is taken as done.
  public Future<Void> delete(RoomId room, Seq seq) {
    return signed
        .ask(HttpAsk.repeatable(HttpMethod.DELETE, path(room, seq), null))
        .<Void>mapEmpty()
        .recover(
            failure ->
                failure instanceof ApiException refusal && refusal.is(ErrorCode.GONE)
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }

  /// Everything up to a message was read; answers how far.
  public Future<ReadMarker> markRead(RoomId room, Seq seq) {
    return signed.ask(
        HttpAsk.repeatable(HttpMethod.PUT, path(room) + "/read", upTo(seq)), ReadMarker.class);
  }

  /// A message and what follows is to be seen as unread.
  public Future<ReadMarker> markUnread(RoomId room, Seq seq) {
    return signed.ask(
        HttpAsk.repeatable(HttpMethod.PUT, path(room) + "/unread", upTo(seq)), ReadMarker.class);
  }

  private static ObjectNode upTo(Seq seq) {
    return ClientJson.object().put("seq", seq.value());
  }

  /// What the account has not read, in all of its rooms.
  public Future<UnreadRooms> unread() {
    return signed.ask(HttpAsk.get("/v1/unread"), UnreadRooms.class);
  }

  /// Which other members have read a message.
  public Future<List<ReadMarker>> readers(RoomId room, Seq seq) {
    return signed.pages(path(room) + "/readers?seq=" + seq, "readers", ReadMarker.class);
  }

  /// What a message said before, oldest first, and says now.
  public Future<List<MessageVersion>> versions(RoomId room, Seq seq) {
    return signed.pages(path(room, seq) + "/versions", "versions", MessageVersion.class);
  }

  /// One page of what happened in a room after a rev.
  public Future<EventPage> events(RoomId room, Epoch epoch, Rev after) {
    return signed.ask(
        HttpAsk.get(path(room) + "/events?epoch=" + epoch + "&after_rev=" + after),
        EventPage.class);
  }

  /// Reads a whole room, oldest first, line by line in constant memory. Fails when the last line
  /// does not say that it is whole.
  public Future<ExportEnd> export(RoomId room, LineSink sink) {
    return signed.ask(
        HttpAsk.stream(path(room) + "/export"),
        response -> new ExportReader(sink, SILENCE).read(response));
  }

  /// Closes the connections.
  public void close() {
    calls.close();
  }

  Vertx vertx() {
    return vertx;
  }

  Addresses addresses() {
    return addresses;
  }

  SignIn signIn() {
    return signIn;
  }

  private static String path(DeviceId device) {
    return "/v1/devices/" + SignedCalls.encoded(device.value());
  }

  private static String path(RoomId room) {
    return "/v1/rooms/" + room;
  }

  private static String path(RoomId room, Seq seq) {
    return path(room) + "/messages/" + seq;
  }
}
