package io.confab.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;

/// Brings each command to the server that is in charge of it: one server, or many that share the
/// keys. Used on one context, but for what says that it is for any thread.
interface CommandRoutes {
  /// Begins to connect and to stay connected. Does not wait for it.
  void open();

  /// Whether every command has somewhere to go. For any thread.
  boolean isUp();

  /// Whether commands about this key, or channel, have somewhere to go. For any thread.
  boolean reaches(String key);

  /// Whether a command may name any keys at once, because one server is in charge of all. For any
  /// thread.
  boolean isOneServer();

  Future<Response> send(String key, Request request);

  /// Answers how many were not made.
  Future<Integer> publish(List<Publication> publications);

  /// Done when every server answers.
  Future<Void> ping();

  /// Those that are in charge of keys and answer; fails if none does.
  Future<RedisInstances> instances();

  /// Those to which commands go now.
  Future<List<RedisServer>> servers();

  /// Subscribes at the same servers. For any thread.
  ///
  /// @param context the one on which the subscriber lives
  ChannelSubscriber subscriber(Context context, ChannelSubscriber.Owner owner);

  Future<Void> close();
}
