package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/// The rules of the real client, driven by somebody else's network and time.
public final class SimulatedClient {
  private final SessionRules rules;
  private final Driver driver;

  /// Carries out what the rules want.
  public interface Driver {
    void connect(int server);

    void transmit(ObjectNode frame);

    void hangUp();

    void readHistory(RoomId room, Reading reading);

    void readEvents(RoomId room, Epoch epoch, Rev after, Reading reading);

    void listRooms();

    /// By a new sign-in, where the former one is over.
    void renewToken();

    void state(ConnectionState state, String why);

    void removed(RoomId room);

    void update(RoomUpdate update);

    void settled(ClientId clientId, boolean stored);
  }

  /// A read that waits for its answer.
  public record Reading(Action action) {}

  public SimulatedClient(
      int servers, List<RoomPosition> positions, RandomGenerator random, Driver driver) {
    this.driver = driver;
    this.rules =
        new SessionRules(
            servers,
            ClientOptions.usual().readsNewest(_ -> true).positions(positions),
            random,
            this::act);
  }

  private void act(Action action) {
    switch (action) {
      case Action.Connect(int server) -> driver.connect(server);
      case Action.Transmit(ObjectNode frame) -> driver.transmit(frame);
      case Action.HangUp() -> driver.hangUp();
      case Action.RenewToken() -> driver.renewToken();
      case Action.ReadHistory read -> driver.readHistory(read.room(), new Reading(read));
      case Action.ReadEvents read ->
          driver.readEvents(read.room(), read.epoch(), read.after(), new Reading(read));
      case Action.ListRooms() -> driver.listRooms();
      case Action.StateChanged change -> driver.state(change.state(), change.why());
      case Action.Added _ -> {}
      case Action.Removed(RoomId room, _) -> driver.removed(room);
      case Action.Update(RoomUpdate update) -> driver.update(update);
      case Action.Signal _, Action.Watched _, Action.Queue _, Action.NotEntered _ -> {}
      case Action.Stored(SentMessage message) -> driver.settled(message.clientId(), true);
      case Action.Delayed _ -> {}
      case Action.Failed(ClientId clientId, _) -> driver.settled(clientId, false);
    }
  }

  public void connect(long now) {
    rules.connect(now);
  }

  public void send(RoomId room, ClientId clientId, String body, long now) {
    rules.send(new Outgoing(room, clientId, body, null, null), now);
  }

  public void opened(long now) {
    rules.opened(now);
  }

  public void unopened(long now) {
    rules.unopened(now);
  }

  public void tokenRenewed(long now) {
    rules.tokenRenewed(now);
  }

  public void closed(int code, long now) {
    rules.closed(code, now);
  }

  public void frame(JsonNode frame, long now) {
    rules.frame(frame, now);
  }

  public void tick(long now) {
    rules.tick(now);
  }

  public OptionalLong deadline() {
    return rules.deadline();
  }

  public List<RoomPosition> positions() {
    return rules.positions();
  }

  /// The newest page has come.
  public void historyRead(Reading reading, List<Message> messages, RoomPosition stands, long now) {
    List<ChatMessage> page = messages.stream().map(SimulatedClient::shown).toList();
    rules.historyRead(
        (Action.ReadHistory) reading.action(),
        new HistoryPage(page, false, false, stands.epoch(), stands.seq(), stands.rev()),
        now);
  }

  /// A page of events has come.
  public void eventsRead(
      Reading reading,
      boolean recovered,
      List<byte[]> frames,
      RoomPosition to,
      boolean more,
      long now) {
    List<ObjectNode> events =
        frames.stream().map(frame -> (ObjectNode) ClientJson.tree(frame)).toList();
    rules.eventsRead(
        (Action.ReadEvents) reading.action(),
        new EventPage(to.epoch(), recovered, events, to.rev(), more),
        now);
  }

  public void readFailed(Reading reading, boolean gone, long now) {
    String code = gone ? "not_found" : ApiException.UNREACHABLE;
    rules.readFailed((Action.Read) reading.action(), ApiException.local(code, "no"), now);
  }

  private static ChatMessage shown(Message message) {
    return new ChatMessage(
        message.roomId(),
        message.seq(),
        message.rev(),
        message.changedRev(),
        message.senderId(),
        message.clientId(),
        message.type().wire(),
        message.body(),
        message.replyTo(),
        message.topic(),
        message.mentions(),
        message.ts(),
        message.editedAt(),
        message.deletedAt(),
        message.deletedBy());
  }

  public static JsonNode tree(byte[] json) {
    return ClientJson.tree(json);
  }

  public static RoomPosition position(RoomId room, Epoch epoch, long seq, long rev) {
    return new RoomPosition(room, epoch, new Seq(seq), new Rev(rev));
  }
}
