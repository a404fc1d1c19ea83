package io.confab;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.cli.LocalCommands;
import io.confab.config.Config;
import io.confab.feed.AccountNews;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.http.ManagementCommand;
import io.confab.postgres.Database;
import io.confab.postgres.Instance;
import io.confab.postgres.Migrations;
import io.confab.postgres.ServerCheck;
import io.confab.protocol.RoomId;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The data without a node: servers that run for the moment, and the operators' commands on
/// them.
final class LocalData implements LocalCommands {
  private final Servers servers;
  private final Vertx vertx;
  private final AccountDomain accounts;
  private final Map<String, ManagementCommand> commands;

  private LocalData(Servers servers, Vertx vertx, Config config) {
    this.servers = servers;
    this.vertx = vertx;
    ServerCheck.require(servers.postgres());
    Migrations migrations = new Migrations(servers.postgres());
    migrations.migrate();
    Database database = new Database(vertx, servers.postgres(), config.postgres());
    Silence silence = new Silence();
    this.accounts =
        AccountDomain.create(
            vertx,
            database,
            Instance.read(database).await(),
            silence,
            RoomDomain.memberships(database, silence),
            config.accounts());
    this.commands =
        new OperatorCommands(vertx, accounts.operations(), database.epochs(), migrations).byName();
  }

  /// Blocks until the servers run and the schema is that of this jar.
  static LocalData open(Config config) {
    Servers servers = Servers.open(config);
    Vertx vertx = Vertx.vertx();
    try {
      return new LocalData(servers, vertx, config);
    } catch (RuntimeException failure) {
      vertx.close().await();
      servers.close();
      throw failure;
    }
  }

  @Override
  public JsonNode run(String command, JsonNode body) {
    return Optional.ofNullable(commands.get(command)).orElseThrow().run(body).await();
  }

  @Override
  public void close() {
    accounts.passwords().close();
    vertx.close().await();
    servers.close();
  }

  /// Without a node on the data folder nobody is connected to it. Nodes elsewhere on the same
  /// database look up the truth by themselves.
  private static final class Silence implements Announcer {
    @Override
    public void announce(List<Event> events) {}

    @Override
    public void ring(List<AccountNews> news) {}

    @Override
    public void ringOnce(List<AccountNews> news) {}

    @Override
    public void doubt(RoomId room, List<AccountNews> news) {}

    @Override
    public void doubt(List<AccountNews> news) {}
  }
}
