package io.confab.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// A Lua script that Redis runs atomically: a `.lua` resource whose header names its purpose,
/// keys, arguments and result. Asked for by its SHA-1; a Redis that does not know it gets it from
/// the user who may load scripts, who need not be the one who runs them.
public final class RedisScript {
  private final String source;
  private final String sha;

  private RedisScript(String source) {
    this.source = source;
    this.sha = sha1(source);
  }

  /// The resource `name` beside the class `owner`.
  public static RedisScript resource(Class<?> owner, String name) {
    return new RedisScript(text(owner, name));
  }

  /// The same, behind what it shares with others.
  public static RedisScript resource(Class<?> owner, String shared, String name) {
    return new RedisScript(text(owner, shared) + text(owner, name));
  }

  private static String text(Class<?> owner, String name) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no resource " + name + " beside " + owner.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Runs it where its keys are. In a cluster all of them must have the same hash tag
  /// ([RedisCommands#partition]).
  ///
  /// @param keys at least one
  public Future<Response> run(RedisCommands commands, List<String> keys, List<String> arguments) {
    return runBytes(
        commands,
        keys,
        arguments.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList());
  }

  /// As above, with arguments of any bytes, which nobody may change until it is answered.
  public Future<Response> runBytes(
      RedisCommands commands, List<String> keys, List<byte[]> arguments) {
    Request request = Request.cmd(Command.EVALSHA).arg(sha).arg(keys.size());
    keys.forEach(request::arg);
    arguments.forEach(request::arg);
    int size = size(arguments);
    return commands
        .send(keys.getFirst(), request, size)
        .recover(
            failure ->
                RedisError.isUnknownScript(failure)
                    ? commands
                        .load(source)
                        .compose(_ -> commands.send(keys.getFirst(), request, size))
                    : Future.failedFuture(failure));
  }

  private static int size(List<byte[]> arguments) {
    int bytes = 0;
    for (byte[] argument : arguments) {
      bytes += argument.length;
    }
    return bytes;
  }

  private static String sha1(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
