package io.confab.terminal;

import io.confab.client.Account;
import io.confab.client.ApiException;
import io.confab.client.ConfabApi;
import io.confab.client.Invitation;
import io.confab.client.OwnDevice;
import io.confab.client.RoomKeeping;
import io.confab.config.FileFault;
import io.confab.protocol.DeviceId;
import io.confab.protocol.InvitesFrom;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Does what is typed: a message is said, a command carried out, and what a person must know of it
/// printed. Blocks while it asks the server.
final class Commands {
  static final int USUAL_HISTORY = 20;
  private static final int MOST_HISTORY = 200;
  private static final long USUAL_MINUTES = 10;
  private final InstantSource clock = InstantSource.system();
  private final ConfabApi api;
  private final RoomFinder rooms;
  private final Screen screen;
  private final Lists lists;
  private final PresenceLists presenceLists;
  private final SeatCommands seats;
  private final SealedCommands sealed;
  private final RoomSealing sealing;
  private final Talk talk;

  Commands(
      ConfabApi api, Names names, Screen screen, Around around, SealedCommands sealed, Talk talk) {
    this.api = api;
    this.rooms = new RoomFinder(api);
    this.screen = screen;
    this.lists = new Lists(api, names, screen);
    this.presenceLists = new PresenceLists(api, screen, around);
    this.seats = new SeatCommands(api, names, screen);
    this.sealed = sealed;
    this.sealing = new RoomSealing(api, screen, sealed::reads);
    this.talk = talk;
  }

  /// @return what was wrong with it, or why it was refused, safe to print; else empty
  Optional<String> run(Input asked) throws InterruptedException {
    try {
      switch (asked) {
        case Input.Say say -> talk.say(say.text());
        case Input.Do(SlashCommand command, List<String> words) -> run(command, words);
        case Input.Recover(Secret key) -> sealed.recover(key);
        case Input.Nothing _ -> {}
        case Input.Wrong misuse -> {
          return Optional.of(Plain.line(misuse.why()));
        }
      }
      return Optional.empty();
    } catch (ApiException refusal) {
      return Optional.of(Reasons.of(refusal));
    } catch (IOException failure) {
      return Optional.of(Plain.line(FileFault.text(failure)));
    }
  }

  private void run(SlashCommand command, List<String> words)
      throws IOException, InterruptedException {
    switch (command) {
      case REPLY -> talk.reply(seq(words.getFirst()), words.get(1));
      case EDIT -> talk.edit(seq(words.getFirst()), words.get(1));
      case DELETE -> talk.delete(seq(words.getFirst()));
      case HISTORY -> talk.older((int) Math.min(number(words, 0, USUAL_HISTORY), MOST_HISTORY));
      case READ -> {
        talk.read();
        screen.line("* Everything in this room is read.");
      }
      case UNREAD ->
          screen.line("* #%s and what follows is unread.".formatted(talk.unread(seqIfAny(words))));
      case SEARCH -> sealed.search(words.getFirst());
      case READERS -> lists.readers(talk.room(), seqIfAny(words));
      case ROOMS -> lists.rooms();
      case JOIN -> talk.enter(rooms.enter(words.getFirst()));
      case ACCEPT -> accept(words.getFirst());
      case DECLINE -> decline(words.getFirst());
      case INVITATIONS -> lists.invitations();
      case INVITED_BY -> invitedBy(words.getFirst());
      case MEMBERS -> lists.members(talk.room());
      case WHO -> presenceLists.who(talk.room());
      case AWAY ->
          done(
              api.presences().set("away", words.isEmpty() ? null : words.getFirst()),
              "You seem away; /back ends it.");
      case BACK -> done(api.presences().set("online", ""), "You are there again.");
      case ENTER -> talk.takeSeat();
      case EXIT -> talk.giveUpSeat();
      case SEATS -> seats.list(talk.room());
      case SEAL -> sealing.seal(talk.room(), words).ifPresent(talk::sealed);
      case EXPIRE -> sealing.expire(talk.room(), words.getFirst());
      case VERIFY -> sealed.verify(rooms.account(words.getFirst()).accountId());
      case MATCH -> sealed.matches(words.getFirst(), true);
      case DIFFER -> sealed.matches(words.getFirst(), false);
      case TRUST -> trust(rooms.account(words.getFirst()));
      case LINK -> sealed.link(words);
      case RECOVER -> sealed.recover(words);
      case CAPACITY -> seats.capacity(talk.room(), words.getFirst());
      case LET_IN -> letIn(rooms.account(words.getFirst()));
      case UNSEAT ->
          toward(words, who -> api.seats(talk.room()).remove(who.accountId()), "is outside");
      case LEAVE -> done(api.leave(talk.room()), "You have left this room; /join opens another.");
      case ADD -> add(words);
      case REMOVE -> toward(words, who -> keeping().remove(who.accountId()), "is removed");
      case BAN -> toward(words, who -> keeping().ban(who.accountId(), second(words)), "is banned");
      case UNBAN -> toward(words, who -> keeping().unban(who.accountId()), "may join again");
      case MUTE -> mute(words);
      case UNMUTE -> toward(words, who -> keeping().unmute(who.accountId()), "may speak again");
      case ROLE ->
          toward(
              words,
              who -> keeping().role(who.accountId(), words.get(1)),
              "is now " + words.get(1));
      case TRANSFER ->
          toward(words, who -> keeping().transfer(who.accountId()), "owns this room now");
      case SETTINGS -> lists.settings(api.room(talk.room()).await());
      case SET -> set(words);
      case INVITE -> invite(words);
      case INVITES -> lists.invites(talk.room());
      case REVOKE -> done(keeping().revoke(words.getFirst()), "The invitation is deleted.");
      case BLOCK -> toward(words, who -> api.block(who.accountId()), "is blocked");
      case UNBLOCK -> toward(words, who -> api.unblock(who.accountId()), "is blocked no longer");
      case BLOCKS -> lists.blocks();
      case ARCHIVE ->
          done(keeping().archive(), "This room takes no more messages; it can be read.");
      case DEVICES -> devices(words);
      case DEVICE -> done(api.renameDevice(device(words), words.get(1)), "It has this name now.");
      case FORGET -> done(api.removeDevice(device(words)), "It is signed out.");
      case NAME -> done(api.rename(words.getFirst()), "Others see this name now.");
      case PASSWORD -> {
        talk.changePassword();
        screen.line("* The password is changed; your other devices are signed out.");
      }
      case REMOVE_ACCOUNT -> {
        talk.removeAccount();
        screen.line("* Your account is removed; what you said stays.");
        talk.quit();
      }
      case HELP -> SlashCommand.ALL.lines().forEach(screen::line);
      case QUIT -> talk.quit();
    }
  }

