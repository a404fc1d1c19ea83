package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// What is piped in: each line is sent over HTTP, one after the other, and nothing is received. So
/// it ends no window of the same account, and prints only what failed or was asked for.
public final class Pipe {
  private static final String NOT_HERE =
      "sealed rooms need a window; without one nothing can be encrypted";

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final ConfabApi api;
  private final Screen screen;
  private final BufferedReader input;
  private final Duration patience;
  private final RoomView view;
  private final Commands commands;
  private final PipedSeat seat;
  private boolean whole = true;
  private boolean ended;

  /// @param self the account that is signed in
  /// @param patience how long a line may wait until it is stored
  public Pipe(
      ConfabApi api, AccountId self, Screen screen, BufferedReader input, Duration patience) {
    this.api = api;
    this.screen = screen;
    this.input = input;
    this.patience = patience;
    this.seat = new PipedSeat(api, patience);
    Names names = new Names(api);
    this.view =
        new RoomView(
            new Transcript(ZoneId.systemDefault(), self, names::of, new Receipts()),
            names::learn,
            screen);
    this.commands =
        new Commands(
            api, names, screen, Around.nobody(), SealedCommands.absent(screen), new Sends());
  }

  /// Sends until the input ends or a line cannot be stored in time. Blocks.
  ///
  /// @param room name or id; a channel is joined
  /// @return whether everything was stored
  public boolean run(String room) throws IOException, InterruptedException {
    open(new RoomFinder(api).enter(room));
    while (!ended) {
      String line = input.readLine();
      if (line == null) {
        break;
      }
      Input asked = Input.parse(line);
      Optional<String> why = seals(asked) ? Optional.of(NOT_HERE) : commands.run(asked);
      why.ifPresent(text -> refused(line, text));
    }
    return whole;
  }

  /// It would be for ever, and what follows could not be said.
  private static boolean seals(Input asked) {
    return asked instanceof Input.Do(SlashCommand command, _) && command == SlashCommand.SEAL;
  }

  /// What follows is meant for this room, so if it cannot be said here nothing is said at all.
  private void open(ChatRoom room) throws IOException {
    if (RoomSeal.of(room).isPresent()) {
      ended = true;
      throw new IOException(NOT_HERE);
    }
    view.open(room);
  }

  private void refused(String line, String why) {
    screen.line("✗ %s: %s".formatted(why, Plain.line(line)));
    whole = false;
  }

  private final class Sends implements Talk {
    @Override
    public RoomId room() {
      return view.room().orElseThrow();
    }

    @Override
    public void enter(ChatRoom room) throws IOException {
      open(room);
    }

    @Override
    public void sealed(RoomSeal seal) {
      throw new IllegalStateException(NOT_HERE);
    }

    @Override
    public void takeSeat() throws IOException, InterruptedException {
      seat.take(room());
    }

    @Override
    public void giveUpSeat() {
      seat.giveUp(room());
    }

    @Override
    public void say(String text) throws IOException, InterruptedException {
      send(text, id -> api.send(room(), id, text));
    }

    @Override
    public void reply(Seq to, String text) throws IOException, InterruptedException {
      send(text, id -> api.send(room(), id, text, to, null));
    }

    @Override
    public void edit(Seq seq, String text) throws IOException, InterruptedException {
      send(text, id -> api.edit(room(), seq, id, text));
    }

    @Override
    public void delete(Seq seq) throws IOException, InterruptedException {
      send("/delete " + seq, _ -> api.delete(room(), seq));
    }

    @Override
    public void read() {
      Seq newest = api.room(room()).await().seq();
      if (!newest.equals(Seq.ZERO)) {
        api.markRead(room(), newest).await();
      }
    }

    @Override
    public Seq unread(Optional<Seq> from) {
      Seq seq = from.orElseGet(() -> api.room(room()).await().seq());
      api.markUnread(room(), seq).await();
      return seq;
    }

    @Override
    public void older(int count) {
      view.older(api.history(room(), view.before().limit(count)).await());
    }

    @Override
    public void changePassword() throws IOException {
      throw new IOException("/password asks, and needs a terminal to do so");
    }

    @Override
    public void removeAccount() throws IOException {
      throw new IOException("/remove_account asks, and needs a terminal to do so");
    }

    @Override
    public void quit() {
      ended = true;
    }
  }

  private interface Send {
    Future<?> with(ClientId id);
  }

  private void send(String text, Send send) throws IOException, InterruptedException {
    seat.keep(view.room().orElseThrow());
    ClientId id = new ClientId(UUID.randomUUID().toString());
    if (!stored(() -> send.with(id))) {
      screen.line("✗ not sent: " + Plain.line(text));
      whole = false;
      ended = true;
    }
  }

  /// Whether it was carried out in time.
  private boolean stored(Supplier<Future<?>> call) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        call.get().await();
        return true;
      } catch (ApiException refusal) {
        if (refusal.is(ErrorCode.ENCRYPTED)) {
          screen.line("✗ this room was sealed; " + NOT_HERE);
          return false;
        }
        if (!refusal.retryable()) {
          throw refusal;
        }
        Duration pause = refusal.retryAfter().orElse(PAUSE);
        if (System.nanoTime() + pause.toNanos() > end) {
          screen.line("✗ " + Plain.line(String.valueOf(refusal.getMessage())));
          return false;
        }
        Thread.sleep(pause);
      }
    }
  }
}
