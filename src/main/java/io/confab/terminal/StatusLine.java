package io.confab.terminal;

import io.confab.protocol.RoomId;
import io.confab.screen.Plain;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// In a sealed room whether the others are who they seem to be, before anything that others wrote:
/// they can neither say that themselves nor push it off the row. Then where one is, and in a direct
/// room whether the other one is there; how the connection is, whether one is inside or waits, who
/// types, what is unread elsewhere, and what became of one's messages.
record StatusLine(
    RoomView view,
    ConnectionNotice connection,
    SeatNotices seats,
    News news,
    Names names,
    Signs signs,
    Around around,
    SealedStatus sealed) {
  String text() {
    Optional<RoomId> room = view.room();
    return Stream.of(
            room.flatMap(sealed::text),
            room.map(names::title),
            room.flatMap(around::other),
            connection.now(),
            room.flatMap(seats::text),
            room.flatMap(open -> signs.typers().text(open, who -> Plain.line(names.of(who)))),
            Optional.of(news.text(room, names::title)),
            room.flatMap(signs.receipts()::text))
        .flatMap(Optional::stream)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(" · "));
  }
}
