package io.confab.redis;

import io.confab.time.Ticks;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Commands to one server, pipelined over one kept connection, which is given up when it does not
/// answer in time. Used on one context only, but for `isUp`.
final class CommandConnection implements RedisLink.Owner {
  /// How all of them are made.
  ///
  /// @param timeout of each command
  /// @param maxCommands under way at once
  record Plan(Vertx vertx, Context context, RedisLogin login, Duration timeout, int maxCommands) {}

  /// The client tells the errors of a batch in one text, a line for each.
  private static final Pattern BATCH_ERROR = Pattern.compile("(?m)^ERR \\[([0-9]+)] ");

  private final Plan plan;
  private final RedisLink link;
  private final Ticks looks;
  private volatile @Nullable Pipeline pipeline;

  CommandConnection(Plan plan, ServerLocator locator) {
    this.plan = plan;
    this.link =
        new RedisLink(
            plan.vertx(), plan.context(), plan.login(), plan.maxCommands(), locator, this);
    this.looks = new Ticks(plan.vertx(), Pipeline.period(plan.timeout()), this::giveUpIfStuck);
  }

  /// Begins to connect and to stay connected. Does not wait for it.
  void open() {
    plan.context().runOnContext(_ -> looks.start());
    link.open();
  }

  /// Whether commands have somewhere to go. For any thread.
  boolean isUp() {
    return pipeline != null;
  }

  /// Fails with the server's error as it is.
  Future<Response> send(Request request) {
    Pipeline current = pipeline;
    return current == null ? RedisError.away() : current.send(request).onFailure(this::refused);
  }

  /// Which one the server is.
  Future<RedisInstance> instance() {
    return send(Request.cmd(Command.INFO).arg("server")).map(RedisInstance::of);
  }

  /// The server carries the request out although the slot is only on its way to it.
  Future<Response> sendAsking(Request request) {
    Pipeline current = pipeline;
    if (current == null) {
      return RedisError.away();
    }
    current.send(Request.cmd(Command.ASKING));
    return current.send(request);
  }

  /// Writes all at once. Returns the publications that the server refused; fails when the
  /// outcome is unknown.
  Future<List<Publication>> publish(Command command, List<Publication> publications) {
    Pipeline current = pipeline;
    if (current == null) {
      return RedisError.away();
    }
    return current
        .batch(publications.stream().map(each -> each.request(command)).toList())
        .map(List.<Publication>of())
        .recover(
            failure ->
                failure instanceof Response
                    ? Future.succeededFuture(refused(failure, publications))
                    : Future.failedFuture(failure));
  }

  private static List<Publication> refused(Throwable failure, List<Publication> batch) {
    Set<Integer> positions = new HashSet<>();
    BATCH_ERROR
        .matcher(String.valueOf(failure.getMessage()))
        .results()
        .forEach(error -> positions.add(Integer.valueOf(error.group(1))));
    return IntStream.range(0, batch.size())
        .filter(positions::contains)
        .mapToObj(batch::get)
        .toList();
  }

  private void refused(Throwable failure) {
    if (RedisError.isReadOnly(failure)) {
      link.recheck();
    }
  }

  private void giveUpIfStuck() {
    Pipeline current = pipeline;
    if (current != null && current.isOverdue()) {
      link.giveUp("a command was not answered in time");
    }
  }

  @Override
  public void up(RedisConnection connection) {
    pipeline = new Pipeline(connection, plan.timeout(), System::nanoTime);
  }

  @Override
  public void down() {
    pipeline = null;
  }

  /// Ends the connection; commands under way are refused.
  Future<Void> close() {
    looks.stop();
    pipeline = null;
    return link.close();
  }
}
