package io.confab.feed;

import io.confab.protocol.Rev;
import io.confab.protocol.Seq;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an account may see of a room: what was said during the spans of its membership, and
/// what a span allows of the time before it.
public record Visibility(List<Span> spans) {
  /// That of an account that may see everything.
  public static final Visibility ALL =
      new Visibility(List.of(new Span(Rev.ZERO, null, new Seq(1), null)));

  /// That of an account that never was a member.
  public static final Visibility NOTHING = new Visibility(List.of());

  /// One membership.
  ///
  /// @param to absent while it lasts
  /// @param seenFrom the first message that it shows
  /// @param seenTo the last one; absent while it lasts
  public record Span(Rev from, @Nullable Rev to, Seq seenFrom, @Nullable Seq seenTo) {
    private boolean shows(Seq seq) {
      return seq.compareTo(seenFrom) >= 0 && (seenTo == null || seq.compareTo(seenTo) <= 0);
    }

    private boolean shows(Rev rev) {
      boolean begun = seenFrom.value() == 1 || !from.isAfter(rev);
      return begun && (to == null || !rev.isAfter(to));
    }
  }

  /// Whether a membership lasts.
  public boolean isMember() {
    return spans.stream().anyMatch(span -> span.to() == null);
  }

  /// Whether a membership lasts that shows all that was and will be said.
  public boolean showsAll() {
    return spans.stream().anyMatch(span -> span.to() == null && span.seenFrom().value() == 1);
  }

  /// Whether the content of an event may be seen: of one about a message, whether that message
  /// may, however late the event.
  public boolean shows(Event event) {
    return switch (event.subject()) {
      case Event.AboutMessage about -> spans.stream().anyMatch(span -> span.shows(about.seq()));
      case Event.Departure _, Event.OfRoom _, Event.OfSealed _ ->
          spans.stream().anyMatch(span -> span.shows(event.rev()));
    };
  }
}
