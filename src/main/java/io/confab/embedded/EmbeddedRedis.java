package io.confab.embedded;

import io.confab.redis.AclRules;
import io.confab.redis.RedisKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Starts a Redis 7. It keeps nothing on disk: what Confab has in Redis may be lost at any time.
/// What grows with what people say is bounded far below its memory (`redis.recent_memory`); should
/// something else fill it, what would end soonest goes.
///
/// Nobody runs scripts there but Confab's own: the user who works may run those that are loaded,
/// the user who loads them does nothing else, and there is no third. Both have random passwords.
public final class EmbeddedRedis {
  private static final String HOST = "127.0.0.1";
  private static final String WORKER = "confab";
  private static final String LOADER = "confab-scripts";

  private EmbeddedRedis() {}

  /// With the program unpacked in the data folder.
  static EmbeddedServer<String> begin(DataDir dataDir, RedisKeys keys) {
    return begin(dataDir, dataDir.programs(), keys);
  }

  /// Answers at once, without waiting until it takes logins, at a URL as `RedisUrl` reads it.
  ///
  /// @param cache where the program is unpacked; several data folders may share it
  /// @param keys that it is for
  public static EmbeddedServer<String> begin(DataDir dataDir, Path cache, RedisKeys keys) {
    int port = FreePort.find();
    String password = dataDir.secret("redis.password");
    String scriptPassword = dataDir.secret("redis-scripts.password");
    String users =
        """
        user default off
        user %s on >%s %s
        user %s on >%s %s
        """
            .formatted(
                WORKER,
                password,
                AclRules.working(keys),
                LOADER,
                scriptPassword,
                AclRules.loading());
    Server server =
        new Server(
            new Binaries(cache).redis(),
            ServerUser.of(dataDir),
            dataDir.folder("redis"),
            port,
            users,
            WORKER + " " + password);
    String url =
        "redis://%s:%s@%s:%d?script_user=%s&script_password=%s"
            .formatted(WORKER, password, HOST, port, LOADER, scriptPassword);
    return EmbeddedServer.begin(server, url, dataDir, "redis.log");
  }

  /// The passwords stand in a file of mode 0600, not in the command line, which everyone may read.
  private record Server(
      Path program, ServerUser user, Path folder, int port, String users, String login)
      implements Supervisor.Server {
    private static final int TIMEOUT_MILLIS = 2_000;

    @Override
    public String name() {
      return "Redis";
    }

    @Override
    public ServerProcess.Launch prepare() throws IOException {
      Path config = folder.resolve("redis.conf");
      DataDir.write(config, configuration());
      user.own(config);
      user.own(folder);
      List<String> command =
          Stream.concat(user.prefix().stream(), Stream.of(program.toString(), config.toString()))
              .toList();
      return new ServerProcess.Launch(command, Map.of(), folder, "TERM", "KILL");
    }

    private String configuration() {
      return """
      bind %s
      port %d
      protected-mode yes
      loglevel notice
      %s
      dir "%s"
      save ""
      appendonly no
      client-output-buffer-limit pubsub 64mb 32mb 60
      maxmemory 256mb
      maxmemory-policy volatile-ttl
      """
          .formatted(HOST, port, users.strip(), folder);
    }

    @Override
    public boolean answers() {
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        String command = "AUTH " + login + "\r\n";
        String expected = "+OK\r\n";
        socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
        byte[] answer = socket.getInputStream().readNBytes(expected.length());
        return new String(answer, StandardCharsets.US_ASCII).equals(expected);
      } catch (IOException notYet) {
        return false;
      }
    }
  }
}
