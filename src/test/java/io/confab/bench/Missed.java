package io.confab.bench;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// What is said in every room while nobody is there, and who has got it after coming back. Only
/// Confab brings it by itself; to others nothing is sent.
final class Missed implements Ears {
  private static final int EACH_ROOM = 2;
  private static final int SECONDS = 60;

  /// No token comes twice.
  private static final AtomicInteger TOKENS = new AtomicInteger(900_000_000);

  private final Layout layout;
  private final int[][] places;
  private final Ledger ledger;
  private final int firstToken = TOKENS.get();
  private final CompletableFuture<Void> whole = new CompletableFuture<>();
  private int awaited;
  private int arrived;
  private @Nullable String failure;

  Missed(Layout layout) {
    this.layout = layout;
    this.places = layout.places();
    this.ledger = new Ledger(layout);
  }

  /// The first member of each room speaks, over HTTP.
  void send(List<Speech> people) {
    for (int room = 0; room < layout.rooms().size(); room++) {
      List<Integer> members = layout.rooms().get(room);
      if (people.get(members.getFirst()) instanceof ConfabSpeech speaker) {
        for (int i = 0; i < EACH_ROOM; i++) {
          int message = ledger.sent(room, members.getFirst());
          speaker.post(room, Token.text(TOKENS.getAndIncrement()));
          ledger.acked(message);
          awaited += members.size();
        }
      }
    }
    if (awaited == 0) {
      whole.complete(null);
    }
  }

  /// Waits until all have everything, or for too long, which the ledger tells.
  void await() {
    whole.completeOnTimeout(null, SECONDS, TimeUnit.SECONDS).join();
  }

  int count() {
    return arrived;
  }

  Optional<String> fault() {
    return Optional.ofNullable(failure).or(ledger::fault);
  }

  @Override
  public void live(Line line) {}

  @Override
  public void acked(Line line, int token) {}

  @Override
  public void received(Line line, int token) {
    int message = token - firstToken;
    if (message < 0 || message >= ledger.sent()) {
      failure = "a message that nobody sent";
      return;
    }
    ledger.received(message, Layout.place(places[line.person()], ledger.room(message)));
    if (++arrived == awaited) {
      whole.complete(null);
    }
  }

  @Override
  public void failed(Line line, String why) {
    failure = "person " + line.person() + ": " + why;
    whole.complete(null);
  }
}
