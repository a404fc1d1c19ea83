package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class HostKindTest {
  @ParameterizedTest
  @CsvSource({
    "localhost, LOOPBACK",
    "127.0.0.1, LOOPBACK",
    "127.8.9.1, LOOPBACK",
    "::1, LOOPBACK",
    "127.example.org, ANY",
    "10.1.2.3, PRIVATE",
    "172.16.0.1, PRIVATE",
    "172.32.0.1, ANY",
    "192.168.1.1, PRIVATE",
    "100.64.0.1, PRIVATE",
    "100.128.0.1, ANY",
    "169.254.1.1, PRIVATE",
    "fd00::1, PRIVATE",
    "fe80::1, PRIVATE",
    "2001:db8::1, ANY",
    "0.0.0.0, ANY",
    "::, ANY",
    "8.8.8.8, ANY",
    "intranet, ANY"
  })
  void anAddressSaysFromWhereItIsReached(String host, HostKind kind) {
    assertThat(HostKind.of(host)).isEqualTo(kind);
  }
}