  /// By a room that somebody asks to join, or by the code of an invitation.
  private void accept(String word) throws IOException {
    Optional<RoomId> asked = invited(word);
    talk.enter(asked.isPresent() ? api.accept(asked.get()).await() : api.accept(word).await());
  }

  private void decline(String word) throws IOException {
    RoomId room =
        invited(word)
            .orElseThrow(
                () ->
                    new IOException(
                        "Nobody asks you to join " + word + "; /invitations lists who does."));
    done(api.decline(room), "You are asked no longer; who asked is not told.");
  }

  /// The room of this name or id that the account is asked to join.
  private Optional<RoomId> invited(String word) throws IOException {
    List<RoomId> rooms =
        api.invitations().await().stream()
            .filter(
                asked ->
                    asked.roomId().toString().equals(word) || word.equalsIgnoreCase(asked.name()))
            .map(Invitation::roomId)
            .toList();
    if (rooms.size() > 1) {
      throw new IOException(
          "You are asked to join %d rooms called %s; name one by its id."
              .formatted(rooms.size(), word));
    }
    return rooms.stream().findFirst();
  }

  private void invitedBy(String whom) throws IOException {
    InvitesFrom from =
        Stream.of(InvitesFrom.values())
            .filter(value -> value.wire().equals(whom))
            .findFirst()
            .orElseThrow(() -> new IOException(SlashCommand.INVITED_BY.usage()));
    done(api.acceptFrom(from), "Who may add you unasked: " + whom + ".");
  }

  private RoomKeeping keeping() {
    return api.keeping(talk.room());
  }

  private static @Nullable String second(List<String> words) {
    return words.size() > 1 ? words.get(1) : null;
  }

  private void done(Future<?> call, String done) {
    call.await();
    screen.line("* " + done);
  }

  private void toward(List<String> words, Function<Account, Future<?>> act, String done)
      throws IOException {
    Account who = rooms.account(words.getFirst());
    done(act.apply(who), Plain.line(who.handle() + " " + done + "."));
  }

  private void letIn(Account who) {
    screen.line(
        "* %s %s.".formatted(Plain.line(who.handle()), seats.letIn(talk.room(), who.accountId())));
  }

  private void add(List<String> words) throws IOException {
    List<String> handles = List.of(String.join(" ", words).split("\\s+", -1));
    new Adding(api).add(talk.room(), handles, screen::line);
  }

  /// The one of the account's devices that has this id or name.
  private DeviceId device(List<String> words) throws IOException {
    String word = words.getFirst();
    List<DeviceId> found =
        api.devices().await().stream()
            .filter(own -> own.deviceId().value().equals(word) || own.name().equals(word))
            .map(OwnDevice::deviceId)
            .toList();
    if (found.size() != 1) {
      throw new IOException(
          found.isEmpty()
              ? "You have no device " + word + "; /devices lists them."
              : "You have %d devices called %s; name one by its id.".formatted(found.size(), word));
    }
    return found.getFirst();
  }

  private void devices(List<String> words) throws IOException {
    if (words.isEmpty()) {
      lists.devices(api.devices().await());
    } else {
      Account who = rooms.account(words.getFirst());
      sealed.devices(who.accountId(), who.handle());
    }
  }

  private void trust(Account who) {
    sealed.trust(who.accountId(), who.handle());
  }

  private void mute(List<String> words) throws IOException {
    Duration span = Duration.ofMinutes(number(words, 1, USUAL_MINUTES));
    toward(words, who -> keeping().mute(who.accountId(), clock.instant().plus(span)), "is muted");
  }

  private void set(List<String> words) {
    String value = second(words);
    lists.settings(keeping().change(words.getFirst(), value == null ? "" : value).await());
  }

  private void invite(List<String> words) {
    Duration lifetime = words.isEmpty() ? null : Duration.ofHours(number(words, 0, 0));
    Long uses = words.size() < 2 ? null : number(words, 1, 0);
    screen.line("  " + Plain.line(keeping().invite(lifetime, uses).await()));
  }

  private static Seq seq(String word) {
    return new Seq(Long.parseLong(word.startsWith("#") ? word.substring(1) : word));
  }

  private static Optional<Seq> seqIfAny(List<String> words) {
    return words.stream().findFirst().map(Commands::seq);
  }

  private static long number(List<String> words, int place, long usual) {
    return words.size() > place ? Long.parseLong(words.get(place)) : usual;
  }
}
