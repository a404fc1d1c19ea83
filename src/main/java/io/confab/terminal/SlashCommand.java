package io.confab.terminal;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What can be typed after `/`, with the words that follow: those in brackets may be absent, the
/// last one takes the rest of the line.
enum SlashCommand {
  REPLY("N TEXT", "answer message #N"),
  EDIT("N TEXT", "change message #N, one of yours"),
  DELETE("N", "delete message #N"),
  HISTORY("[COUNT]", "show older messages (20), at most 200"),
  READ("", "everything in this room is read"),
  UNREAD("[N]", "keep message #N (the newest) and what follows unread"),
  SEARCH("TEXT", "find what was said in sealed rooms, as far as this device keeps it"),
  READERS("[N]", "who has read message #N (the newest)"),
  ROOMS("", "your rooms, with what is unread"),
  JOIN("ROOM", "go to another room, by name or id, or @handle; joins a channel"),
  INVITATIONS("", "who asks you to join which room"),
  ACCEPT("CODE", "join by an invitation, or its ROOM, and go there"),
  DECLINE("ROOM", "join it not, by name or id"),
  INVITED_BY("WHOM", "who adds you unasked: everyone, shared_rooms or nobody"),
  MEMBERS("", "who is in this room"),
  WHO("", "who of this room is there, and then who comes and goes"),
  AWAY("[TEXT]", "seem away, and say why"),
  BACK("", "be there again"),
  ENTER("", "take a seat where not all can be inside, or a place in the line"),
  EXIT("", "give up the seat, or the place"),
  SEATS("", "how many are inside and wait, and who, as far as you may know"),
  LEAVE("", "leave this room"),
  ADD("HANDLE [MORE]", "make people members, several in one go"),
  REMOVE("HANDLE", "remove a member"),
  BAN("HANDLE [REASON]", "remove somebody and keep them out"),
  UNBAN("HANDLE", "let somebody join again"),
  MUTE("HANDLE [MINUTES]", "keep a member silent (10)"),
  UNMUTE("HANDLE", "let a member speak again"),
  ROLE("HANDLE ROLE", "make a member an admin, or a member again"),
  TRANSFER("HANDLE", "make a member the owner in your place"),
  SETTINGS("", "what is set in this room"),
  SET(
      "SETTING [VALUE]",
      "set name, description, history, slow_mode_s, max_members, capacity, read_outside or"
          + " expires_in_s"),
  SEAL("[YES]", "seal this room, for ever: its members' devices alone can read it; beta"),
  EXPIRE(
      "SECONDS",
      "let what is said in this sealed room go so long after it was read; whoever is away for"
          + " longer misses it; 0: stay"),
  VERIFY("HANDLE", "compare emoji with somebody, to know that their keys are theirs"),
  MATCH("HANDLE", "somebody sees the same emoji"),
  DIFFER("HANDLE", "somebody sees others"),
  TRUST("HANDLE", "accept that somebody has other keys than before"),
  LINK(
      "[CODE|SHOW|YES|NO]",
      "give a new window of yours your identity and what was said in sealed rooms: it shows a CODE"
          + " (/link, or /link show), which is typed on one that has them, and then yes or no;"
          + " beta"),
  RECOVER(
      "[NEW|RESET] [YES]",
      "get your identity in sealed rooms by your recovery key; new: make one; reset: make another"
          + " identity where all is lost; beta"),
  CAPACITY("SEATS", "let so many be inside at once; 0: everybody"),
  LET_IN("HANDLE", "put a member, or yourself, at the head of the line"),
  UNSEAT("HANDLE", "take seat or place from somebody"),
  INVITE("[HOURS] [USES]", "make an invitation; without HOURS it does not end"),
  INVITES("", "the invitations to this room"),
  REVOKE("INVITATION", "delete an invitation, by its code or id"),
  ARCHIVE("", "end this room for ever; it can still be read"),
  BLOCK("HANDLE", "get no direct messages from somebody"),
  UNBLOCK("HANDLE", "block somebody no longer"),
  BLOCKS("", "whom you block"),
  DEVICES("[HANDLE]", "where you are signed in, or the devices of somebody in sealed rooms"),
  DEVICE("DEVICE NAME", "name one of your devices, by its id or name"),
  FORGET("DEVICE", "sign one of your devices out, and end its keys"),
  NAME("TEXT", "change the name that others see"),
  PASSWORD("", "change your password; signs all your other devices out"),
  REMOVE_ACCOUNT("", "remove your account for good; asks for your password"),
  HELP("", "this list"),
  QUIT("", "leave, once everything is stored (so does the end of the input)");

  private final String words;
  private final String what;

  SlashCommand(String words, String what) {
    this.words = words;
    this.what = what;
  }

  /// The text of `/help`.
  static final String ALL =
      Stream.of(values())
          .map(command -> "  %-24s %s\n".formatted(command.usage(), command.what))
          .collect(
              Collectors.joining(
                  "",
                  """
                  Type a message and Enter. A message of yours shows ✓ once it is stored, ✓✓ once others
                  have it, and then that it was read. @ marks what mentions you where nothing is
                  sealed, 🔒 what is sealed: in such a room the devices of its members alone can
                  read (beta, audited by nobody, not post-quantum; what is over stays in the memory
                  of the terminal). Commands:
                  """,
                  "  %-24s %s\n".formatted("//TEXT", "a message that begins with /")));

  /// The command with this word, `/` included.
  static Optional<SlashCommand> named(String word) {
    return Stream.of(values()).filter(command -> command.word().equals(word)).findFirst();
  }

  String word() {
    return "/" + name().toLowerCase(Locale.ROOT);
  }

  /// How it is typed.
  String usage() {
    return words.isEmpty() ? word() : word() + " " + words;
  }

  /// What its words are, such as `HANDLE`.
  List<String> words() {
    return typed().map(word -> word.replaceAll("[\\[\\]]", "")).toList();
  }

  /// How many words it must have.
  int least() {
    return (int) typed().filter(word -> !word.startsWith("[")).count();
  }

  private Stream<String> typed() {
    return Stream.of(words.split(" ", -1)).filter(word -> !word.isEmpty());
  }
}
