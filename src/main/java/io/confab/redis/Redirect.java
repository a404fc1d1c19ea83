package io.confab.redis;

import io.vertx.redis.client.Response;
import java.util.Optional;

/// What a server of a cluster answers in place of carrying a command out
/// (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/).
sealed interface Redirect {
  /// Another server is in charge of the slot from now on.
  record Moved(int slot, RedisServer to) implements Redirect {}

  /// The key may have gone to another server already: ask there, this time.
  record Ask(RedisServer to) implements Redirect {}

  /// Nobody can do it now, somebody will soon.
  record Later() implements Redirect {}

  /// @param asked where the failure came from, which stands for a host that is left out
  static Optional<Redirect> of(Throwable failure, RedisServer asked) {
    if (!(failure instanceof Response)) {
      return Optional.empty();
    }
    String[] words = String.valueOf(failure.getMessage()).split(" ", 4);
    return switch (words[0]) {
      case "MOVED" ->
          Optional.of(new Moved(Integer.parseInt(words[1]), server(words[2], asked.host())));
      case "ASK" -> Optional.of(new Ask(server(words[2], asked.host())));
      case "TRYAGAIN", "CLUSTERDOWN" -> Optional.of(new Later());
      default -> Optional.empty();
    };
  }

  private static RedisServer server(String text, String host) {
    int colon = text.lastIndexOf(':');
    return new RedisServer(
        colon == 0 ? host : text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
