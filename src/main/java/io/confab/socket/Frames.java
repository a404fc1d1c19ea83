package io.confab.socket;

import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientFrame;
import io.confab.protocol.ClientId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Fields;
import io.confab.protocol.Json;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The table of the frames that clients may send.
final class Frames {
  private final Limits limits;
  private final Map<String, Mounted<?>> byType = new LinkedHashMap<>();

  Frames(Limits limits) {
    this.limits = limits;
  }

  /// Answers frames of one kind.
  interface Endpoint<F extends ClientFrame> {
    /// Done when the frame is answered. A failure is answered as an error.
    Future<?> answer(FrameCall call, F frame);
  }

  /// A kind of frame.
  record Mounted<F extends ClientFrame>(
      Limit limit, Function<Fields, F> reader, Endpoint<F> endpoint) {
    private Asked read(Fields fields) {
      F frame = reader.apply(fields);
      fields.end();
      return new Asked(frame, limit, call -> endpoint.answer(call, frame));
    }
  }

  /// What came on a socket: something to answer, or a [Refusal] of what cannot be read.
  ///
  /// @param id what the answer refers to
  /// @param clientId of a send or an edit: an error names it
  record Request(@Nullable String id, @Nullable ClientId clientId, Content content) {}

  sealed interface Content {}

  record Asked(ClientFrame frame, Limit limit, Function<FrameCall, Future<?>> endpoint)
      implements Content {}

  record Unreadable(Refusal why) implements Content {}

  /// Adds a kind of frame.
  ///
  /// @param limit of an account, or [Limit#FRAMES]: that one counts every frame
  /// @param reader takes the fields besides `type` and `id`
  <F extends ClientFrame> void mount(
      String type, Limit limit, Function<Fields, F> reader, Endpoint<F> endpoint) {
    if (limit != Limit.FRAMES && limit.who() != Limit.Who.ACCOUNT) {
      throw new IllegalArgumentException(limit + " is no limit of an account");
    }
    if (byType.putIfAbsent(type, new Mounted<>(limit, reader, endpoint)) != null) {
      throw new IllegalArgumentException(type + " is mounted twice");
    }
  }

  /// The kinds by their types.
  Map<String, Mounted<?>> byType() {
    return Map.copyOf(byType);
  }

  /// Reads a text frame. Of one that is no JSON object nothing is known but that.
  Request read(String text) {
    try {
      Fields fields = Json.object(text);
      return new Request(
          fields.peekId("id").orElse(null),
          fields.peekId("client_id").map(ClientId::new).orElse(null),
          content(fields));
    } catch (Refusal noObject) {
      return new Request(null, null, new Unreadable(noObject));
    }
  }

  private Content content(Fields fields) {
    try {
      fields.optionalId("id");
      Mounted<?> mounted = byType.get(fields.text("type"));
      if (mounted == null) {
        throw new Refusal(ErrorCode.UNKNOWN_TYPE, "type", "is not known");
      }
      return mounted.read(fields);
    } catch (Refusal refusal) {
      return new Unreadable(refusal);
    }
  }

  /// Counts a frame and answers it. Refusals: `rate_limited`, and those of its endpoint.
  Future<?> answer(FrameCall call, Asked asked) {
    limits.take(Limit.FRAMES, countedAs(call.caller()));
    if (asked.limit() != Limit.FRAMES) {
      limits.take(asked.limit(), call.caller().account().toString());
    }
    return asked.endpoint().apply(call);
  }

  /// Counts what cannot be read: it is a frame all the same.
  ///
  /// @param sender by [#countedAs], or the address of a stranger
  void count(String sender) {
    limits.count(Limit.FRAMES, sender);
  }

  /// The name under which frames of a device count.
  static String countedAs(Caller caller) {
    return caller.account() + "-" + caller.device().value();
  }
}
