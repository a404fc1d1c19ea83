package io.confab.terminal;

import io.confab.client.Account;
import io.confab.client.ApiException;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.client.Invite;
import io.confab.client.Member;
import io.confab.client.RoomKeeping;
import io.confab.protocol.AccountId;
import io.confab.protocol.Seq;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Does what is typed: a message is said, a command carried out, and what a person must know of it
/// printed. Blocks while it asks the server.
final class Commands {
  static final int USUAL_HISTORY = 20;
  private static final int MOST_HISTORY = 200;
  private static final long USUAL_MINUTES = 10;
  private static final List<String> ROLES = List.of("owner", "admin", "member");
  private static final int MOST_MEMBERS_SHOWN = 200;
  private static final DateTimeFormatter WHEN =
      DateTimeFormatter.ofPattern("d MMM yyyy HH:mm", Locale.ENGLISH);

  private final InstantSource clock = InstantSource.system();
  private final ConfabApi api;
  private final RoomFinder rooms;
  private final Names names;
  private final Screen screen;
  private final Talk talk;

  Commands(ConfabApi api, Names names, Screen screen, Talk talk) {
    this.api = api;
    this.rooms = new RoomFinder(api);
    this.names = names;
    this.screen = screen;
    this.talk = talk;
  }

  /// @return whether nothing was wrong with it and nothing was refused
  boolean run(Input asked) throws InterruptedException {
    String wrong;
    try {
      switch (asked) {
        case Input.Say say -> talk.say(say.text());
        case Input.Do(Command command, List<String> words) -> run(command, words);
        case Input.Nothing _ -> {}
        case Input.Wrong misuse -> {
          return refuse(misuse.why());
        }
      }
      return true;
    } catch (ApiException refusal) {
      wrong = refusal.getMessage();
    } catch (IOException failure) {
      wrong = failure.getMessage();
    }
    return refuse(String.valueOf(wrong));
  }

  private boolean refuse(String why) {
    screen.line("✗ " + Plain.line(why));
    return false;
  }

  private void run(Command command, List<String> words) throws IOException, InterruptedException {
    switch (command) {
      case REPLY -> talk.reply(seq(words.getFirst()), words.get(1));
      case EDIT -> talk.edit(seq(words.getFirst()), words.get(1));
      case DELETE -> talk.delete(seq(words.getFirst()));
      case HISTORY -> talk.older((int) Math.min(number(words, 0, USUAL_HISTORY), MOST_HISTORY));
      case ROOMS -> rooms();
      case JOIN -> talk.enter(rooms.enter(words.getFirst()));
      case ACCEPT -> talk.enter(api.accept(words.getFirst()).await());
      case MEMBERS -> members();
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
      case SETTINGS -> settings(api.room(talk.room()).await());
      case SET -> set(words);
      case INVITE -> invite(words);
      case INVITES -> list(keeping().invites(), this::invitation);
      case REVOKE -> done(keeping().revoke(words.getFirst()), "The invitation is deleted.");
      case BLOCK -> toward(words, who -> api.block(who.accountId()), "is blocked");
      case UNBLOCK -> toward(words, who -> api.unblock(who.accountId()), "is blocked no longer");
      case BLOCKS -> blocks();
      case NAME -> done(api.rename(words.getFirst()), "Others see this name now.");
      case PASSWORD -> {
        talk.changePassword();
        screen.line("* The password is changed; your other devices are signed out.");
      }
      case HELP -> Command.ALL.lines().forEach(screen::line);
      case QUIT -> talk.quit();
    }
  }

  private void rooms() {
    List<ChatRoom> all = api.rooms().await();
    names.titles(all); // learns them with one call
    list(Future.succeededFuture(all), room -> room.roomId() + "  " + names.title(room));
  }

  private RoomKeeping keeping() {
    return api.keeping(talk.room());
  }

  private static @Nullable String second(List<String> words) {
    return words.size() > 1 ? words.get(1) : null;
  }

  private <T> void list(Future<List<T>> all, Function<T, String> line) {
    List<T> found = all.await();
    if (found.isEmpty()) {
      screen.line("* none");
    }
    found.forEach(item -> screen.line("  " + line.apply(item)));
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

  /// Who wants to be asked is no member yet.
  private void add(List<String> words) throws IOException {
    Account who = rooms.account(words.getFirst());
    boolean isMember = api.add(talk.room(), who.accountId()).await();
    screen.line(
        Plain.line(who.handle() + (isMember ? " is a member." : " is asked whether to join.")));
  }

  private void mute(List<String> words) throws IOException {
    Duration span = Duration.ofMinutes(number(words, 1, USUAL_MINUTES));
    toward(words, who -> keeping().mute(who.accountId(), clock.instant().plus(span)), "is muted");
  }

  private void members() {
    List<Member> all = api.members(talk.room()).await();
    all.stream()
        .sorted(
            Comparator.comparing((Member member) -> ROLES.indexOf(member.role()))
                .thenComparing(Member::handle))
        .limit(MOST_MEMBERS_SHOWN)
        .forEach(
            member ->
                screen.line(
                    "  %-6s  %s (%s)"
                        .formatted(
                            Plain.line(member.role()),
                            Plain.line(member.handle()),
                            Plain.line(member.displayName()))));
    if (all.size() > MOST_MEMBERS_SHOWN) {
      screen.line("* and %d more".formatted(all.size() - MOST_MEMBERS_SHOWN));
    }
  }

  private void settings(ChatRoom room) {
    screen.line("  name         " + names.title(room));
    screen.line("  description  " + Plain.line(Optional.ofNullable(room.description()).orElse("")));
    screen.line("  history      " + Plain.line(Optional.ofNullable(room.history()).orElse("")));
    screen.line("  slow_mode_s  " + Optional.ofNullable(room.slowModeS()).orElse(0L));
    screen.line("  max_members  " + Optional.ofNullable(room.maxMembers()).orElse(0L));
  }

  private void set(List<String> words) {
    String value = second(words);
    settings(keeping().change(words.getFirst(), value == null ? "" : value).await());
  }

  private void invite(List<String> words) {
    Duration lifetime = words.isEmpty() ? null : Duration.ofHours(number(words, 0, 0));
    Long uses = words.size() < 2 ? null : number(words, 1, 0);
    screen.line("  " + Plain.line(keeping().invite(lifetime, uses).await()));
  }

  private String invitation(Invite invite) {
    Long most = invite.maxUses();
    Long end = invite.expiresAt();
    return "%s  used %d%s%s"
        .formatted(
            Plain.line(invite.inviteId()),
            invite.uses(),
            most == null ? "" : " of " + most,
            end == null
                ? ""
                : ", until "
                    + WHEN.format(Instant.ofEpochMilli(end).atZone(ZoneId.systemDefault())));
  }

  private void blocks() {
    List<AccountId> blocked = new ArrayList<>(api.blocks().await());
    names.learn(blocked);
    list(Future.succeededFuture(blocked), who -> Plain.line(names.of(who)));
  }

  private static Seq seq(String word) {
    return new Seq(Long.parseLong(word.startsWith("#") ? word.substring(1) : word));
  }

  private static long number(List<String> words, int place, long usual) {
    return words.size() > place ? Long.parseLong(words.get(place)) : usual;
  }
}
