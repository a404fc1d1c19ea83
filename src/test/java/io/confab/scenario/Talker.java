package io.confab.scenario;

import io.confab.client.ChatMessage;
import io.confab.client.ClientListener;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.CredentialStore;
import io.confab.client.RoomUpdate;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.testing.Futures;
import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A person who talks through the client library and writes down what it shows.
public final class Talker {
  private static final Secret PASSWORD = new Secret("correct horse");

  private final ConfabApi api;
  private final AccountId account;
  private final ConfabClient client;
  private final Map<RoomId, List<ChatMessage>> shown = new ConcurrentHashMap<>();
  private final Map<RoomId, List<ChatMessage>> view = new ConcurrentHashMap<>();
  private final AtomicInteger resets = new AtomicInteger();

  private Talker(ConfabApi api, AccountId account) {
    this.api = api;
    this.account = account;
    this.client = new ConfabClient(api, ClientOptions.usual(), new ClientListener() {});
    Disposable _ = client.updates().subscribe(this::note); // ends with the client
  }

  /// @param ports of the servers, the first one first
  public static Talker signUp(Vertx vertx, String handle, List<Integer> ports) {
    List<URI> servers = ports.stream().map(port -> URI.create("http://127.0.0.1:" + port)).toList();
    ConfabApi api = new ConfabApi(vertx, servers, CredentialStore.memory());
    Futures.get(api.signUp(handle, PASSWORD, null));
    AccountId account =
        Futures.get(api.signIn(handle, PASSWORD, new DeviceInfo(null, "test", "test"))).accountId();
    return new Talker(api, account);
  }

  private void note(RoomUpdate update) {
    if (update instanceof RoomUpdate.Said(ChatMessage message)) {
      shown.computeIfAbsent(message.roomId(), _ -> new CopyOnWriteArrayList<>()).add(message);
      view.computeIfAbsent(message.roomId(), _ -> new CopyOnWriteArrayList<>()).add(message);
    } else if (update instanceof RoomUpdate.Reset reset) {
      view.put(reset.roomId(), new CopyOnWriteArrayList<>(reset.page().messages()));
      resets.incrementAndGet();
    }
  }

  public ConfabApi api() {
    return api;
  }

  public AccountId account() {
    return account;
  }

  public ConfabClient client() {
    return client;
  }

  public Future<Void> connect() {
    return client.connect();
  }

  /// The messages that were shown, in the order in which they were.
  public List<ChatMessage> saw(RoomId room) {
    return shown.getOrDefault(room, List.of());
  }

  /// What a window shows: the last page that took the place of all, and what was said since.
  public List<String> view(RoomId room) {
    return view.getOrDefault(room, List.of()).stream().map(ChatMessage::body).toList();
  }

  /// How often a log began anew.
  public int resets() {
    return resets.get();
  }

  public void close() {
    Futures.get(client.close());
    api.close();
  }
}
