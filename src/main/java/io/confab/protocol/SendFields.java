package io.confab.protocol;

import org.jspecify.annotations.Nullable;

/// The fields of a send that socket and HTTP share, checked against the rules that need no
/// database.
public record SendFields(
    ClientId clientId,
    MessageType type,
    String body,
    @Nullable Seq replyTo,
    @Nullable String topic) {

  /// Reads `client_id`, `msg_type?`, `body`, `reply_to?`, `topic?`; the caller ends the object.
  ///
  /// @param bodyBytes the most that a body may have in UTF-8
  public static SendFields read(Fields fields, int bodyBytes) {
    ClientId clientId =
        new ClientId(TextRules.clientMade(fields.path("client_id"), fields.text("client_id")));
    String type = fields.optionalText("msg_type");
    if (type != null && !type.equals(MessageType.TEXT.wire())) {
      throw Refusal.invalidField(fields.path("msg_type"), "must be text");
    }
    String body = TextRules.body(fields.path("body"), fields.text("body"), bodyBytes);
    Seq replyTo = Seq.readOptional(fields, "reply_to");
    String topic = fields.optionalText("topic");
    return new SendFields(
        clientId,
        MessageType.TEXT,
        body,
        replyTo,
        topic == null ? null : TextRules.name(fields.path("topic"), topic));
  }
}
