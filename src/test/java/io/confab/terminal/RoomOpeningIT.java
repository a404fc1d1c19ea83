package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ChatRoom;
import io.confab.client.ClientListener;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.CredentialStore;
import io.confab.client.Credentials;
import io.confab.client.sealed.KnownSeal;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealedroom.Fate;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import io.confab.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What a window takes a room for when it is opened, whatever the server says of it.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class RoomOpeningIT {
  private static final AccountId ANN = AccountId.parse("0000000000ann");
  private static final AccountId BEN = AccountId.parse("0000000000ben");
  private static final RoomId ROOM = RoomId.parse(MuteServer.ROOM);

  private final StringWriter out = new StringWriter();
  private final List<SealedLine> kept = new ArrayList<>();
  private final RoomView view;
  private final RoomOpening opening;
  private final OpenRoom open;
  private final ConfabApi api;
  private volatile String refusal = "";
  private volatile boolean saysSealed;
  private @Nullable KnownSeal known;
  private long now;

  RoomOpeningIT(Vertx vertx) {
    CredentialStore store = CredentialStore.memory();
    Futures.get(
        store.save(
            new Credentials(ANN, new DeviceId("d"), new Secret("access"), new Secret("refresh"))));
    int port =
        Futures.get(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"))
            .actualPort();
    api = new ConfabApi(vertx, List.of(URI.create("http://127.0.0.1:" + port)), store);
    PlainScreen screen = new PlainScreen(new PrintWriter(out), false);
    Receipts receipts = new Receipts();
    ChatQueue queue = new ChatQueue();
    Rooms rooms = new Rooms();
    view =
        new RoomView(
            new Transcript(ZoneOffset.UTC, ANN, AccountId::toString, receipts), _ -> {}, screen);
    SealedOpening sealing =
        new SealedOpening(
            rooms,
            screen,
            new SealedNotices(screen, ANN, AccountId::toString, ""),
            new SealedStates(rooms, receipts, queue, screen, AccountId::toString),
            new SealedStatus(rooms, _ -> Future.succeededFuture(List.of()), ANN, queue, screen));
    Names names = new Names(api);
    SeatNotices seats = new SeatNotices(screen, names::title);
    opening = new RoomOpening(api, screen, names, seats, view, sealing);
    ConfabClient client = new ConfabClient(api, ClientOptions.usual(), new ClientListener() {});
    open = new OpenRoom(opening, view, new Reading(client), new News(ANN), rooms, () -> now);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private final class Rooms implements SealedAccess {
    @Override
    public Future<Void> sealed(RoomId room, KnownSeal seal) {
      known = seal;
      return Future.succeededFuture();
    }

    @Override
    public Future<Optional<KnownSeal>> seal(RoomId room) {
      return Future.succeededFuture(Optional.ofNullable(known));
    }

    @Override
    public Future<List<SealedLine>> lines(RoomId room, @Nullable Seq before, int most) {
      return Future.succeededFuture(List.copyOf(kept));
    }

    @Override
    public Future<Void> follow(RoomId room, Seq from) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Fate> fate(RoomId room, Seq seq) {
      return Future.succeededFuture(new Fate(Set.of(BEN), Map.of(), Set.of(BEN)));
    }
  }

  private void answer(HttpServerRequest request) {
    String room = "/v1/rooms/" + ROOM;
    if (request.path().equals(room + "/messages") && !refusal.isEmpty()) {
      JsonObject error =
          new JsonObject()
              .put("code", refusal)
              .put("message", "not now")
              .put("retryable", refusal.equals("unavailable"));
      request.response().setStatusCode(403);
      request.response().end(new JsonObject().put("error", error).encode());
    } else {
      request.response().end(body(request.path(), room).encode());
    }
  }

  private JsonObject body(String path, String room) {
    if (path.equals("/v1/rooms")) {
      return new JsonObject().put("rooms", new JsonArray().add(team(false)));
    }
    return path.equals(room)
        ? team(saysSealed)
        : new JsonObject()
            .put("messages", new JsonArray())
            .put("has_older", false)
            .put("has_newer", false)
            .put("epoch", 1)
            .put("seq", 4)
            .put("rev", 9);
  }

  private static JsonObject team(boolean sealed) {
    JsonObject team =
        new JsonObject()
            .put("room_id", ROOM.toString())
            .put("type", "group")
            .put("name", "team")
            .put("member_count", 2)
            .put("epoch", 1)
            .put("seq", 4)
            .put("rev", 9);
    return sealed
        ? team.put(
            "encryption",
            new JsonObject().put("suite", "olm1").put("from_seq", 3).put("from_rev", 5))
        : team;
  }

  private void open() {
    ChatRoom listed = api.rooms().await().getFirst();
    opening.open(listed);
  }

  @Test
  void aRoomThatWasSealedAfterTheListWasReadIsOpenedAsSealed() {
    saysSealed = true;
    open();

    assertThat(view.seal()).contains(new RoomSeal("olm1", new Seq(3)));
    assertThat(known).isEqualTo(new KnownSeal("olm1", new Seq(3)));
    assertThat(out.toString()).doesNotContain("stays so");
  }

  @Test
  void aRefusedHistoryMakesNoSealedRoomPlain() {
    known = new KnownSeal("olm1", new Seq(3));
    refusal = "no_seat";
    open();

    assertThat(view.isClosed()).isTrue();
    assertThat(view.seal()).contains(new RoomSeal("olm1", new Seq(3)));
  }

  @Test
  void aServerThatCannotSayWhetherARoomIsReadableNowIsAskedAgain() {
    refusal = "no_seat";
    open();
    refusal = "unavailable";
    open.goOn(ROOM);
    now += Duration.ofMinutes(1).toNanos();
    open.goOnAgain();
    assertThat(view.isClosed()).isTrue();

    refusal = "";
    open.goOnAgain();
    assertThat(view.isClosed()).as("not at once").isTrue();
    now += Duration.ofMinutes(1).toNanos();
    open.goOnAgain();
    assertThat(view.isClosed()).isFalse();
  }

  @Test
  void aRoomThatWasTakenForPlainIsLookedAtAgain() {
    open();
    assertThat(view.seal()).isEmpty();

    saysSealed = true;
    opening.lookAgain(new RoomId(77));
    assertThat(view.seal()).isEmpty();
    opening.lookAgain(ROOM);
    assertThat(view.seal()).isPresent();
    assertThat(known).isNotNull();
  }

  @Test
  void ownLinesArePrintedWithWhatBecameOfThem() {
    saysSealed = true;
    kept.add(
        new SealedLine(
            ROOM,
            new Seq(4),
            ANN,
            new DeviceId("d"),
            new ClientId("c"),
            0,
            "hi",
            null,
            null,
            null));
    open();

    assertThat(out.toString()).contains("#4 🔒 ✓✓ " + ANN + ": hi (read)");
  }
}
