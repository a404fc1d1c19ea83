package io.confab.chaos;

import io.confab.scenario.ApiClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/// Accounts and rooms with a capacity, made by a backend, which is cheap: each account is a member
/// of some of the rooms, and each room has as many members as the others, but for one.
final class SeatCrowd {
  private static final int ACCOUNTS_PER_CALL = 1_000;
  private static final int CALLERS = 4;

  private final int port;
  private final Size size;

  /// @param each how many rooms an account enters
  record Size(int accounts, int rooms, int each, int capacity) {
    /// The rooms of an account.
    int[] roomsOf(int account) {
      int[] its = new int[each];
      for (int i = 0; i < each; i++) {
        its[i] = (account * each + i) % rooms;
      }
      return its;
    }
  }

  /// @param tokens by account
  record Made(List<String> rooms, List<String> tokens) {}

  private SeatCrowd(int port, Size size) {
    this.port = port;
    this.size = size;
  }

  static Made make(int port, Size size) {
    SeatCrowd crowd = new SeatCrowd(port, size);
    List<String> accounts = new ArrayList<>();
    while (accounts.size() <= size.accounts()) { // the last one owns the rooms
      int missing = size.accounts() + 1 - accounts.size();
      accounts.addAll(crowd.accounts(Math.min(ACCOUNTS_PER_CALL, missing)));
    }
    List<List<String>> members = new ArrayList<>();
    for (int room = 0; room < size.rooms(); room++) {
      members.add(new ArrayList<>());
    }
    for (int account = 0; account < size.accounts(); account++) {
      for (int room : size.roomsOf(account)) {
        members.get(room).add(accounts.get(account));
      }
    }
    String owner = accounts.getLast();
    List<String> rooms = all(size.rooms(), room -> crowd.room(owner, members.get(room)));
    List<String> tokens = all(size.accounts(), account -> crowd.token(accounts.get(account)));
    return new Made(rooms, tokens);
  }

  private ApiClient backend(Map<String, String> more) {
    Map<String, String> headers = new HashMap<>(more);
    headers.put("authorization", "Key " + Stage.API_KEY);
    return ApiClient.withHeaders(port, headers);
  }

  private static <T> List<T> all(int count, IntFunction<T> make) {
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      List<Callable<T>> calls = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        calls.add(() -> make.apply(number));
      }
      List<T> made = new ArrayList<>();
      for (Future<T> each : callers.invokeAll(calls)) {
        made.add(each.get());
      }
      return made;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> accounts(int count) {
    JsonArray wanted = new JsonArray();
    for (int i = 0; i < count; i++) {
      String handle = "v" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
      wanted.add(new JsonObject().put("handle", handle));
    }
    return backend(Map.of())
        .ok("POST", "/v1/admin/accounts", new JsonObject().put("accounts", wanted))
        .getJsonArray("accounts")
        .stream()
        .map(account -> ((JsonObject) account).getString("account_id"))
        .toList();
  }

  private String token(String account) {
    JsonObject device = new JsonObject().put("name", "tab").put("platform", "test");
    return backend(Map.of())
        .ok(
            "POST",
            "/v1/admin/tokens",
            new JsonObject().put("account_id", account).put("device", device))
        .getString("access_token");
  }

  private String room(String owner, List<String> members) {
    return backend(Map.of("x-confab-as", owner))
        .ok(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "channel")
                .put("name", "seats " + UUID.randomUUID())
                .put("capacity", size.capacity())
                .put("members", new JsonArray(members)))
        .getString("room_id");
  }
}
