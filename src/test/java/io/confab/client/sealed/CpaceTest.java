package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// With the values of appendix B.1 of the draft.
class CpaceTest {
  private static final byte[] CODE = "Password".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PARTIES =
      bytes("6f630b425f726573706f6e6465720b415f696e69746961746f72");
  private static final byte[] SESSION = bytes("7e4b4791d6a8ef019b936c79fb7f2c57");
  private static final byte[] FIRST =
      bytes("21b4f4bd9e64ed355c3eb676a28ebedaf6d8f17bdc365995b319097153044080");
  private static final byte[] SECOND =
      bytes("848b0779ff415f0af4ea14df9dd1d3c29ac41d836c7808896c4eba19c51ac40a");

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static Cpace side(byte[] secret) {
    return new Cpace(CODE, PARTIES, SESSION, secret);
  }

  @Test
  void aCodeIsMappedToThePointOfTheDraft() {
    assertThat(hex(Cpace.generator(CODE, PARTIES, SESSION)))
        .isEqualTo("64e8099e3ea682cfdc5cb665c057ebb514d06bf23ebc9f743b51b82242327074");
  }

  @Test
  void sharesAndWhatBothAgreeOnAreThoseOfTheDraft() {
    byte[] first = side(FIRST).share();
    byte[] second = side(SECOND).share();
    assertThat(hex(first))
        .isEqualTo("1b02dad6dbd29a07b6d28c9e04cb2f184f0734350e32bb7e62ff9dbcfdb63d15");
    assertThat(hex(second))
        .isEqualTo("20cda5955f82c4931545bcbf40758ce1010d7db4db2a907013d79c7a8fcf957f");
    assertThat(hex(Cpace.multiply(FIRST, second)))
        .isEqualTo(hex(Cpace.multiply(SECOND, first)))
        .isEqualTo("f97fdfcfff1c983ed6283856a401de3191ca919902b323c5f950c9703df7297a");
  }

  @Test
  void bothSidesHaveOneKeyAndWhoHasAnotherCodeHasAnother() {
    Cpace first = side(FIRST);
    Cpace second = side(SECOND);
    byte[] key = first.key(second.share(), true);
    assertThat(key).hasSize(64).isEqualTo(second.key(first.share(), false));
    Cpace other =
        new Cpace("password".getBytes(StandardCharsets.US_ASCII), PARTIES, SESSION, SECOND);
    assertThat(first.key(other.share(), true)).isNotEqualTo(other.key(first.share(), false));
    Cpace elsewhere =
        new Cpace(CODE, "others".getBytes(StandardCharsets.US_ASCII), SESSION, SECOND);
    assertThat(first.key(elsewhere.share(), true))
        .isNotEqualTo(elsewhere.key(first.share(), false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "00",
        ""
      })
  void aShareWithWhichAnybodyKnowsTheKeyIsRefused(String share) {
    assertThatThrownBy(() -> side(FIRST).key(bytes(share), true))
        .isInstanceOfSatisfying(
            Untrusted.class, e -> assertThat(e.doubt()).isEqualTo(Doubt.BAD_KEY));
  }

  @Test
  void theKeyIsNotWhatWasMultipliedAlone() {
    byte[] second = side(SECOND).share();
    assertThat(Arrays.copyOf(side(FIRST).key(second, true), 32))
        .isNotEqualTo(Cpace.multiply(FIRST, second));
  }
}
