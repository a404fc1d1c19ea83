package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DirectMemoryTest {
  private static final String EVENTS = "io.netty.jfr.enabled";

  @AfterEach
  void forget() {
    System.clearProperty(EVENTS);
  }

  @Test
  void nobodyIsToldOfSingleBuffersUnasked() throws IOException {
    DirectMemory.require();

    assertThat(System.getProperty(EVENTS)).isEqualTo("false");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void whoAsksForThemOrNotIsHeard(String asked) throws IOException {
    System.setProperty(EVENTS, asked);

    DirectMemory.require();

    assertThat(System.getProperty(EVENTS)).isEqualTo(asked);
  }
}
