package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The conversation of a window where rooms may be sealed: what is said in one that is goes nowhere
/// but through the device that seals it. All else is as [LiveTalk] does it.
final class SealedTalk implements Talk {
  private final LiveTalk plain;
  private final OpenRoom open;
  private final RoomView view;
  private final UnsettledSends sends;

  SealedTalk(LiveTalk plain, OpenRoom open, RoomView view, UnsettledSends sends) {
    this.plain = plain;
    this.open = open;
    this.view = view;
    this.sends = sends;
  }

  @Override
  public RoomId room() {
    return plain.room();
  }

  @Override
  public void enter(ChatRoom room) {
    plain.enter(room);
  }

  @Override
  public void sealed(RoomSeal seal) {
    plain.sealed(seal);
  }

  @Override
  public void takeSeat() {
    plain.takeSeat();
  }

  @Override
  public void giveUpSeat() {
    plain.giveUpSeat();
  }

  @Override
  public void say(String text) throws IOException, InterruptedException {
    Optional<RoomSeal> seal = view.seal();
    if (seal.isEmpty()) {
      plain.say(text);
    } else if (!seal.get().isKnown()) {
      throw new IOException("this room is sealed in a way that this program does not know");
    } else if (plain.awaitPlace(text)) {
      sends.addLine(open.sealed().say(room(), text), text);
    }
  }

  @Override
  public void reply(Seq to, String text) throws IOException, InterruptedException {
    refuse("answers");
    plain.reply(to, text);
  }

  @Override
  public void edit(Seq seq, String text) throws IOException, InterruptedException {
    refuse("changes");
    plain.edit(seq, text);
  }

  private void refuse(String what) throws IOException {
    if (view.seal().isPresent()) {
      throw new IOException("there are no " + what + " in sealed rooms yet");
    }
  }

  @Override
  public void delete(Seq seq) throws IOException, InterruptedException {
    if (view.seal().filter(seal -> seal.covers(seq)).isPresent()) {
      throw new IOException("what was said in a sealed room cannot be deleted yet");
    }
    plain.delete(seq);
  }

  @Override
  public void read() {
    plain.read();
    open.allRead();
  }

  @Override
  public Seq unread(Optional<Seq> from) {
    return plain.unread(from);
  }

  /// From what the device keeps, and then what was said before the room was sealed.
  @Override
  public void older(int count) {
    if (view.seal().isPresent()) {
      List<SealedLine> lines =
          open.sealed().lines(room(), view.oldest().orElse(null), count).await();
      if (!lines.isEmpty()) {
        view.olderLines(lines);
        open.seen();
        return;
      }
    }
    plain.older(count);
  }

  @Override
  public void changePassword() {
    plain.changePassword();
  }

  @Override
  public void removeAccount() {
    plain.removeAccount();
  }

  @Override
  public void quit() {
    plain.quit();
  }
}
