package io.confab.scenario.client;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.RoomId;
import io.confab.scenario.Nodes;
import io.confab.testing.TestDatabase;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two people with three devices talk in a sealed room over two nodes, to which all connections are
/// cut again and again.
@Timeout(600)
class SealedRoomsIT {
  /// In each line, and so nowhere in the database.
  private static final String WORD = "zirconia";

  private static final int LINES_A_CUT = 12;

  private Nodes nodes;
  private List<TcpProxy> ways;
  private final List<SealedChat> chats = new ArrayList<>();
  private final AtomicInteger stored = new AtomicInteger();

  @BeforeEach
  void start() {
    nodes = Nodes.start(2);
    ways =
        Stream.of(0, 1)
            .map(node -> TcpProxy.before("http://127.0.0.1:" + nodes.port(node), Filter::none))
            .toList();
  }

  @AfterEach
  void stop() {
    chats.forEach(SealedChat::close);
    ways.forEach(TcpProxy::close);
    nodes.close();
  }

  private SealedChat add(SealedChat chat) {
    chats.add(chat);
    await().until(() -> chat.states.contains(SealedState.READY));
    return chat;
  }

  private SealedChat person(String handle, int node, Path folder) {
    return add(SealedChat.of(handle, nodes.vertx(), ways.get(node).port(), folder.resolve(handle)));
  }

  private SealedChat another(SealedChat of, String name, int node, Path folder) {
    return add(
        of.another("bob", nodes.vertx(), ways.get(node).port(), folder.resolve("bob-" + name)));
  }

  /// Says lines without waiting; each so many that are stored cut all connections to a node.
  private List<Future<SealedLine>> say(SealedChat chat, RoomId room, String name, int lines) {
    List<Future<SealedLine>> said = new ArrayList<>();
    for (int i = 0; i < lines; i++) {
      said.add(chat.rooms.say(room, name + " " + WORD + " " + i).onSuccess(_ -> cut()));
    }
    return said;
  }

  private void cut() {
    int count = stored.incrementAndGet();
    if (count % LINES_A_CUT == 0) {
      ways.get(count / LINES_A_CUT % ways.size()).reset();
    }
  }

  private static List<String> texts(List<Future<SealedLine>> said) {
    return said.stream().map(line -> get(line).text()).toList();
  }

  @Test
  void eachLineIsReadOnceAndInOneOrderOnAllDevicesThatAreThere(@TempDir Path folder)
      throws SQLException {
    SealedChat ann = person("ann", 0, folder);
    SealedChat phone = person("bob", 1, folder);
    SealedChat laptop = another(phone, "laptop", 0, folder);
    RoomId room = get(ann.api.createDirect(phone.account())).roomId();
    get(ann.api.keeping(room).seal());

    List<Future<SealedLine>> first = new ArrayList<>();
    first.addAll(say(ann, room, "ann", 50));
    first.addAll(say(phone, room, "phone", 30));
    first.addAll(say(laptop, room, "laptop", 20));
    List<String> before = texts(first);
    awaitShown(before, ann, phone, laptop);
    List<String> order = phone.kept(room);
    assertThat(order).containsExactlyInAnyOrderElementsOf(before);
    assertThat(laptop.kept(room)).isEqualTo(order);
    assertThat(ann.kept(room)).isEqualTo(order);

    SealedChat tablet = another(phone, "tablet", 1, folder);
    get(phone.api.removeDevice(laptop.me.deviceId()));
    List<Future<SealedLine>> second = new ArrayList<>();
    second.addAll(say(ann, room, "Ann", 50));
    second.addAll(say(phone, room, "Phone", 30));
    second.addAll(say(tablet, room, "Tablet", 20));
    List<String> after = texts(second);
    awaitShown(Stream.concat(before.stream(), after.stream()).toList(), ann, phone);
    awaitShown(after, tablet);
    assertThat(laptop.texts()).containsExactlyInAnyOrderElementsOf(before);
    assertThat(tablet.kept(room)).containsExactlyInAnyOrderElementsOf(after);
    List<String> all = phone.kept(room);
    assertThat(all.subList(0, before.size())).isEqualTo(order);
    assertThat(all.subList(before.size(), all.size())).isEqualTo(tablet.kept(room));
    assertThat(ann.kept(room)).isEqualTo(all);

    for (SealedChat chat : chats) {
      assertThat(chat.doubts())
          .doesNotContain(
              Doubt.UNDECRYPTABLE, Doubt.REPLAYED, Doubt.REORDERED, Doubt.CHANGED_IDENTITY);
    }
    assertThat(ways).allMatch(way -> way.accepted() > chats.size());
    assertThat(tablesWith(WORD)).isEmpty();
    assertThat(tablesWith("m.megolm.v1.aes-sha2")).isNotEmpty();
  }

  private static void awaitShown(List<String> texts, SealedChat... devices) {
    for (SealedChat device : devices) {
      await()
          .untilAsserted(
              () -> assertThat(device.texts()).containsExactlyInAnyOrderElementsOf(texts));
    }
  }

  /// The tables in which some row holds this text.
  private List<String> tablesWith(String text) throws SQLException {
    List<String> found = new ArrayList<>();
    try (var connection = TestDatabase.connect(nodes.database().url());
        var tables =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT relname FROM pg_class WHERE relkind = 'r'"
                        + " AND relnamespace = current_schema()::regnamespace")) {
      while (tables.next()) {
        String table = tables.getString(1);
        try (var rows =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT count(*) FROM %s t WHERE t::text LIKE '%%%s%%'"
                        .formatted(table, text))) {
          rows.next();
          if (rows.getLong(1) > 0) {
            found.add(table);
          }
        }
      }
    }
    return found;
  }
}
