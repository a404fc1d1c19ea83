package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand;
import io.confab.account.ServerRole;
import io.confab.contract.Contract;
import io.confab.contract.Golden;
import io.confab.contract.HttpContract;
import io.confab.contract.Mutations;
import io.confab.contract.Operation;
import io.confab.contract.Shape;
import io.confab.key.KeyCommand;
import io.confab.marker.MarkerCommand;
import io.confab.message.MessageCommand;
import io.confab.message.Sent;
import io.confab.operator.Readiness;
import io.confab.presence.PresenceCommand.PresenceViews;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Envelope;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.EventFrames;
import io.confab.protocol.FailureReason;
import io.confab.protocol.FullDevice;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.InvitesFrom;
import io.confab.protocol.Json;
import io.confab.protocol.Mention;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.Opaque;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.PresenceView;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomType;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.confab.protocol.Suite;
import io.confab.protocol.VisibleTo;
import io.confab.queue.EnvelopeCommand;
import io.confab.queue.EnvelopeSent;
import io.confab.queue.QueueCommand;
import io.confab.room.AuditAction;
import io.confab.room.RoomCommand;
import io.confab.seat.SeatAnswers;
import io.confab.seat.SeatState;
import io.confab.seat.Seats;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The answers over HTTP, the samples of them and openapi.yaml say the same.
@Timeout(120)
class GoldenAnswersTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final AccountId ANN = new AccountId(32);
  private static final AccountId BOB = new AccountId(33);
  private static final Epoch EPOCH = new Epoch(1);
  private static final long TIME = 1_700_000_000_123L;

  private static final Message SENT =
      new Message(
          ROOM,
          new Seq(3),
          new Rev(9),
          null,
          ANN,
          new ClientId("c-1"),
          MessageType.TEXT,
          "Hi \"all\"\n👍",
          new Seq(2),
          "News",
          null,
          TIME,
          null,
          null,
          null);
  private static final Message EDITED =
      new Message(
          ROOM,
          new Seq(3),
          new Rev(9),
          new Rev(12),
          ANN,
          new ClientId("c-1"),
          MessageType.TEXT,
          "Hello @bob, @all",
          new Seq(2),
          "News",
          List.of(Mention.ALL, Mention.of(BOB)),
          TIME,
          TIME + 333,
          null,
          null);
  private static final Message DELETED =
      new Message(
          ROOM,
          new Seq(3),
          new Rev(9),
          new Rev(13),
          ANN,
          new ClientId("c-1"),
          MessageType.TEXT,
          null,
          null,
          null,
          null,
          TIME,
          null,
          TIME + 666,
          BOB);

  /// What is answered, by the name of its sample.
  private static Map<String, Object> answers() {
    var bob = new AccountCommand.Account(BOB, "bob", "Bob");
    var me =
        new AccountCommand.Me(
            BOB,
            "bob",
            "Bob",
            InvitesFrom.SHARED_ROOMS,
            VisibleTo.SHARED_ROOMS,
            VisibleTo.NOBODY,
            false);
    var tokens = new TokenRoutes.TokenPair("a", "r", 900, BOB, new DeviceId("d"));
    Room group = room(RoomType.GROUP, "Tea", null);
    var member = new RoomCommand.Member(BOB, "bob", "Bob", Role.MEMBER, TIME, null);
    Map<String, Object> answers = new TreeMap<>();
    answers.put("signUp.201", bob);
    answers.put("readMe.200", me);
    answers.put("findAccounts.200", new AccountCommand.Accounts(List.of(bob)));
    answers.put("signIn.200", tokens);
    answers.put("refreshTokens.200", tokens);
    answers.put("issueTicket.200", new TokenRoutes.Ticket("t", 30));
    var state = new AccountCommand.AccountState(BOB, "bob", "Bob", ServerRole.USER, true);
    answers.put("changeMe.200", me);
    answers.put(
        "readPresence.200",
        new PresenceViews(
            List.of(new PresenceView(BOB, PresenceStatus.OFFLINE, TIME, "At lunch"))));
    answers.put("issueTokens.200", tokens);
    answers.put("suspendAccount.200", state);
    answers.put("restoreAccount.200", state);
    answers.put("readAccount.200", state);
    answers.put("listAccounts.200", new AccountCommand.AccountPage(List.of(state), BOB));
    answers.put("makeBot.201", new AdministrationRoutes.BotToken(BOB, "confab-bot-b"));
    answers.put(
        "renameDevice.200",
        new AccountCommand.SignedInDevice(
            new DeviceId("d"), "Laptop", "web", true, TIME, TIME, "api_key", null, null, null));
    answers.put(
        "listDevices.200",
        new AccountCommand.DevicePage(
            List.of(
                new AccountCommand.SignedInDevice(
                    new DeviceId("d"),
                    "Laptop",
                    "web",
                    true,
                    TIME,
                    TIME,
                    "api_key",
                    null,
                    17L,
                    Suite.OLM1),
                new AccountCommand.SignedInDevice(
                    new DeviceId("e"),
                    "Phone",
                    "web",
                    false,
                    TIME,
                    TIME,
                    null,
                    TIME + 333,
                    18L,
                    Suite.OLM1)),
            new DeviceId("d")));
    keys(answers);
    answers.put("block.200", new AccountCommand.Blocked(BOB));
    answers.put(
        "listBlocks.200",
        new AccountCommand.BlockPage(List.of(new AccountCommand.Blocked(BOB)), BOB));
    answers.put(
        "createAccounts.200",
        new AccountCommand.CreatedAccounts(
            List.of(
                new AccountCommand.Created(BOB, null),
                AccountCommand.Created.refused(
                    new Refusal(ErrorCode.CONFLICT, "handle", "taken")))));
    answers.put(
        "listRooms.200",
        new RoomCommand.Rooms(
            List.of(new RoomCommand.ListedRoom(group, new Seq(2), new Seq(1), 3, 1, SENT)), ROOM));
    var marker = new MarkerCommand.Marker(ROOM, ANN, new Seq(3), new Seq(3), new Seq(2));
    answers.put("markRead.200", marker);
    answers.put("markUnread.200", marker);
    answers.put(
        "listReaders.200",
        new MarkerCommand.Readers(List.of(new MarkerCommand.Reader(BOB, new Seq(3))), BOB));
    answers.put(
        "readUnread.200",
        new MarkerCommand.Unread(12, 1, List.of(new MarkerCommand.UnreadRoom(ROOM, 12, 1))));
    answers.put("createRoom.201", new RoomRoutes.MadeRoom(group, List.of(BOB)));
    answers.put("createRoom.200", new RoomRoutes.MadeRoom(room(RoomType.DIRECT, null, BOB), null));
    answers.put("getRoom.200", group);
    answers.put("join.200", group);
    answers.put(
        "findChannels.200",
        new RoomCommand.Channels(List.of(new RoomCommand.Channel(ROOM, "Tea", "a\nb", 2)), "Tea"));
    answers.put("listMembers.200", new RoomCommand.Members(List.of(member), BOB));
    answers.put(
        "addMembers.200",
        new RoomCommand.Additions(
            List.of(
                new RoomCommand.Added(ANN, null),
                new RoomCommand.Added(BOB, null),
                new RoomCommand.Added(
                    new AccountId(34),
                    AccountCommand.Fault.of(new Refusal(ErrorCode.NOT_FOUND, "no such account")))),
            List.of(BOB)));
    answers.put("putMember.200", member);
    answers.put("putMember.202", new RoomRoutes.Asked(BOB, true));
    answers.put(
        "listInvitations.200",
        new RoomCommand.Invitations(
            List.of(new RoomCommand.Invitation(ROOM, "Tea", 2, BOB, TIME)), ROOM));
    answers.put("acceptInvitation.200", group);
    answers.put("transferRoom.200", member);
    answers.put(
        "mute.200", new RoomCommand.Member(BOB, "bob", "Bob", Role.MEMBER, TIME, TIME + 333));
    answers.put("joinByInvite.200", group);
    answers.put(
        "changeRoom.200",
        new Room(
            ROOM,
            RoomType.GROUP,
            "Tea",
            null,
            null,
            Role.OWNER,
            HistoryRule.ALL,
            30,
            50L,
            20,
            true,
            2,
            true,
            null,
            EPOCH,
            new Seq(3),
            new Rev(5)));
    var ban = new RoomCommand.Ban(BOB, ANN, "noise", TIME);
    answers.put("ban.200", ban);
    answers.put("readSeats.200", new Seats(1, 20, 1, List.of(ANN), List.of(BOB)));
    answers.put(
        "enterRoom.200",
        SeatAnswers.of(null, ROOM, new SeatState.Waiting(4, 3, 9, 90L, "cGxhY2U", 1)));
    answers.put("letIn.200", SeatAnswers.of(null, ROOM, new SeatState.Inside(12, 20, 0)));
    answers.put("listBans.200", new RoomCommand.Bans(List.of(ban), BOB));
    var invite = new RoomCommand.Invite("aaaabbbbcccc", ANN, TIME, TIME + 333, 5L, 1);
    answers.put(
        "makeInvite.201", InviteRoutes.Made.of(new RoomCommand.NewInvite(new Secret("c"), invite)));
    answers.put("listInvites.200", new RoomCommand.Invites(List.of(invite), "aaaabbbbcccc"));
    answers.put(
        "readAudit.200",
        new RoomCommand.Audit(
            List.of(
                new RoomCommand.AuditEntry(
                    "4", AuditAction.MEMBER_BANNED, ANN, BOB, TIME, Map.of("reason", "noise"))),
            "4"));
    answers.put(
        "readHistory.200",
        new MessageCommand.HistoryPage(
            List.of(SENT, DELETED), true, false, EPOCH, new Seq(3), new Rev(13)));
    answers.put("sendMessage.201", sent(false));
    answers.put("sendMessage.200", sent(true));
    answers.put("sendEnvelope.201", envelope(ROOM, false));
    answers.put("sendEnvelope.200", envelope(ROOM, true));
    answers.put("sendEnvelopes.201", envelope(null, false));
    answers.put("sendEnvelopes.200", envelope(null, true));
    answers.put(
        "readDeliveries.200",
        new EnvelopeCommand.Deliveries(
            List.of(
                new EnvelopeCommand.AccountDeliveries(
                    BOB,
                    List.of(List.of(new Seq(1), new Seq(4)), List.of(new Seq(6), new Seq(6))),
                    new Seq(3),
                    List.of(new EnvelopeCommand.Failure(new Seq(5), FailureReason.EXPIRED))))));
    answers.put("readQueue.200", queue());
    answers.put("readMessage.200", EDITED);
    answers.put("editMessage.200", EDITED);
    answers.put("deleteMessage.200", DELETED);
    answers.put(
        "readVersions.200",
        new MessageCommand.Versions(
            List.of(
                new MessageCommand.Version("Hi", TIME),
                new MessageCommand.Version("Hello", TIME + 333)),
            "12"));
    answers.put("exportMessages.200", SENT);
    answers.put("exportMessages.200~end", new Export.End(true, EPOCH, new Seq(3), new Rev(13), 1));
    answers.put(
        "readEvents.200",
        HistoryRoutes.Events.of(
            new MessageCommand.LogPage(
                EPOCH,
                true,
                List.of(
                    EventFrames.message(SENT, EPOCH), EventFrames.hidden(ROOM, new Rev(14), EPOCH)),
                new Rev(14),
                false)));
    answers.put(
        "error",
        new Failures.ErrorContent(
            new Failures.Fault(
                ErrorCode.SLOW_MODE, "too soon", "body", true, 1_500L, null, "0123456789abcdef")));
    answers.put(
        "problem",
        Failures.Problem.of(
            "Too Many Requests",
            new Failures.Fault(
                ErrorCode.SLOW_MODE, "too soon", "body", true, 1_500L, null, "0123456789abcdef")));
    answers.put("ready.200", new Readiness.Report(List.of()));
    answers.put(
        "ready.503",
        new Readiness.Report(List.of(new Readiness.Failure("redis", "connection refused"))));
    answers.put("live.200", Map.of("live", true));
    return answers;
  }

  private static void keys(Map<String, Object> answers) {
    var vault = new KeyCommand.Vault(new Opaque("c2VjcmV0cw"));
    answers.put("uploadKeys.200", new KeyRoutes.Kept(17, 50));
    answers.put("changeIdentity.200", new KeyCommand.IdentityVersion(7));
    answers.put("readVault.200", vault);
    answers.put("keepVault.200", vault);
    answers.put(
        "queryKeys.200",
        new KeyCommand.KnownKeys(
            List.of(
                new KeyCommand.AccountKeys(
                    BOB,
                    7,
                    new Opaque("YWNjb3VudA"),
                    List.of(
                        new KeyCommand.KnownDevice(
                            new DeviceId("d"), 17, Suite.OLM1, new Opaque("c2lnbmVk"))))),
            List.of(new AccountId(34))));
    answers.put(
        "claimKeys.200",
        new KeyCommand.ClaimedKeys(
            List.of(
                new KeyCommand.ClaimedKey(
                    BOB, new DeviceId("d"), "AAAAAAAAAAI", new Opaque("b25l"), null, null),
                new KeyCommand.ClaimedKey(
                    BOB, new DeviceId("e"), "AAAAAAAAAAE", new Opaque("ZmFsbGJhY2s"), true, null),
                new KeyCommand.ClaimedKey(
                    BOB, new DeviceId("f"), null, null, null, ErrorCode.RATE_LIMITED))));
  }

  private static Room room(RoomType type, @Nullable String name, @Nullable AccountId peer) {
    return new Room(
        ROOM,
        type,
        name,
        null,
        peer,
        Role.OWNER,
        HistoryRule.ALL,
        null,
        null,
        null,
        null,
        2,
        true,
        null,
        EPOCH,
        new Seq(3),
        new Rev(5));
  }

  private static EnvelopeRoutes.Acknowledged envelope(@Nullable RoomId room, boolean duplicate) {
    return EnvelopeRoutes.Acknowledged.of(
        new EnvelopeSent(
            room,
            new ClientId("c-1"),
            room == null ? null : new Seq(3),
            TIME,
            duplicate,
            room == null ? null : List.of(new FullDevice(BOB, new DeviceId("d")))));
  }

  private static QueueRoutes.Queue queue() {
    Envelope envelope =
        new Envelope(
            ROOM,
            new Seq(3),
            ANN,
            new DeviceId("d"),
            new ClientId("c-1"),
            TIME,
            "cGF5bG9hZA",
            TIME + 3_600_000);
    return QueueRoutes.Queue.of(
        new QueueCommand.QueuePage(
            EPOCH,
            new QueueSeq(6),
            new QueueSeq(9),
            List.of(
                new QueueCommand.Waiting(
                    new QueueSeq(7),
                    EnvelopeFrames.head(new QueueSeq(7), "a2V5"),
                    EnvelopeFrames.tail(envelope, EPOCH)),
                new QueueCommand.Waiting(
                    new QueueSeq(8),
                    EnvelopeFrames.gone(new QueueSeq(8), EPOCH),
                    QueueCommand.Waiting.nothing()))),
        new QueueSeq(6),
        100);
  }

  private static Sent sent(boolean duplicate) {
    return new Sent(ROOM, new ClientId("c-1"), new Seq(3), new Rev(9), TIME, duplicate);
  }

  static Stream<Golden> samples() {
    return Golden.all("answer").stream();
  }

  static Stream<Golden> requests() {
    return Golden.all("request").stream();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void anAnswerIsItsSampleByteForByte(Golden sample) {
    Object answer = Objects.requireNonNull(answers().get(sample.file()), "nothing is made for it");

    assertThat(new String(Json.bytes(answer), StandardCharsets.UTF_8)).isEqualTo(sample.text());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void theDocumentAcceptsTheSampleAndNothingNearIt(Golden sample) {
    bites(answerShape(sample.name()), sample);
  }

  @ParameterizedTest
  @MethodSource("requests")
  void theDocumentAcceptsARequestAndNothingNearIt(Golden sample) {
    bites(requestShapes().get(sample.name()), sample);
  }

  private static void bites(@Nullable Shape shape, Golden sample) {
    Shape known = Objects.requireNonNull(shape, "the document does not know it");
    assertThat(known.faults(sample.json())).isEmpty();
    assertThat(Mutations.of(known.source(), sample.json()))
        .isNotEmpty()
        .allSatisfy(mutation -> assertThat(known.faults(mutation.json())).isNotEmpty());
  }

  @Test
  void everyAnswerAndEveryRequestHasASample() {
    Set<String> stated = new TreeSet<>(Set.of("error", "problem"));
    for (Operation operation : Contract.HTTP.operations()) {
      operation
          .responses()
          .forEach(
              (status, response) -> {
                Shape shape = response.shape();
                if (shape != null && hasFields(shape) && !isRefusal(shape)) {
                  stated.add(operation.id() + "." + status);
                }
              });
    }

    assertThat(Golden.all("answer")).extracting(Golden::name).hasSameElementsAs(stated);
    assertThat(Golden.all("request"))
        .extracting(Golden::name)
        .hasSameElementsAs(requestShapes().keySet());
  }

  private static boolean hasFields(Shape shape) {
    return Stream.of("properties", "allOf", "oneOf").anyMatch(shape.source()::has);
  }

  private static boolean isRefusal(Shape shape) {
    return shape.source().toString().contains("\"retryable\"");
  }

  private static Shape answerShape(String name) {
    if (name.equals("error")) {
      return Contract.HTTP.error();
    }
    if (name.equals("problem")) {
      return Contract.HTTP.problem();
    }
    int dot = name.indexOf('.');
    var response =
        operation(name.substring(0, dot)).responses().get(Integer.valueOf(name.substring(dot + 1)));
    return Objects.requireNonNull(Objects.requireNonNull(response).shape());
  }

  private static Operation operation(String id) {
    return Contract.HTTP.operations().stream()
        .filter(operation -> operation.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /// Those with fields, by operation.
  private static Map<String, Shape> requestShapes() {
    return HttpContract.bodies(Contract.HTTP.operations());
  }
}
