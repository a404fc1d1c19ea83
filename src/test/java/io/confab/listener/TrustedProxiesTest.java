package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.testing.Position;
import io.confab.testing.TestConfig;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class TrustedProxiesTest {
  private static final List<String> PROXIES = List.of("10.0.0.0/8", "192.0.2.7", "fd00::/8");

  private static TrustedProxies proxies(List<String> networks, String header) {
    Config base = TestConfig.node(Path.of("unused"));
    Config trusting = TestConfig.with(base, "http.trusted_proxies", networks);
    return new TrustedProxies(TestConfig.with(trusting, "http.forwarded_header", header).http());
  }

  /// @param lines of the header, divided by `;`
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // no proxy: what the client says of itself counts for nothing
        "203.0.113.5 | 198.51.100.1                     | 203.0.113.5",
        "203.0.113.5 | 10.0.0.1                         | 203.0.113.5",
        "192.0.2.8   | 198.51.100.1                     | 192.0.2.8",
        // a proxy: the right end
        "10.1.2.3    | 198.51.100.1                     | 198.51.100.1",
        "192.0.2.7   | 198.51.100.1                     | 198.51.100.1",
        "fd00::1     | 2001:db8::1                      | 2001:db8:0:0:0:0:0:1",
        "::ffff:10.0.0.1 | 198.51.100.1                 | 198.51.100.1",
        // what the client put before stays unread, also a trusted address
        "10.1.2.3    | 1.1.1.1, 198.51.100.1            | 198.51.100.1",
        "10.1.2.3    | 1.1.1.1;198.51.100.1             | 198.51.100.1",
        "10.1.2.3    | 10.9.9.9, 198.51.100.1           | 198.51.100.1",
        "10.1.2.3    | rubbish, 198.51.100.1            | 198.51.100.1",
        // proxies behind proxies
        "10.1.2.3    | 198.51.100.1, 10.0.0.9           | 198.51.100.1",
        "10.1.2.3    | 1.1.1.1, 198.51.100.1, 192.0.2.7 | 198.51.100.1",
        "10.1.2.3    | 10.0.0.8, 10.0.0.9               | 10.0.0.8",
        // nothing that can be read: the last who could be trusted
        "10.1.2.3    | -                                | 10.1.2.3",
        "10.1.2.3    | ''                               | 10.1.2.3",
        "10.1.2.3    | unknown                          | 10.1.2.3",
        "10.1.2.3    | 1.1.1.1, example.org             | 10.1.2.3",
        "10.1.2.3    | 1.1.1.1,                         | 10.1.2.3",
        "10.1.2.3    | 1.1.1.1, 1                       | 10.1.2.3",
        "10.1.2.3    | 1.1.1.1, 0x7f000001              | 10.1.2.3",
        "10.1.2.3    | 1.1.1.1, 10.0.0.9x               | 10.1.2.3",
        // with ports
        "10.1.2.3    | 198.51.100.1:4711                | 198.51.100.1",
        "10.1.2.3    | [2001:db8::1]:4711               | 2001:db8:0:0:0:0:0:1",
        "10.1.2.3    | [2001:db8::1]                    | 2001:db8:0:0:0:0:0:1",
      })
  void theClientIsTheFirstFromTheRightThatIsNoProxy(String peer, String lines, String client) {
    List<String> header = lines == null ? List.of() : Arrays.asList(lines.split(";"));
    assertThat(
            proxies(PROXIES, "x-forwarded-for")
                .client(peer, Map.of("x-forwarded-for", header)::get)
                .toString())
        .isEqualTo(client);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "for=198.51.100.1                                  | 198.51.100.1",
        "For=198.51.100.1;proto=https;by=10.0.0.1          | 198.51.100.1",
        "proto=https;for=\"198.51.100.1:80\"               | 198.51.100.1",
        "for=\"[2001:db8::1]:4711\"                        | 2001:db8:0:0:0:0:0:1",
        "for=1.1.1.1, for=198.51.100.1                     | 198.51.100.1",
        "for=198.51.100.1, for=10.0.0.2                    | 198.51.100.1",
        "for=1.1.1.1, for=_hidden                          | 10.1.2.3",
        "for=1.1.1.1, by=10.0.0.1                          | 10.1.2.3",
        "for=1.1.1.1, notfor=2.2.2.2                       | 10.1.2.3",
      })
  void forwardedIsReadAlike(String line, String client) {
    assertThat(
            proxies(PROXIES, "forwarded")
                .client("10.1.2.3", Map.of("forwarded", List.of(line))::get)
                .toString())
        .isEqualTo(client);
  }

  @Test
  @Position("http.forwarded_header: x-forwarded-for")
  @Position("http.forwarded_header: forwarded")
  void theHeaderThatIsNotConfiguredIsNeverLookedAt() {
    Map<String, List<String>> both =
        Map.of("forwarded", List.of("for=1.1.1.1"), "x-forwarded-for", List.of("2.2.2.2"));
    assertThat(proxies(PROXIES, "forwarded").client("10.0.0.1", both::get).toString())
        .isEqualTo("1.1.1.1");
    assertThat(proxies(PROXIES, "x-forwarded-for").client("10.0.0.1", both::get).toString())
        .isEqualTo("2.2.2.2");
  }

  @Test
  void withoutProxiesNobodyIsBelieved() {
    assertThat(
            proxies(List.of(), "x-forwarded-for")
                .client("127.0.0.1", _ -> List.of("1.1.1.1"))
                .toString())
        .isEqualTo("127.0.0.1");
  }

  @Test
  void addressesOfOneIpv6NetworkCountTogetherAndOthersAlone() {
    assertThat(group("2001:db8:1:2::1"))
        .isEqualTo(group("2001:db8:1:2:ffff:ffff:ffff:ffff"))
        .isNotEqualTo(group("2001:db8:1:3::1"));
    assertThat(group("192.0.2.1"))
        .isEqualTo(group("::ffff:192.0.2.1"))
        .isNotEqualTo(group("192.0.2.2"));
  }

  private static String group(String address) {
    return ClientAddress.parse(address).orElseThrow().group();
  }
}
