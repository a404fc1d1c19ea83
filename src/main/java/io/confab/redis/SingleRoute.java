package io.confab.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;

/// All commands go to one server.
final class SingleRoute implements CommandRoutes {
  private final CommandConnection.Plan plan;
  private final ServerLocator locator;
  private final CommandConnection connection;

  SingleRoute(CommandConnection.Plan plan, ServerLocator locator) {
    this.plan = plan;
    this.locator = locator;
    this.connection = new CommandConnection(plan, locator);
  }

  @Override
  public void open() {
    connection.open();
  }

  @Override
  public boolean isUp() {
    return connection.isUp();
  }

  @Override
  public boolean reaches(String key) {
    return connection.isUp();
  }

  @Override
  public boolean isOneServer() {
    return true;
  }

  @Override
  public Future<Response> send(String key, Request request) {
    return connection.send(request);
  }

  @Override
  public Future<Integer> publish(List<Publication> publications) {
    return connection.publish(Command.PUBLISH, publications).map(List::size);
  }

  @Override
  public Future<Void> ping() {
    return connection.send(Request.cmd(Command.PING)).mapEmpty();
  }

  @Override
  public Future<RedisInstances> instances() {
    return connection.instance().map(one -> new RedisInstances(List.of(one), true));
  }

  @Override
  public Future<List<RedisServer>> servers() {
    return locator.locate().map(List::of);
  }

  @Override
  public ChannelSubscriber subscriber(Context context, ChannelSubscriber.Owner owner) {
    return new SubscribedConnection(
        new SubscribedConnection.Plan(plan.vertx(), context, plan.login(), Dialect.PLAIN),
        locator,
        owner);
  }

  @Override
  public Future<Void> close() {
    return connection.close();
  }
}
