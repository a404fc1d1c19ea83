package io.confab.access;

import io.confab.access.Attempt.Bye;
import io.confab.access.Attempt.Call;
import io.confab.access.Attempt.FirstFrame;
import io.confab.access.Attempt.Frame;
import io.confab.access.Attempt.Hello;
import io.confab.access.Attempt.Listing;
import io.confab.access.Attempt.Upgrade;
import java.util.Set;
import java.util.TreeMap;

/// How each row of the matrix is tried.
final class Attempts {
  private static final String ROOM = "/v1/rooms/{room_id}";
  private static final String SAID = "{'client_id':'{unique}','body':'Said anew'}";
  private static final String SEALED =
      "'client_id':'{unique}','devices':'0123456789abcdef','payload':'Sealed'";
  private static final String ADMIN_ACCOUNT = "/v1/admin/accounts/{victim}";

  private final TreeMap<String, Attempt> actions = new TreeMap<>();

  Attempts() {
    rooms();
    members();
    moderation();
    messages();
    sockets();
    ownAccount();
    administration();
    management();
  }

  Set<String> names() {
    return actions.keySet();
  }

  Attempt of(Row row) {
    Attempt action = actions.get(row.action());
    if (action == null) {
      throw new AssertionError("nobody knows how to do " + row.action());
    }
    return action;
  }

  private void rooms() {
    get("getRoom", ROOM);
    actions.put("listRooms", new Listing("/v1/rooms?after={before_room}"));
    actions.put("findChannels", new Listing("/v1/channels?query={name}"));
    call("changeRoom", "PATCH", ROOM, "{'description':'Other words {unique}'}");
    call("changeRoom seal", "PATCH", ROOM, "{'encryption':{'suite':'{suite}'}}");
    call("changeRoom expiry", "PATCH", ROOM, "{'expires_in_s':0}");
    call("archiveRoom", "DELETE", ROOM, "");
    call("join", "POST", ROOM + "/join", "");
    call("joinByInvite", "POST", "/v1/invites/{code}", "");
    get("listInvitations", "/v1/me/invitations");
    call("acceptInvitation", "POST", "/v1/me/invitations/{room_id}", "");
    call("declineInvitation", "DELETE", "/v1/me/invitations/{room_id}", "");
    call("makeInvite", "POST", ROOM + "/invites", "");
    get("listInvites", ROOM + "/invites");
    call("deleteInvite", "DELETE", ROOM + "/invites/{old_code}", "");
    get("readAudit", ROOM + "/audit");
    call("createRoom group", "POST", "/v1/rooms", "{'type':'group','name':'{unique}'}");
    call("createRoom channel", "POST", "/v1/rooms", "{'type':'channel','name':'{unique}'}");
    call("createRoom direct", "POST", "/v1/rooms", "{'type':'direct','members':['{new}']}");
  }

  private void members() {
    String members = ROOM + "/members";
    get("listMembers", members);
    call("removeMember me", "DELETE", members + "/me", "");
    call("removeMember a member", "DELETE", members + "/{member}", "");
    call("removeMember an admin", "DELETE", members + "/{admin}", "");
    call("removeMember an owner", "DELETE", members + "/{owner}", "");
    call("putMember a new one", "PUT", members + "/{new}", "");
    call("putMember a new admin", "PUT", members + "/{new}", "{'role':'admin'}");
    call("putMember a member as admin", "PUT", members + "/{member}", "{'role':'admin'}");
    call("putMember an admin as member", "PUT", members + "/{admin}", "{'role':'member'}");
    call("putMember an owner as member", "PUT", members + "/{owner}", "{'role':'member'}");
    call("addMembers", "POST", members, "{'accounts':['{new}']}");
    call("transferRoom", "PUT", ROOM + "/owner/{member}", "");
    get("readSeats", ROOM + "/seats");
    call("enterRoom", "POST", ROOM + "/seats", "");
    call("letIn", "PUT", ROOM + "/seats/{member}", "");
    call("exitRoom me", "DELETE", ROOM + "/seats/me", "");
    call("exitRoom another", "DELETE", ROOM + "/seats/{member}", "");
  }

