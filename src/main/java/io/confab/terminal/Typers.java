package io.confab.terminal;

import io.confab.client.RoomSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Who types where, as far as the client tells it, which ends all that it begins. For any thread.
final class Typers {
  private static final int MOST_NAMED = 2;

  private final Set<Typer> typing = new LinkedHashSet<>();

  private record Typer(RoomId room, AccountId account) {}

  /// Whether that is new.
  synchronized boolean changed(RoomSignal.Typing signal) {
    Typer typer = new Typer(signal.roomId(), signal.accountId());
    return signal.typing() ? typing.add(typer) : typing.remove(typer);
  }

  synchronized List<AccountId> in(RoomId room) {
    return typing.stream().filter(t -> t.room().equals(room)).map(Typer::account).toList();
  }

  /// Who types in a room, in words; empty where nobody does.
  Optional<String> text(RoomId room, Function<AccountId, String> names) {
    List<AccountId> who = in(room);
    if (who.isEmpty()) {
      return Optional.empty();
    }
    if (who.size() > MOST_NAMED) {
      return Optional.of(who.size() + " people are typing …");
    }
    String named = String.join(" and ", who.stream().map(names).toList());
    return Optional.of(named + (who.size() == 1 ? " is typing …" : " are typing …"));
  }
}
