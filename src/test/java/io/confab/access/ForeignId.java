package io.confab.access;

import io.confab.access.Attempt.Call;
import io.confab.access.Attempt.Frame;
import io.confab.access.Cast.Target;
import java.util.List;
import java.util.stream.Stream;

/// An operation tried with an id of somebody else's, or of another room's, and with one that
/// nothing has.
///
/// @param attempt with `{id}` where the id stands
record ForeignId(Who who, Attempt attempt, String foreign, String missing) {
  private static final String NOBODYS = "7zzzzzzzzzzzz";

  /// As little somebody's as the other one.
  private static final String NONE = "0zzzzzzzzzzzz";

  private static final String ROOM = "/v1/rooms/{room_id}";
  private static final String SAID = "{'client_id':'{unique}','body':'Said anew'}";

  /// All of them.
  ///
  /// @param seq that the room has not, and another one has
  /// @param code of an invitation of another room
  static List<ForeignId> all(Cast cast, long seq, String code) {
    String account = cast.target(Target.NEW).accountId();
    String device = cast.actor(Who.OWNER).person().orElseThrow().deviceId();
    return Stream.of(
            ofAccounts(account),
            ofMessages(Long.toString(seq)),
            Stream.of(
                of(new Call("DELETE", ROOM + "/invites/{id}", ""), code, Cast.unique()),
                of(new Call("POST", "/v1/invites/{id}", ""), NOBODYS, Cast.unique()),
                new ForeignId(
                    Who.MEMBER,
                    new Call("PATCH", "/v1/devices/{id}", "{'name':'Other'}"),
                    device,
                    "none"),
                new ForeignId(
                    Who.MEMBER, new Call("DELETE", "/v1/devices/{id}", ""), device, "none")))
        .flatMap(all -> all)
        .toList();
  }

  private static Stream<ForeignId> ofAccounts(String account) {
    return Stream.of(
        of(new Call("DELETE", ROOM + "/members/{id}", ""), account, NOBODYS),
        of(new Call("PUT", ROOM + "/mutes/{id}", "{'until':4000000000000}"), account, NOBODYS),
        of(new Call("DELETE", ROOM + "/mutes/{id}", ""), account, NOBODYS),
        of(new Call("DELETE", ROOM + "/bans/{id}", ""), account, NOBODYS),
        of(new Call("PUT", ROOM + "/owner/{id}", ""), account, NOBODYS),
        // Who has an account everybody may know: only ids of nobody are not found here.
        of(new Call("PUT", ROOM + "/members/{id}", ""), NONE, NOBODYS),
        of(new Call("PUT", ROOM + "/bans/{id}", ""), NONE, NOBODYS),
        of(new Call("PUT", "/v1/blocks/{id}", ""), NONE, NOBODYS),
        of(
            new Call("POST", "/v1/rooms", "{'type':'group','name':'Ours','members':['{id}']}"),
            NONE,
            NOBODYS),
        of(new Call("POST", "/v1/rooms", "{'type':'direct','members':['{id}']}"), NONE, NOBODYS));
  }

  private static Stream<ForeignId> ofMessages(String seq) {
    String missing = "999999";
    String message = "'room_id':'{room_id}','seq':{id}";
    return Stream.of(
        of(new Call("GET", ROOM + "/messages/{id}", ""), seq, missing),
        of(new Call("PATCH", ROOM + "/messages/{id}", SAID), seq, missing),
        of(new Call("DELETE", ROOM + "/messages/{id}", ""), seq, missing),
        of(new Call("GET", ROOM + "/messages/{id}/versions", ""), seq, missing),
        of(
            new Frame(
                "{'type':'message.edit'," + message + ",'client_id':'{unique}','body':'Anew'}"),
            seq,
            missing),
        of(new Frame("{'type':'message.delete'," + message + "}"), seq, missing));
  }

  /// What is not there need not be deleted; but a message that is not there has no tombstone.
  Verdict verdict() {
    return attempt instanceof Call call
            && call.method().equals("DELETE")
            && !call.path().contains("/messages/")
        ? Verdict.DONE
        : Verdict.NOT_FOUND;
  }

  private static ForeignId of(Attempt attempt, String foreign, String missing) {
    return new ForeignId(Who.OWNER, attempt, foreign, missing);
  }
}
