package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import de.connect2x.trixnity.vodozemac.Curve25519PublicKey;
import de.connect2x.trixnity.vodozemac.olm.Account;
import de.connect2x.trixnity.vodozemac.olm.OlmSessionConfig;
import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.KeyAgreement;
import org.junit.jupiter.api.Test;

class ForeignKeysTest {
  private static final byte[] ZERO = new byte[32];

  /// The points of small order with u below the prime, as https://cr.yp.to/ecdh.html lists them.
  private static final List<String> SMALL_ORDER =
      List.of(
          "0000000000000000000000000000000000000000000000000000000000000000",
          "0100000000000000000000000000000000000000000000000000000000000000",
          "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
          "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
          "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f");

  @Test
  void aKeyOfAnybodyComesInUnchanged() {
    try (Account account = Vodozemac.newAccount();
        Curve25519PublicKey key = account.getCurve25519Key()) {
      String text = key.getBase64();
      try (Curve25519PublicKey foreign = ForeignKeys.curve25519(text)) {
        assertThat(foreign.getBase64()).isEqualTo(text);
      }
    }
  }

  @Test
  void keysOfSmallOrderAreRefused() {
    for (String hex : SMALL_ORDER) {
      assertRefused(base64(HexFormat.of().parseHex(hex)));
    }
  }

  @Test
  void aKeyThatIsWrittenInAnotherWayIsRefused() {
    byte[] nine = new byte[32];
    nine[0] = 9;
    ForeignKeys.curve25519(base64(nine)).close();
    byte[] withTopBit = nine.clone();
    withTopBit[31] = (byte) 0x80;
    assertRefused(base64(withTopBit));
    byte[] abovePrime = HexFormat.of().parseHex("f6" + "ff".repeat(30) + "7f");
    assertRefused(base64(abovePrime));
    assertRefused(base64(nine) + "=");
    assertRefused(base64(nine).replace('A', '-'));
    String otherTrailingBits = base64(nine).substring(0, 42) + "B";
    assertRefused(otherTrailingBits);
  }

  @Test
  void whatHasAnotherLengthIsRefused() {
    assertRefused("");
    assertRefused(base64(new byte[31]));
    assertRefused(base64(new byte[33]));
  }

  @Test
  void theJdkRefusesTheZeroKey() throws Exception {
    KeyAgreement agreement = KeyAgreement.getInstance("X25519");
    agreement.init(KeyPairGenerator.getInstance("X25519").generateKeyPair().getPrivate());
    PublicKey zero =
        KeyFactory.getInstance("X25519")
            .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, BigInteger.ZERO));
    assertThatThrownBy(() -> agreement.doPhase(zero, true))
        .isInstanceOf(InvalidKeyException.class)
        .hasMessage("Point has small order");
  }

  /// When this fails, the linked vodozemac is newer than 0.9 and refuses by itself.
  @Test
  void vodozemacMakesASessionWithZeroKeys() {
    assertThat(Vodozemac.isLoaded()).isTrue();
    try (Account account = Vodozemac.newAccount();
        Curve25519PublicKey zero = Curve25519PublicKey.Companion.invoke(ZERO);
        var session = account.createOutboundSession(zero, zero, OlmSessionConfig.Companion.v1())) {
      assertThat(session.encrypt("anybody can read this").getBase64()).isNotEmpty();
    }
  }

  private static void assertRefused(String base64) {
    assertThat(Vodozemac.isLoaded()).isTrue();
    assertThatThrownBy(() -> ForeignKeys.curve25519(base64))
        .isInstanceOfSatisfying(
            Untrusted.class, untrusted -> assertThat(untrusted.doubt()).isEqualTo(Doubt.BAD_KEY));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().withoutPadding().encodeToString(bytes);
  }
}
