package io.confab.http;

import io.confab.message.MessageCommand.HistoryPage;
import io.confab.protocol.Epoch;
import io.confab.protocol.Json;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.function.Function;

/// All messages of a room that the caller may see, a JSON object a line, up to the seq at which
/// the room stood at the beginning; then a line that says that it is whole. It holds one page
/// at a time, and each page is a statement of its own.
final class Export implements Answer.Chunks {
  private final Function<Seq, Future<HistoryPage>> pages;
  private final HistoryPage first;
  private Seq last = Seq.ZERO;
  private boolean ended;
  private long count;

  private Export(Function<Seq, Future<HistoryPage>> pages, HistoryPage first) {
    this.pages = pages;
    this.first = first;
  }

  /// Reads the first page, so that what is refused is refused before anything is written.
  ///
  /// @param pages the page after a seq
  static Future<Export> begin(Function<Seq, Future<HistoryPage>> pages) {
    return pages.apply(Seq.ZERO).map(first -> new Export(pages, first));
  }

  record End(boolean end, Epoch epoch, Seq seq, Rev rev, long count) {}

  @Override
  public Future<Optional<Buffer>> next() {
    if (ended) {
      return Future.succeededFuture(Optional.empty());
    }
    Future<HistoryPage> page =
        last.equals(Seq.ZERO) ? Future.succeededFuture(first) : pages.apply(last);
    return page.map(this::lines).map(Optional::of);
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
