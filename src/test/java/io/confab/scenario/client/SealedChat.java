package io.confab.scenario.client;

import static io.confab.testing.Futures.get;

import io.confab.client.ClientListener;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.CredentialStore;
import io.confab.client.Credentials;
import io.confab.client.QueueEvent;
import io.confab.client.RoomSignal;
import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.Linking;
import io.confab.client.sealed.SealedDevice;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.SealedStore;
import io.confab.client.sealed.Warning;
import io.confab.client.sealedroom.SealedListener;
import io.confab.client.sealedroom.SealedRooms;
import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A program with sealed rooms: a device of somebody's, what it shows and what it warns of.
public final class SealedChat implements ClientListener, SealedListener {
  private static final Secret PASSWORD = new Secret("correct horse");

  public final ConfabApi api;
  final Credentials me;
  final SealedStore store;
  public final SealedRooms rooms;
  final List<SealedLine> shown = new CopyOnWriteArrayList<>();
  final List<String> unheard = new CopyOnWriteArrayList<>();
  final List<Warning> warnings = new CopyOnWriteArrayList<>();
  public final List<SealedState> states = new CopyOnWriteArrayList<>();
  private final ConfabClient client;

  private SealedChat(Vertx vertx, ConfabApi api, Path folder, @Nullable SealedChat linkedBy) {
    this.api = api;
    me = get(api.credentials());
    store = SealedStore.open(folder);
    if (linkedBy != null) {
      Linking.link(linkedBy.store, store, me.accountId(), me.deviceId());
    }
    client = new ConfabClient(api, ClientOptions.usual(), this);
    SealedDevice device = SealedDevice.open(store, me.accountId(), me.deviceId());
    rooms = new SealedRooms(vertx, api, client, me, device, this);
    Disposable _ = client.updates().subscribe(rooms::updated); // ends with the client
    get(client.connect());
  }

  /// The first device of somebody new.
  public static SealedChat of(String handle, Vertx vertx, int port, Path folder) {
    ConfabApi api = api(vertx, port);
    get(api.signUp(handle, PASSWORD, null));
    return signedIn(api, handle, vertx, folder, null);
  }

  /// Another device of theirs.
  SealedChat another(String handle, Vertx vertx, int port, Path folder) {
    return signedIn(api(vertx, port), handle, vertx, folder, this);
  }

  /// The same, but not linked to it.
  SealedChat stranger(String handle, Vertx vertx, int port, Path folder) {
    return signedIn(api(vertx, port), handle, vertx, folder, null);
  }

  private static SealedChat signedIn(
      ConfabApi api, String handle, Vertx vertx, Path folder, @Nullable SealedChat linkedBy) {
    get(api.signIn(handle, PASSWORD, new DeviceInfo(null, "test", "test")));
    return new SealedChat(vertx, api, folder, linkedBy);
  }

  private static ConfabApi api(Vertx vertx, int port) {
    return new ConfabApi(
        vertx, List.of(URI.create("http://127.0.0.1:" + port)), CredentialStore.memory());
  }

  public AccountId account() {
    return me.accountId();
  }

  public List<String> texts() {
    return shown.stream().map(SealedLine::text).toList();
  }

  /// What is kept, in the order of the room.
  List<String> kept(RoomId room) {
    return get(rooms.lines(room, null, 1_000)).stream().map(SealedLine::text).toList();
  }

  public List<Doubt> doubts() {
    return warnings.stream().map(Warning::doubt).toList();
  }

  public void close() {
    get(client.close());
    get(rooms.close());
    api.close();
  }

  @Override
  public void queued(QueueEvent event) {
    rooms.queued(event);
  }

  @Override
  public void signalled(RoomSignal signal) {
    rooms.signalled(signal);
  }

  @Override
  public void shown(SealedLine line) {
    shown.add(line);
  }

  @Override
  public void released(List<SealedLine> lines) {
    shown.addAll(lines);
  }

  @Override
  public void unheard(SealedLine line) {
    unheard.add(line.text());
  }

  @Override
  public void warned(Warning warning) {
    warnings.add(warning);
  }

  @Override
  public void state(SealedState state) {
    states.add(state);
  }
}
