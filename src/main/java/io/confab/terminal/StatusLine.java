package io.confab.terminal;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Where one is, how the connection is, and what came to other rooms.
record StatusLine(RoomView view, ConnectionNotice connection, News news, Names names) {
  String text() {
    String place = view.room().map(names::title).orElse("");
    return Stream.of(Optional.of(place), connection.now(), Optional.of(news.text(names::title)))
        .flatMap(Optional::stream)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(" · "));
  }
}
