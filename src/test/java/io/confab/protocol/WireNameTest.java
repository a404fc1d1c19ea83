package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WireNameTest {
  private enum Colour implements WireName {
    DARK_RED,
    BLUE {
      @Override
      public String wire() {
        return "Blue";
      }
    }
  }

  @Test
  void aConstantIsKnownByItsOneNameAlone() {
    assertThat(WireName.find(Colour.class, "dark_red")).contains(Colour.DARK_RED);
    assertThat(WireName.of(Colour.class, "Blue")).isEqualTo(Colour.BLUE);
    assertThat(WireName.find(Colour.class, "blue")).isEmpty();
    assertThat(WireName.find(Colour.class, "DARK_RED")).isEmpty();
  }

  @Test
  void aStoredNameThatIsUnknownIsABug() {
    assertThatThrownBy(() -> WireName.of(Colour.class, "green"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no Colour: green");
  }
}
