package io.confab.protocol;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The fields of a send to a sealed room that socket and HTTP share, checked against the rules that
/// need no database. What is in envelopes only clients understand.
///
/// @param digest of the devices of the room
/// @param payload for all devices
/// @param bodies for one device each, none twice
public record EnvelopeFields(
    ClientId clientId,
    @Nullable String digest,
    boolean silent,
    @Nullable Integer expiresInS,
    @Nullable String payload,
    List<KeyBody> bodies) {
  /// Bodies of a send.
  public static final int MOST_BODIES = 1_000;

  static final int BODY_BYTES = 8 << 10;
  static final int PAYLOAD_BYTES = 48 << 10;
  private static final long SHORTEST_S = 30;
  private static final long LONGEST_S = 604_800;
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{16}");

  /// What one device alone gets.
  public record KeyBody(
      AccountId accountId, DeviceId deviceId, RegistrationId registrationId, String body) {
    @Override
    public String toString() {
      return accountId + "/" + deviceId + "/" + registrationId;
    }
  }

  /// Nothing of what only clients understand.
  @Override
  public String toString() {
    return "EnvelopeFields[" + clientId + "]";
  }

  /// Reads `client_id`, `devices`, `silent?`, `expires_in_s?`, `payload?`, `envelopes?`; the caller
  /// ends the object.
  public static EnvelopeFields read(Fields fields) {
    ClientId clientId = clientId(fields);
    String digest = fields.text("devices");
    if (!DIGEST.matcher(digest).matches()) {
      throw Refusal.invalidField(fields.path("devices"), "must be 16 digits of 0-9 and a-f");
    }
    boolean silent = fields.flag("silent");
    Long lasting = fields.optionalNumber("expires_in_s");
    String payload = fields.optionalText("payload");
    if (payload != null) {
      Opaque.checked(fields.path("payload"), payload, PAYLOAD_BYTES);
    }
    List<KeyBody> bodies = bodies(fields);
    if (payload == null && bodies.isEmpty()) {
      throw Refusal.invalidField(fields.path("payload"), "is missing, and so are envelopes");
    }
    return new EnvelopeFields(
        clientId,
        digest,
        silent,
        lasting == null ? null : lasting(fields.path("expires_in_s"), lasting),
        payload,
        bodies);
  }

  /// Reads `client_id`, `envelopes` of a send without a room; the caller ends the object.
  public static EnvelopeFields readLoose(Fields fields) {
    ClientId clientId = clientId(fields);
    List<KeyBody> bodies = bodies(fields);
    if (bodies.isEmpty()) {
      throw Refusal.invalidField(fields.path("envelopes"), "is missing");
    }
    return new EnvelopeFields(clientId, null, true, null, null, bodies);
  }

  private static ClientId clientId(Fields fields) {
    return new ClientId(TextRules.clientMade(fields.path("client_id"), fields.text("client_id")));
  }

  /// For how many seconds something lasts. Refusal: `invalid_field`.
  public static int lasting(String path, long seconds) {
    if (seconds < SHORTEST_S || seconds > LONGEST_S) {
      throw Refusal.invalidField(path, "must be from " + SHORTEST_S + " to " + LONGEST_S);
    }
    return Math.toIntExact(seconds);
  }

  private static List<KeyBody> bodies(Fields fields) {
    List<KeyBody> bodies = new ArrayList<>();
    Set<RegistrationId> named = new HashSet<>();
    for (Fields each : fields.objects("envelopes", MOST_BODIES)) {
      KeyBody body = body(each);
      if (!named.add(body.registrationId())) {
        throw Refusal.invalidField(each.path("registration_id"), "is named twice");
      }
      bodies.add(body);
    }
    return bodies;
  }

  private static KeyBody body(Fields fields) {
    AccountId account = account(fields.path("account_id"), fields.text("account_id"));
    DeviceId device =
        new DeviceId(TextRules.clientMade(fields.path("device_id"), fields.text("device_id")));
    RegistrationId registration = RegistrationId.read(fields, "registration_id");
    String body = Opaque.read(fields, "body", BODY_BYTES).value();
    fields.end();
    return new KeyBody(account, device, registration, body);
  }

  private static AccountId account(String path, String id) {
    try {
      return AccountId.parse(id);
    } catch (Refusal _) {
      throw Refusal.invalidField(path, "is no id of an account");
    }
  }
}
