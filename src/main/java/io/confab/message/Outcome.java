package io.confab.message;

import io.confab.protocol.Mention;
import io.confab.protocol.Message;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the storing transaction decided about one draft.
sealed interface Outcome {
  /// The answer to its sender.
  Future<Sent> answer(Draft draft);

  /// It is stored now.
  ///
  /// @param ts milliseconds since 1970 by PostgreSQL's clock
  /// @param mentions whom it mentions; null if nobody
  record Stored(Seq seq, Rev rev, long ts, @Nullable List<Mention> mentions) implements Outcome {
    @Override
    public Future<Sent> answer(Draft draft) {
      return Future.succeededFuture(
          new Sent(draft.roomId(), draft.clientId(), seq, rev, ts, false));
    }

    Message message(Draft draft) {
      return Message.sent(
          draft.roomId(), seq, rev, draft.senderId(), draft.content(), mentions, ts);
    }
  }

  /// An earlier try, or a twin in the same group, had stored it.
  record Duplicate(Seq seq, Rev rev, long ts) implements Outcome {
    @Override
    public Future<Sent> answer(Draft draft) {
      return Future.succeededFuture(new Sent(draft.roomId(), draft.clientId(), seq, rev, ts, true));
    }
  }

  /// Its key was used for other content.
  record Mismatch() implements Outcome {
    @Override
    public Future<Sent> answer(Draft draft) {
      return Future.failedFuture(StoredRefusal.of("mismatch", 0));
    }
  }

  /// It may not be stored: no number was spent and no key written.
  record Refused(Refusal reason) implements Outcome {
    @Override
    public Future<Sent> answer(Draft draft) {
      return Future.failedFuture(reason);
    }
  }

  /// Reads a row of the answer of `append_carefully`.
  ///
  /// @param waitMs for a sender who is muted or held back by slow mode
  /// @param mentions as `find_mentions` tells them
  static Outcome of(
      String outcome, long seq, long rev, long ts, long waitMs, @Nullable String mentions) {
    return switch (outcome) {
      case "stored" -> new Stored(new Seq(seq), new Rev(rev), ts, mentions(mentions));
      case "duplicate" -> new Duplicate(new Seq(seq), new Rev(rev), ts);
      case "mismatch" -> new Mismatch();
      default -> new Refused(StoredRefusal.of(outcome, waitMs));
    };
  }

  /// Reads the text of an array of SQL: `{5,9}`.
  static @Nullable List<Mention> mentions(@Nullable String array) {
    return array == null
        ? null
        : Arrays.stream(array.substring(1, array.length() - 1).split(","))
            .map(code -> new Mention(Long.parseLong(code)))
            .toList();
  }
}
