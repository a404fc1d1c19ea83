package io.confab.socket;

import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.feed.DigestLog;
import io.confab.feed.FakeBroker;
import io.confab.feed.FakeRecent;
import io.confab.feed.FeedHub;
import io.confab.limit.Limit;
import io.confab.metrics.Meters;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.ClientFrame;
import io.confab.protocol.ClientId;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.testing.TestConfig;
import io.confab.testing.TestLimits;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The frames that a node mounts, for tests of how they are read.
public final class FrameTable {
  private final Frames frames;

  /// A frame, or why it is none.
  public record Request(
      @Nullable String id,
      @Nullable ClientFrame frame,
      @Nullable Refusal refusal,
      @Nullable ClientId clientId) {}

  /// @param rooms how many a `resume` may name
  public FrameTable(int bodyBytes, int rooms) {
    Config config =
        TestConfig.with(
            TestConfig.node(Path.of("unused")),
            "limits",
            new Config.Limits(bodyBytes, 1_024, 1_024, rooms, 1, 1, 1));
    FeedHub hub =
        new FeedHub(
            new FakeBroker(),
            new FakeRecent(),
            FakeBroker::sealed,
            new DigestLog(),
            new DatabaseEpoch());
    Meters meters = new Meters();
    this.frames =
        SocketServices.of(
                new NodeId("a"),
                config,
                new NoBus(),
                SocketLoop.open(
                    Runnable::run,
                    hub,
                    new NoBus(),
                    new FakeRooms(),
                    meters,
                    System::nanoTime,
                    new MemoryShares(16 << 20, 16 << 20)),
                SimulatedLoop.Unregistered.SESSIONS,
                meters,
                InstantSource.system(),
                TestLimits.limits(config, System::nanoTime))
            .frames();
  }

  private static final class NoBus implements Requests {
    @Override
    public <R extends BusMessage> Future<R> request(Command<R> command) {
      return Future.failedFuture("nobody is there");
    }
  }

  public Request read(String text) {
    Frames.Request request = frames.read(text);
    return switch (request.content()) {
      case Frames.Asked asked -> new Request(request.id(), asked.frame(), null, request.clientId());
      case Frames.Unreadable(Refusal why) ->
          new Request(request.id(), null, why, request.clientId());
    };
  }

  /// The limit of each type.
  public Map<String, Limit> limits() {
    Map<String, Limit> limits = new TreeMap<>();
    frames.byType().forEach((type, mounted) -> limits.put(type, mounted.limit()));
    return limits;
  }
}
