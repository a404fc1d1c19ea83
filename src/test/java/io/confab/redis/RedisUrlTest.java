package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisUrlTest {
  private static final RedisLogin NOBODY = new RedisLogin("", "", 0, false);

  @Test
  void everyPartOfTheUrlOfOneServerIsRead() {
    assertThat(topology("redis://me:p%40ss+%2F@redis.example:7000/3"))
        .isEqualTo(
            new RedisTopology.Standalone(
                new RedisServer("redis.example", 7000), new RedisLogin("me", "p@ss+/", 3, false)));
  }

  @Test
  void whatIsLeftOutHasItsDefault() {
    assertThat(topology("redis://redis.example"))
        .isEqualTo(new RedisTopology.Standalone(new RedisServer("redis.example", 6379), NOBODY));
    assertThat(topology("redis+sentinel://a,b:1/?master=m"))
        .isEqualTo(
            new RedisTopology.Sentinel(
                List.of(new RedisServer("a", 26379), new RedisServer("b", 1)),
                NOBODY,
                "m",
                NOBODY));
    assertThat(topology("redis+cluster://[::1],b:1"))
        .isEqualTo(
            new RedisTopology.Cluster(
                List.of(new RedisServer("::1", 6379), new RedisServer("b", 1)), NOBODY));
  }

  @Test
  void everyPartOfTheUrlOfSentinelsIsRead() {
    assertThat(
            topology(
                "rediss+sentinel://me:p%40@a:1,b:2/4"
                    + "?sentinel_password=s%26&master=the%20one&sentinel_user=you"))
        .isEqualTo(
            new RedisTopology.Sentinel(
                List.of(new RedisServer("a", 1), new RedisServer("b", 2)),
                new RedisLogin("you", "s&", 0, true),
                "the one",
                new RedisLogin("me", "p@", 4, true)));
  }

  @Test
  void scriptsAreLoadedByTheUserWhoIsNamedForItElseByTheOneWhoWorks() {
    assertThat(RedisUrl.parse("redis://me:p@h/3").scriptLogin())
        .isEqualTo(new RedisLogin("me", "p", 3, false));
    for (String form :
        List.of(
            "rediss://me:p@h/3?",
            "rediss+cluster://me:p@h?",
            "rediss+sentinel://me:p@h?master=m&sentinel_password=s&")) {
      assertThat(RedisUrl.parse(form + "script_user=you&script_password=%26").scriptLogin())
          .isEqualTo(new RedisLogin("you", "&", 0, true));
    }
  }

  @Test
  void everyPartOfTheUrlOfAClusterIsRead() {
    assertThat(topology("rediss+cluster://me:p%40@a:1,b:2"))
        .isEqualTo(
            new RedisTopology.Cluster(
                List.of(new RedisServer("a", 1), new RedisServer("b", 2)),
                new RedisLogin("me", "p@", 0, true)));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      textBlock =
          """
          http://h                               | must be redis://
          redis://                               | must be redis://
          redis://h/1#x                          | must be redis://
          redis://h/x                            | database must be a number
          redis://a,b                            | several servers
          redis://h:0                            | port
          redis://h:65536                        | port
          redis://h:x                            | host:port
          redis://h?x=1                          | does not know x
          redis+cluster://a/1                    | no databases
          redis+cluster://a,,b                   | host:port
          redis+cluster://a?master=m             | does not know master
          redis+sentinel://a                     | master
          redis+sentinel://a?master=             | master
          redis+sentinel://a?master=m&master=n   | each once
          redis+sentinel://a?master              | name=value
          redis+sentinel://a?master=m&x=1        | does not know x
          """,
      delimiter = '|')
  void whatCannotBeMeantIsRefusedWithTheReason(String url, String reason) {
    assertThatThrownBy(() -> RedisUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource({"redis://:hush@h:x", "redis://hush@h", "redis://:hush%zz@h", "redis://u:hush@h/x"})
  void noReasonTellsThePassword(String url) {
    assertThatThrownBy(() -> RedisUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("hush", "zz");
  }

  @Test
  void theTextFormHidesPasswords() {
    assertThat(RedisUrl.parse("redis://:hush@h:1").toString()).doesNotContain("hush");
    assertThat(
            RedisUrl.parse("redis+sentinel://:hush@h:1?master=m&sentinel_password=quiet")
                .toString())
        .doesNotContain("hush", "quiet");
  }

  @Test
  void theUrlItselfCanBeHandedOn() {
    String text = "redis+cluster://:p%40@a:1,b";
    assertThat(RedisUrl.parse(text).text()).isEqualTo(text);
  }

  private static RedisTopology topology(String url) {
    return RedisUrl.parse(url).topology();
  }
}
