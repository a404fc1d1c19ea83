package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.LinkStep;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Warning;
import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.Screen;
import java.util.List;

/// What the thread of a chat does and prints when sealed rooms tell something.
final class SealedEvents {
  private final Screen screen;
  private final OpenRoom open;
  private final SealedNotices notices;
  private final SealedStates states;
  private final SealedStatus status;
  private final EmojiDialog emojis;
  private final LinkDialog links;

  SealedEvents(
      Screen screen,
      OpenRoom open,
      SealedNotices notices,
      SealedStates states,
      SealedStatus status,
      EmojiDialog emojis,
      LinkDialog links) {
    this.screen = screen;
    this.open = open;
    this.notices = notices;
    this.states = states;
    this.status = status;
    this.emojis = emojis;
    this.links = links;
  }

  void shown(SealedLine line) {
    if (open.shows(line.roomId())) {
      if (open.isOwn(line)) {
        states.said(line);
      }
      open.shown(line);
    }
  }

  void released(List<SealedLine> lines) {
    List<SealedLine> here =
        lines.stream().filter(line -> open.shows(line.roomId()) && open.isNew(line)).toList();
    long elsewhere = lines.stream().filter(line -> !open.shows(line.roomId())).count();
    if (elsewhere > 0) {
      screen.line(
          "* %d lines of other rooms waited until their keys were believed".formatted(elsewhere));
    }
    if (!here.isEmpty()) {
      screen.line("* What follows waited until its keys were believed.");
      here.forEach(open::shown);
    }
  }

  void believed(AccountId account) {
    notices.believed(account);
    status.refresh();
  }

  void warned(Warning warning) {
    if (notices.warned(warning) && warning.doubt() == Doubt.CHANGED_IDENTITY) {
      status.refresh();
    }
  }

  void gone(RoomId room, Seq seq) {
    if (open.stands(room, seq)) {
      notices.gone(seq);
    }
  }

  void unsent(String text, ApiException why) {
    notices.unsent(text, why);
  }

  void unheard(SealedLine line) {
    notices.unheard(line);
  }

  void delivered(RoomId room) {
    states.ask(room);
  }

  void compared(Comparison step) {
    emojis.step(step);
  }

  void linked(LinkStep step) {
    links.step(step);
  }

  void failed(Throwable why) {
    notices.failed(why);
  }

  void state(SealedState state) {
    notices.state(state, open.isSealed());
    if (state == SealedState.READY) {
      states.follow();
    }
    status.refresh();
  }
}
