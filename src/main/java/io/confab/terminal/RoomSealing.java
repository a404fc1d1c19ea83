package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.client.Member;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Seals rooms, and says how long what is said in them lasts. Blocks while it asks the server.
final class RoomSealing {
  private static final String YES = "yes";

  private final ConfabApi api;
  private final Screen screen;
  private final Function<AccountId, Optional<Boolean>> reads;

  /// @param reads whether somebody has a device that could read; empty: that is not known
  RoomSealing(ConfabApi api, Screen screen, Function<AccountId, Optional<Boolean>> reads) {
    this.api = api;
    this.screen = screen;
    this.reads = reads;
  }

  /// Seals the room, once the person said so twice.
  ///
  /// @return empty: not yet
  Optional<RoomSeal> seal(RoomId room, List<String> words) throws IOException {
    if (words.size() != 1 || !words.getFirst().equalsIgnoreCase(YES)) {
      screen.line(
          "* From then on only the devices of its members can read what is said here; the server"
              + " sees who writes and when.");
      screen.line(
          "* Browsers cannot read or say anything in it; of each account only the windows that have"
              + " its identity can: the first one, and those that got it by /link or /recover.");
      screen.line(
          "* It is for ever: the room cannot be opened again. This is beta, audited by nobody, and"
              + " not post-quantum.");
      screen.line("* /seal yes seals it.");
      return Optional.empty();
    }
    ChatRoom locked;
    try {
      locked = api.keeping(room).seal().await();
    } catch (ApiException refusal) {
      if (refusal.is(ErrorCode.CONFLICT)) {
        throw new IOException(withHandles(room, String.valueOf(refusal.getMessage())), refusal);
      }
      throw refusal;
    }
    try {
      tellKeyless(room);
    } catch (ApiException refusal) {
      screen.line("* who of its members can read is not known: " + Reasons.of(refusal));
    }
    return RoomSeal.of(locked);
  }

  /// Members whom nothing that is said now will reach.
  private void tellKeyless(RoomId room) {
    List<Member> members = api.members(room).await();
    Map<Optional<Boolean>, String> known =
        members.stream()
            .collect(
                Collectors.groupingBy(
                    member -> reads.apply(member.accountId()),
                    Collectors.mapping(
                        member -> Plain.line(member.handle()), Collectors.joining(", "))));
    Optional.ofNullable(known.get(Optional.of(false)))
        .ifPresent(without -> screen.line("⚠ no device that could read: " + without));
    Optional.ofNullable(known.get(Optional.<Boolean>empty()))
        .ifPresent(who -> screen.line("* whether these can read is not known: " + who));
  }

  /// The server names people by their ids.
  private String withHandles(RoomId room, String text) {
    String named = text;
    for (Member member : api.members(room).await()) {
      named = named.replace(member.accountId().toString(), member.handle());
    }
    return named;
  }

  /// @param seconds 0: what is said stays
  void expire(RoomId room, String seconds) {
    ChatRoom now = api.keeping(room).expire(Integer.parseInt(seconds)).await();
    Integer lasts = now.expiresInS();
    screen.line(
        lasts == null || lasts == 0
            ? "* What is said from here on stays."
            : ("* What is said from here on goes %s after it was read; whoever is away for longer"
                    + " misses it.")
                .formatted(Spans.text(lasts)));
  }
}
