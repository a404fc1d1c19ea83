package io.confab.chaos;

import io.confab.simulation.Bug;

/// A place in the product at which a node dies. All are planted in the source and compiled for
/// those nodes that are to die ([CrashProgram]); the product knows nothing of it.
enum CrashPoint {
  BEFORE_COMMIT(
      "a group of messages is about to be sent to the database",
      30,
      "message/AppendStore.java",
      Texts.APPEND,
      "if (io.confab.chaos.Halt.soon(\"%s\", 100, 200)) {" + Texts.NEVER + "}\n" + Texts.APPEND),

  UNDER_COMMIT(
      "the call is written, its answer not taken in: committed or not",
      30,
      "message/AppendStore.java",
      Texts.APPEND,
      "var call = "
          + Texts.APPEND.replace("return ", "")
          + "if (io.confab.chaos.Halt.soon(\"%s\", 0, 4)) {"
          + Texts.NEVER
          + "}\nreturn call;\n"),

  BEFORE_ACK(
      "the database has answered, nobody else has been",
      30,
      "message/SendCall.java",
      "answer(List<Sending> group, List<Outcome> outcomes) {\n",
      """
      answer(List<Sending> group, List<Outcome> outcomes) {
      io.confab.chaos.Halt.here("%s");
      """),

  AFTER_ACK(
      "acknowledged on the socket, announced to nobody",
      30,
      "message/GroupCommit.java",
      "              call.announce(group, outcomes);\n",
      "if (io.confab.chaos.Halt.soon(\"%s\", 10, 40)) {"
          + Texts.NEVER
          + "}\ncall.announce(group, outcomes);\n"),

  BEFORE_PUBLISH(
      "this node's feeds have the events, Redis has not",
      30,
      "feed/FeedHub.java",
      "      events.forEach(broker::publish);\n",
      "io.confab.chaos.Halt.here(\"%s\", 10);\nevents.forEach(broker::publish);\n"),

  AFTER_PUBLISH_OF_A_CHANGE(
      "an edit or deletion is published, the recent window shows what was before",
      3,
      "feed/FeedHub.java",
      "    recent.add(stated);\n",
      """
      io.confab.chaos.Halt.here("%s", 20);
      recent.add(stated);
      """),

  IN_WINDOW(
      "the recent window is being written",
      30,
      "feed/RedisRecentWindow.java",
      Texts.WINDOW,
      Texts.WINDOW + "io.confab.chaos.Halt.here(\"%s\", 2);\n"),

  AFTER_MEMBERSHIP_COMMIT(
      "somebody joined or left, nobody knows",
      4,
      "room/RoomChanges.java",
      "    if (!made.events().isEmpty()) {\n",
      """
      if (!made.events().isEmpty()) {
      io.confab.chaos.Halt.here("%s");
      """),

  BEFORE_SIGNAL(
      "the room has the change of its members, who came or went has no `room.added` or"
          + " `room.removed`",
      4,
      "feed/FeedHub.java",
      "  public void signal(List<AccountSignal> signals) {\n",
      """
        public void signal(List<AccountSignal> signals) {
      io.confab.chaos.Halt.here("%s", 20);
      """),

  BEFORE_DIGEST(
      "what is new was taken for a digest that is not published",
      4,
      "feed/Digests.java",
      "    number++;\n",
      "if (!contents.moved().isEmpty() || !contents.signals().isEmpty()) {"
          + " io.confab.chaos.Halt.here(\"%s\"); }\nnumber++;\n"),

  AFTER_SETTLE(
      "what had an unknown outcome turned out stored, nobody was told",
      1,
      "message/GroupCommit.java",
      "              announce(found);\n",
      "if (!found.isEmpty()) { io.confab.chaos.Halt.here(\"%s\"); }\nannounce(found);\n"),

  IN_RESUME(
      "`resumed` is sent, what was missed is not",
      8,
      "socket/ResumeRequest.java",
      "    out.send(new Resumed(id, answers));\n",
      """
      out.send(new Resumed(id, answers));
      if (io.confab.chaos.Halt.soon("%s", 0, 20)) { return; }
      """);

  /// Snippets that stand in several places.
  private static final class Texts {
    static final String APPEND =
        "return connection.call(APPEND, arguments).map(rows -> outcomes(rows, places));\n";
    static final String NEVER = "return io.vertx.core.Future.future(_ -> {});";
    static final String WINDOW =
        "        .onFailure(lost -> LOG.debug(\"Events are missing in the recent window\","
            + " lost));\n";
  }

  private final String title;
  private final int mostPasses;
  private final String file;
  private final String snippet;
  private final String instead;

  CrashPoint(String title, int mostPasses, String file, String snippet, String instead) {
    this.title = title;
    this.mostPasses = mostPasses;
    this.file = "java/io/confab/" + file;
    this.snippet = snippet;
    this.instead = instead;
  }

  String title() {
    return title;
  }

  /// How many passes through it are made soon after a start.
  int mostPasses() {
    return mostPasses;
  }

  /// The class in whose source it stands.
  String place() {
    return file.substring(file.lastIndexOf('/') + 1).replace(".java", "");
  }

  /// A change of the product, and this point besides.
  Bug plantedWith(Bug others) {
    return others.and(file, snippet, instead.formatted(name()));
  }
}
