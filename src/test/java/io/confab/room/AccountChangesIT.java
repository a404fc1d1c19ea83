package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Every way in which a membership begins or ends, and in which a sign-in ends, is counted in the
/// transaction that does it.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccountChangesIT {
  private static final int ANN = 1;
  private static final int BOB = 2;
  private static final int MANY = 100;

  private TestDatabase database;

  @BeforeAll
  void create() {
    database = TestDatabase.create();
    database.execute(
        "INSERT INTO account (account_id, handle, display_name)"
            + " SELECT i, 'h' || i, 'n' FROM generate_series(1, %d) i".formatted(MANY));
    database.execute(
        "INSERT INTO room (room_id, type, name, member_count) SELECT i, 'group', 'r', 0 FROM"
            + " generate_series(1, 9) i");
  }

  @AfterAll
  void drop() {
    database.close();
  }

  @BeforeEach
  void empty() {
    Stream.of("room_member", "device", "account_changes")
        .forEach(table -> database.execute("DELETE FROM " + table));
    database.execute("DELETE FROM account_changes");
  }

  private Map<Integer, Long> changesDuring(String... statements) {
    Map<Integer, Long> before = changes();
    Stream.of(statements).forEach(database::execute);
    Map<Integer, Long> risen = new TreeMap<>();
    changes()
        .forEach(
            (account, number) -> {
              if (number > before.getOrDefault(account, 0L)) {
                risen.put(account, number - before.getOrDefault(account, 0L));
              }
            });
    return risen;
  }

  private Map<Integer, Long> changes() {
    Map<Integer, Long> changes = new TreeMap<>();
    for (int account : List.of(ANN, BOB)) {
      changes.put(
          account,
          database.count(
              "SELECT coalesce(max(number), 0) FROM account_changes WHERE account_id = "
                  + account));
    }
    return changes;
  }

  private static String join(int room, int... accounts) {
    return "INSERT INTO room_member (room_id, account_id, role) VALUES "
        + String.join(
            ", ",
            IntStream.of(accounts)
                .mapToObj(account -> "(" + room + ", " + account + ", 'member')")
                .toList());
  }

  private static String signIn(int account, String device, int family) {
    return """
    INSERT INTO device (account_id, device_id, name, platform, family_id)
    VALUES (%d, '%s', 'n', 'p', '00000000-0000-0000-0000-00000000000%d')
    ON CONFLICT (account_id, device_id) DO UPDATE SET family_id = EXCLUDED.family_id
    """
        .formatted(account, device, family);
  }

  @Test
  void membershipsThatBeginAndEnd() {
    assertThat(changesDuring(join(1, ANN))).containsExactly(Map.entry(ANN, 1L));
    assertThat(changesDuring(join(2, BOB, ANN)))
        .containsExactly(Map.entry(ANN, 1L), Map.entry(BOB, 1L));
    assertThat(changesDuring("DELETE FROM room_member WHERE room_id = 2"))
        .containsExactly(Map.entry(ANN, 1L), Map.entry(BOB, 1L));
    assertThat(changesDuring("UPDATE room_member SET role = 'admin'")).isEmpty();
    assertThat(changesDuring("DELETE FROM room_member WHERE room_id = 2")).isEmpty();
  }

  @Test
  void signInsThatEnd() {
    assertThat(changesDuring(signIn(ANN, "phone", 1))).isEmpty();
    assertThat(changesDuring(signIn(ANN, "phone", 2))).containsExactly(Map.entry(ANN, 1L));
    assertThat(changesDuring("UPDATE device SET name = 'other'")).isEmpty();
    assertThat(changesDuring("UPDATE device SET family_id = NULL"))
        .containsExactly(Map.entry(ANN, 1L));
    assertThat(changesDuring(signIn(ANN, "phone", 3))).isEmpty();
    assertThat(changesDuring("DELETE FROM device")).containsExactly(Map.entry(ANN, 1L));
  }

  @Test
  void whatIsRolledBackIsNotCounted() {
    assertThat(changesDuring("BEGIN; " + join(1, ANN) + "; ROLLBACK")).isEmpty();
  }

  @Test
  void manyAccountsThatChangeInTwoRoomsAtOnceLockEachOtherInOneOrder() {
    int[] up = IntStream.rangeClosed(1, MANY).toArray();
    int[] down = IntStream.rangeClosed(1, MANY).map(i -> MANY + 1 - i).toArray();
    for (int i = 0; i < 20; i++) {
      CompletableFuture.allOf(
              CompletableFuture.runAsync(() -> database.execute(join(1, up))),
              CompletableFuture.runAsync(() -> database.execute(join(2, down))))
          .join();
      database.execute("DELETE FROM room_member");
    }
    assertThat(database.count("SELECT min(number) FROM account_changes")).isEqualTo(60);
  }
}
