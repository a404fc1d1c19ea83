package io.confab.http;

import io.confab.message.MessageCommand.HistoryPage;
import io.confab.protocol.Epoch;
import io.confab.protocol.Json;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;
import io.confab.protocol.Seq;
import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.rxjava3.SingleHelper;
import java.util.function.Function;

/// All messages of a room that the caller may see, a JSON object a line, up to the seq at which
/// the room stood at the beginning; then a line that marks the end. It holds the page that is being
/// sent and the next one; each page is a statement of its own.
final class Export {
  /// What one takes, about: two pages of 256 KiB, as messages and as text, and the state of gzip.
  static final int BYTES = 1 << 20;

  private final Function<Seq, Future<HistoryPage>> pages;
  private final HistoryPage first;
  private Seq last = Seq.ZERO;
  private boolean ended;
  private long count;

  private Export(Function<Seq, Future<HistoryPage>> pages, HistoryPage first) {
    this.pages = pages;
    this.first = first;
  }

  /// Reads the first page, so that a refusal comes before anything is written. An element of the
  /// export is the lines of a page.
  ///
  /// @param pages the page after a seq
  static Future<Flowable<Buffer>> begin(Function<Seq, Future<HistoryPage>> pages) {
    return pages
        .apply(Seq.ZERO)
        .map(first -> Flowable.defer(() -> new Export(pages, first).content()));
  }

  record End(boolean end, Epoch epoch, Seq seq, Rev rev, long count) {}

  private Flowable<Buffer> content() {
    return Flowable.just(first)
        .concatWith(
            SingleHelper.<HistoryPage>toSingle(page -> pages.apply(last).onComplete(page)).repeat())
        .map(this::lines)
        .takeUntil(_ -> ended);
  }

  private Buffer lines(HistoryPage page) {
    Buffer lines = Buffer.buffer();
    for (Message message : page.messages()) {
      if (message.seq().compareTo(first.seq()) <= 0) {
        count++;
        last = message.seq();
        line(lines, message);
      }
    }
    ended = page.messages().isEmpty() || !page.hasNewer() || last.compareTo(first.seq()) >= 0;
    if (ended) {
      line(lines, new End(true, first.epoch(), first.seq(), first.rev(), count));
    }
    return lines;
  }

  private static void line(Buffer lines, Object content) {
    lines.appendBytes(Json.bytes(content)).appendByte((byte) '\n');
  }
}
