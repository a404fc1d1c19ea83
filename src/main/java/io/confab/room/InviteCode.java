package io.confab.room;

import io.confab.config.Sha256;
import io.confab.protocol.Secret;
import io.vertx.core.buffer.Buffer;
import java.util.Base64;
import java.util.random.RandomGenerator;

/// The code of an invite: anybody who has it may join the room. Its text is 192 random bits as
/// base64url, of which only a hash is stored. An invite is listed and deleted by its id, which is
/// drawn apart from the text and reveals nothing of it.
record InviteCode(String id, Secret text) {
  private static final int BYTES = 24;
  private static final int ID_BYTES = 9;

  static InviteCode random(RandomGenerator random) {
    return new InviteCode(text(random, ID_BYTES), new Secret(text(random, BYTES)));
  }

  /// What a client says: a code, or the id of one.
  static InviteCode said(Secret text) {
    return new InviteCode(text.value(), text);
  }

  private static String text(RandomGenerator random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  Buffer hash() {
    return Buffer.buffer(Sha256.of(text.value()));
  }
}
