/// Redis as one server, behind sentinels, or as a cluster: pipelined commands, supervised pub/sub,
/// scripts. `RedisCommands` and `PubSub` look the same in all modes; `CommandRoutes` and
/// `ChannelSubscriber` know where commands and channels go; `RedisLink` keeps each single
/// connection.
@NullMarked
package io.confab.redis;

import org.jspecify.annotations.NullMarked;