  private void moderation() {
    String until = "{'until':4000000000000}";
    get("listBans", ROOM + "/bans");
    call("ban a member", "PUT", ROOM + "/bans/{member}", "{'reason':'Why not'}");
    call("ban a stranger", "PUT", ROOM + "/bans/{new}", "");
    call("ban an admin", "PUT", ROOM + "/bans/{admin}", "");
    call("ban an owner", "PUT", ROOM + "/bans/{owner}", "");
    call("unban", "DELETE", ROOM + "/bans/{banned}", "");
    call("mute a member", "PUT", ROOM + "/mutes/{member}", until);
    call("mute an admin", "PUT", ROOM + "/mutes/{admin}", until);
    call("mute an owner", "PUT", ROOM + "/mutes/{owner}", until);
    call("unmute", "DELETE", ROOM + "/mutes/{muted}", "");
  }

  private void messages() {
    String messages = ROOM + "/messages";
    get("readHistory", messages);
    get("readEvents", ROOM + "/events?epoch={epoch}&after_rev=0");
    get("exportMessages", ROOM + "/export");
    get("readMessage", messages + "/{another's}");
    get("readVersions", messages + "/{another's}/versions");
    get("listReaders", ROOM + "/readers?seq={another's}");
    call("markRead", "PUT", ROOM + "/read", "{'seq':{another's}}");
    call("markUnread", "PUT", ROOM + "/unread", "{'seq':{another's}}");
    call("sendMessage", "POST", messages, SAID);
    call("editMessage own", "PATCH", messages + "/{own}", SAID);
    call("editMessage another's", "PATCH", messages + "/{another's}", SAID);
    call("deleteMessage own", "DELETE", messages + "/{own}", "");
    call("deleteMessage another's", "DELETE", messages + "/{another's}", "");
    call("sendEnvelope", "POST", ROOM + "/envelopes", "{" + SEALED + "}");
    get("readDeliveries", ROOM + "/deliveries");
  }

  private void sockets() {
    String said = ",'client_id':'{unique}','body':'Said anew'";
    frame("message.send", "'room_id':'{room_id}'" + said);
    frame("message.edit own", "'room_id':'{room_id}','seq':{own}" + said);
    frame("message.edit another's", "'room_id':'{room_id}','seq':{another's}" + said);
    frame("message.delete own", "'room_id':'{room_id}','seq':{own}");
    frame("message.delete another's", "'room_id':'{room_id}','seq':{another's}");
    frame("envelope.send", "'room_id':'{room_id}'," + SEALED);
    frame("read", "'room_id':'{room_id}','seq':{another's}");
    frame("delivered", "'room_id':'{room_id}','seq':{another's}");
    frame("mark_unread", "'room_id':'{room_id}','seq':{another's}");
    frame("typing", "'room_id':'{room_id}'");
    frame("typing.stop", "'room_id':'{room_id}'");
    frame("room.enter", "'room_id':'{room_id}'");
    frame("room.exit", "'room_id':'{room_id}'");
    frame("presence.watch", "'rooms':['{room_id}']");
    frame("presence.set", "'status':'away'");
    actions.put(
        "socket:resume",
        new FirstFrame(
            new Frame(
                "{'type':'resume','rooms':[{'room_id':'{room_id}','epoch':{epoch},'rev':0}],"
                    + "'last':false}")));
    actions.put("openSocket", new Upgrade());
    actions.put("socket:hello", new Hello());
    frame("token", "'token':'{token}'");
    actions.put("socket:ping", new Frame("{'type':'ping'}"));
    actions.put("socket:queue.open", new Frame("{'type':'queue.open','after':0}"));
    actions.put("socket:queue.ack", new Frame("{'type':'queue.ack','queue_seq':1}"));
    actions.put(
        "socket:queue.reject", new Frame("{'type':'queue.reject','queue_seq':1,'reason':'r'}"));
    actions.put("socket:bye", new Bye());
  }

