package io.confab.protocol;

/// The fields of an edit that socket and HTTP share, checked against the rules that need no
/// database.
public record EditFields(ClientId clientId, String body) {

  /// Reads `client_id` and `body`; the caller ends the object.
  ///
  /// @param bodyBytes the most that a body may have in UTF-8
  public static EditFields read(Fields fields, int bodyBytes) {
    ClientId clientId =
        new ClientId(TextRules.clientMade(fields.path("client_id"), fields.text("client_id")));
    return new EditFields(
        clientId, TextRules.body(fields.path("body"), fields.text("body"), bodyBytes));
  }
}
