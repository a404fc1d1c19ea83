package io.confab.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.contract.Documents;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client can do what openapi.yaml offers: whoever adds an operation adds its call, or says
/// here why there is none.
@Timeout(120)
class OperationsTest {
  private static final Map<String, String> OF_ACCOUNTS =
      Map.ofEntries(
          Map.entry("signUp", "signUp"),
          Map.entry("findAccounts", "accounts"),
          Map.entry("signIn", "signIn"),
          Map.entry("signOut", "signOut"),
          Map.entry("readMe", "me"),
          Map.entry("changeMe", "rename"),
          Map.entry("removeMe", "removeAccount"),
          Map.entry("changePassword", "changePassword"),
          Map.entry("listDevices", "devices"),
          Map.entry("renameDevice", "renameDevice"),
          Map.entry("removeDevice", "removeDevice"),
          Map.entry("listBlocks", "blocks"),
          Map.entry("block", "block"),
          Map.entry("unblock", "unblock"));
  private static final Map<String, String> OF_ROOMS =
      Map.ofEntries(
          Map.entry("listRooms", "rooms"),
          Map.entry("createRoom", "createGroup"),
          Map.entry("getRoom", "room"),
          Map.entry("findChannels", "findChannels"),
          Map.entry("listMembers", "members"),
          Map.entry("addMembers", "add"),
          Map.entry("putMember", "add"),
          Map.entry("join", "join"),
          Map.entry("joinByInvite", "accept"),
          Map.entry("listInvitations", "invitations"),
          Map.entry("acceptInvitation", "accept"),
          Map.entry("declineInvitation", "decline"),
          Map.entry("readHistory", "history"),
          Map.entry("sendMessage", "send"),
          Map.entry("readMessage", "message"),
          Map.entry("editMessage", "edit"),
          Map.entry("deleteMessage", "delete"),
          Map.entry("readVersions", "versions"),
          Map.entry("markRead", "markRead"),
          Map.entry("markUnread", "markUnread"),
          Map.entry("listReaders", "readers"),
          Map.entry("readUnread", "unread"),
          Map.entry("readEvents", "events"),
          Map.entry("exportMessages", "export"));
  private static final Map<String, String> KEEPING =
      Map.ofEntries(
          Map.entry("changeRoom", "change"),
          Map.entry("archiveRoom", "archive"),
          Map.entry("removeMember", "remove"),
          Map.entry("listBans", "bans"),
          Map.entry("ban", "ban"),
          Map.entry("unban", "unban"),
          Map.entry("mute", "mute"),
          Map.entry("unmute", "unmute"),
          Map.entry("transferRoom", "transfer"),
          Map.entry("readAudit", "audit"),
          Map.entry("makeInvite", "invite"),
          Map.entry("listInvites", "invites"),
          Map.entry("deleteInvite", "revoke"));
  private static final Map<String, String> ADMINISTRATION =
      Map.of(
          "listAccounts", "accounts",
          "createAccounts", "create",
          "readAccount", "account",
          "removeAccount", "remove",
          "suspendAccount", "suspend",
          "restoreAccount", "restore",
          "makeBot", "bot",
          "issueTokens", "signIn");
  private static final Map<String, String> OF_SEATS =
      Map.of("readSeats", "numbers", "enterRoom", "enter", "letIn", "letIn", "exitRoom", "exit");
  private static final Map<String, String> OF_KEYS =
      Map.of(
          "uploadKeys", "publish",
          "changeIdentity", "sign",
          "readVault", "vault",
          "keepVault", "keepVault",
          "queryKeys", "query",
          "claimKeys", "claim");
  private static final Map<String, String> OF_PRESENCE =
      Map.of("readPresence", "of", "setPresence", "set");
  private static final Map<String, String> OF_SEALED_ROOMS =
      Map.of(
          "sendEnvelope", "send",
          "sendEnvelopes", "sendLoose",
          "readDeliveries", "deliveries");
  private static final String OF_QUEUES = "DeviceQueue follows the queue over the socket";
  private static final Map<String, String> WITHOUT_A_CALL =
      Map.ofEntries(
          Map.entry("webPage", "for browsers"),
          Map.entry("webFile", "for browsers"),
          Map.entry("webWorker", "for browsers"),
          Map.entry("webManifest", "for browsers"),
          Map.entry("refreshTokens", "each call renews its token by itself"),
          Map.entry("issueTicket", "for browsers, which cannot send a token with an upgrade"),
          Map.entry("openSocket", "ConfabClient opens it"),
          Map.entry("readQueue", OF_QUEUES),
          Map.entry("ackQueue", OF_QUEUES),
          Map.entry("rejectEnvelope", OF_QUEUES),
          Map.entry("live", "for who runs the nodes"),
          Map.entry("ready", "for who runs the nodes"),
          Map.entry("metrics", "for who runs the nodes"),
          Map.entry("manage", "for who runs the nodes"));

  @Test
  void eachOperationHasItsCallOrAReasonForNone() {
    Map<String, String> stated = new HashMap<>(WITHOUT_A_CALL);
    stated.putAll(OF_ACCOUNTS);
    stated.putAll(OF_ROOMS);
    stated.putAll(KEEPING);
    stated.putAll(OF_PRESENCE);
    stated.putAll(OF_SEATS);
    stated.putAll(OF_KEYS);
    stated.putAll(OF_SEALED_ROOMS);
    stated.putAll(ADMINISTRATION);
    Set<String> operations = new TreeSet<>();
    for (var path : new Documents().source(Documents.OPENAPI).get("paths")) {
      path.forEach(part -> operations.add(part.path("operationId").asText()));
    }
    operations.remove("");

    assertThat(stated.keySet()).isEqualTo(operations);
  }

  @Test
  void eachCallIsThere() {
    assertThat(calls(ConfabApi.class)).containsAll(OF_ACCOUNTS.values());
    assertThat(calls(ConfabApi.class)).containsAll(OF_ROOMS.values());
    assertThat(calls(RoomKeeping.class)).containsAll(KEEPING.values());
    assertThat(calls(RoomSeats.class)).containsAll(OF_SEATS.values());
    assertThat(calls(OwnKeys.class)).containsAll(OF_KEYS.values());
    assertThat(calls(SealedCalls.class)).containsAll(OF_SEALED_ROOMS.values());
    assertThat(calls(Presences.class)).containsAll(OF_PRESENCE.values());
    assertThat(calls(Administration.class)).containsAll(ADMINISTRATION.values());
  }

  private static Set<String> calls(Class<?> type) {
    Set<String> names = new TreeSet<>();
    Arrays.stream(type.getMethods()).map(Method::getName).forEach(names::add);
    return names;
  }
}
