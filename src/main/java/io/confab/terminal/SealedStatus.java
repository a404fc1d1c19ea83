package io.confab.terminal;

import io.confab.client.Member;
import io.confab.client.sealed.Trust;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.screen.Screen;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Whether the others in the sealed room that is open are who they seem to be, for the status, or
/// as a line where there is none. For the thread of a chat.
final class SealedStatus {
  private static final int MOST = 250;

  private final SealedAccess sealed;
  private final Function<RoomId, Future<List<Member>>> members;
  private final AccountId self;
  private final ChatQueue queue;
  private final Screen screen;
  private @Nullable RoomId room;
  private String text = "";
  private boolean asking;
  private boolean stale;

  /// @param members of a room, who are asked for over HTTP
  SealedStatus(
      SealedAccess sealed,
      Function<RoomId, Future<List<Member>>> members,
      AccountId self,
      ChatQueue queue,
      Screen screen) {
    this.sealed = sealed;
    this.members = members;
    this.self = self;
    this.queue = queue;
    this.screen = screen;
  }

  /// A sealed room is open.
  void opened(RoomId opened) {
    room = opened;
    text = "sealed";
    refresh();
  }

  /// Another one is.
  void closed() {
    room = null;
  }

  /// Who is in the room, or what is thought of somebody, may have changed. What changes while it is
  /// asked is asked for once more afterwards, so that nobody else decides how often.
  void refresh() {
    RoomId asked = room;
    if (asked == null) {
      return;
    }
    if (asking) {
      stale = true;
      return;
    }
    asking = true;
    members
        .apply(asked)
        .compose(this::trust)
        .onComplete(all -> queue.add(() -> answered(asked, all)));
  }

  private void answered(RoomId asked, AsyncResult<List<Trust>> all) {
    asking = false;
    if (all.succeeded() && !stale) {
      found(asked, all.result());
    }
    if (stale) {
      stale = false;
      refresh();
    }
  }

  private Future<List<Trust>> trust(List<Member> members) {
    List<Future<Trust>> all =
        members.stream()
            .map(Member::accountId)
            .filter(who -> !who.equals(self))
            .limit(MOST + 1)
            .map(sealed::trust)
            .toList();
    return all.size() > MOST
        ? Future.failedFuture("too many")
        : Future.all(all).map(found -> found.<Trust>list());
  }

  private void found(RoomId asked, List<Trust> all) {
    if (asked.equals(room)) {
      String before = text;
      text = text(all);
      if (!screen.isTerminal() && !text.equals(before)) {
        screen.line("* " + text);
      }
    }
  }

  static String text(Collection<Trust> others) {
    if (others.contains(Trust.CHANGED)) {
      return "sealed, KEYS CHANGED";
    }
    boolean verified = !others.isEmpty() && others.stream().allMatch(Trust.VERIFIED::equals);
    return verified ? "sealed, verified" : "sealed, not verified";
  }

  /// Empty where the room is not sealed.
  Optional<String> text(RoomId open) {
    return open.equals(room) ? Optional.of(text) : Optional.empty();
  }
}