  private void ownAccount() {
    get("webPage", "/");
    get("webFile", "/assets/none.js");
    get("webWorker", "/sw.js");
    get("webManifest", "/manifest.webmanifest");
    call("signUp", "POST", "/v1/accounts", "{'handle':'{unique}','password':'{password}'}");
    call("signIn", "POST", "/v1/tokens", "{'handle':'{handle}','password':'{password}'}");
    call("refreshTokens", "POST", "/v1/tokens/refresh", "{'refresh_token':'{refresh_token}'}");
    call("signOut", "DELETE", "/v1/tokens", "");
    call("issueTicket", "POST", "/v1/tickets", "");
    get("readMe", "/v1/me");
    get("readUnread", "/v1/unread");
    call("changeMe", "PATCH", "/v1/me", "{'display_name':'{handle}'}");
    call("changePassword", "PUT", "/v1/me/password", "{'old':'{password}','new':'{password}'}");
    call("removeMe", "DELETE", "/v1/me", "{'password':'{password}'}");
    call("renameDevice", "PATCH", "/v1/devices/{device}", "{'name':'Other'}");
    get("listDevices", "/v1/devices");
    call("removeDevice", "DELETE", "/v1/devices/{device}", "");
    get("findAccounts", "/v1/accounts?ids={new}");
    get("listBlocks", "/v1/blocks");
    call(
        "sendEnvelopes",
        "POST",
        "/v1/envelopes",
        "{'client_id':'{unique}','envelopes':[{'account_id':'{new}','device_id':'d',"
            + "'registration_id':1,'body':'Sealed'}]}");
    get("readQueue", "/v1/queue");
    call("ackQueue", "POST", "/v1/queue/ack", "{'queue_seq':1}");
    call("rejectEnvelope", "POST", "/v1/queue/reject", "{'queue_seq':1,'reason':'r'}");
    call("uploadKeys", "PUT", "/v1/me/keys", "{'suite':'olm1','identity':'{handle}'}");
    call("changeIdentity", "PUT", "/v1/me/identity", "{'identity':'{handle}'}");
    get("readVault", "/v1/me/vault");
    call("keepVault", "PUT", "/v1/me/vault", "{'vault':'{handle}'}");
    call("queryKeys", "POST", "/v1/keys/query", "{'accounts':['{new}']}");
    call(
        "claimKeys",
        "POST",
        "/v1/keys/claim",
        "{'devices':[{'account_id':'{new}','device_id':'d'}]}");
    get("readPresence", "/v1/presence?accounts={new}");
    call("setPresence", "PUT", "/v1/me/presence", "{'status':'away'}");
    call("block", "PUT", "/v1/blocks/{victim}", "");
    call("unblock", "DELETE", "/v1/blocks/{victim}", "");
  }

  private void administration() {
    call("createAccounts", "POST", "/v1/admin/accounts", "{'accounts':[{'handle':'{unique}'}]}");
    call("issueTokens", "POST", "/v1/admin/tokens", "{'account_id':'{victim}'}");
    get("listAccounts", "/v1/admin/accounts");
    get("readAccount", ADMIN_ACCOUNT);
    call("makeBot", "POST", "/v1/admin/bots", "{'handle':'{unique}'}");
    call("suspendAccount", "POST", ADMIN_ACCOUNT + "/suspend", "");
    call("restoreAccount", "POST", ADMIN_ACCOUNT + "/restore", "");
    call("removeAccount", "DELETE", ADMIN_ACCOUNT, "");
  }

  private void management() {
    get("live", "/health/live");
    get("ready", "/health/ready");
    get("metrics", "/metrics");
    call("manage", "POST", "/manage/account", "{}");
  }

  private void get(String name, String path) {
    call(name, "GET", path, "");
  }

  private void call(String name, String method, String path, String body) {
    actions.put(name, new Call(method, path, body));
  }

  private void frame(String name, String fields) {
    String type = name.split(" ", 2)[0];
    actions.put(Row.SOCKET + name, new Frame("{'type':'" + type + "'," + fields + "}"));
  }
}
