package io.confab.bench;

import io.confab.testing.OwnPostgres;
import io.confab.testing.Ports;
import io.confab.testing.TempFolders;
import io.confab.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// ejabberd from Debian's packages with rooms that last and an archive of what is said there
/// (`mod_muc`, `mod_mam`) in a PostgreSQL of its own; without its limits of speed, and without
/// telling everybody who comes and goes.
final class Ejabberd implements Contestant {
  static final String NAME = "ejabberd";

  private static final Duration START = Duration.ofSeconds(60);

  private static final long LOOK_NS = 10_000_000;

  private final DebianPackages packages;
  private final OwnPostgres postgres;
  private final Path folder;
  private final Launch server;
  private final int port = Ports.freeRun(1);

  Ejabberd() {
    this.packages = DebianPackages.unpack("ejabberd", "erlang-p1-pgsql");
    this.postgres = new OwnPostgres();
    this.folder = TempFolders.create("confab-bench-ejabberd");
    try (Connection connection = TestDatabase.connect(postgres.url());
        var statement = connection.createStatement()) {
      statement.execute(Files.readString(packages.find("usr/share/ejabberd/sql/pg.sql")));
      Files.writeString(folder.resolve("ejabberd.yml"), configuration());
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
    this.server = launch();
    awaitPort();
  }

  private String configuration() {
    return """
    hosts: [localhost]
    loglevel: warning
    auth_method: [sql]
    sql_type: pgsql
    sql_server: 127.0.0.1
    sql_port: %d
    sql_database: postgres
    sql_username: postgres
    sql_pool_size: 10
    listen:
      - {port: %d, ip: "127.0.0.1", module: ejabberd_c2s, backlog: 4096, shaper: none,
         max_stanza_size: 262144, starttls: false}
    modules:
      mod_mam: {db_type: sql, default: never}
      mod_muc:
        db_type: sql
        access: all
        access_create: all
        access_persistent: all
        history_size: 0
        max_users: 5000
        max_user_conferences: 100
        default_room_options:
          {persistent: true, mam: true, presence_broadcast: [], public: false,
           max_users: 5000}
    """
        .formatted(postgres.url().port(), port);
  }

  private Launch launch() {
    Path erlang = packages.root().resolve("usr/lib/erlang");
    Path programs = packages.find("usr/lib/erlang/erts-*/bin");
    Path code = packages.find("usr/lib/*/ejabberd-*/ebin");
    ProcessBuilder command =
        new ProcessBuilder(
            programs.resolve("erlexec").toString(),
            "-noinput",
            "-start_epmd",
            "false",
            "+K",
            "true",
            "+P",
            "250000",
            "-pa",
            code.toString(),
            "-mnesia",
            "dir",
            "\"" + folder.resolve("spool") + "\"",
            "-s",
            "ejabberd");
    Map<String, String> environment = command.environment();
    environment.put("ROOTDIR", erlang.toString());
    environment.put("BINDIR", programs.toString());
    environment.put("EMU", "beam");
    environment.put("PROGNAME", "erl");
    environment.put("LD_LIBRARY_PATH", packages.find("usr/lib/*-linux-gnu").toString());
    environment.put("EJABBERD_CONFIG_PATH", folder.resolve("ejabberd.yml").toString());
    environment.put("EJABBERD_LOG_PATH", folder.resolve("ejabberd.log").toString());
    return Launch.of(command);
  }

  private void awaitPort() {
    long end = System.nanoTime() + START.toNanos();
    while (Ports.isFree(port)) {
      if (System.nanoTime() > end || !server.isAlive()) {
        close();
        throw new IllegalStateException("it does not start");
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public List<Long> roots() {
    return List.of(server.pid(), postgres.pid());
  }

  @Override
  public Framing framing() {
    return new XmppFraming();
  }

  @Override
  public boolean echoes() {
    return true;
  }

  @Override
  public List<Speech> furnish(Layout layout) {
    String names = UUID.randomUUID().toString();
    List<String> rooms =
        IntStream.range(0, layout.rooms().size()).mapToObj(room -> "r" + room + names).toList();
    List<Speech> people = new ArrayList<>();
    for (int[] places : layout.places()) {
      List<Integer> own =
          IntStream.range(0, places.length / 2).mapToObj(i -> places[2 * i]).toList();
      people.add(new XmppSpeech("p" + people.size() + names, rooms, own));
    }
    signUp(names, layout.people());
    return people;
  }

  private void signUp(String names, int people) {
    try (Connection connection = TestDatabase.connect(postgres.url());
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO users (username, password)
                  SELECT 'p' || i || ?, ? FROM generate_series(0, ? - 1) i\
                """)) {
      insert.setString(1, names);
      insert.setString(2, XmppSpeech.PASSWORD);
      insert.setInt(3, people);
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
    postgres.close();
    TempFolders.delete(folder);
    packages.close();
  }
}
