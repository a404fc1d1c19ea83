package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AclRulesTest {
  private static final Path MAIN = Path.of("src/main");
  private static final Pattern SENT =
      Pattern.compile("(?<![\\w.])Command\\.([A-Z]+)\\b(?:\\)\\.arg\\(\"([A-Z]+)\")?");
  private static final Pattern CALLED = Pattern.compile("redis\\.p?call\\('([A-Za-z]+)'");

  /// They name a subcommand as `command|subcommand`.
  private static final Set<String> CONTAINERS = Set.of("cluster", "script");

  @Test
  void theUserMayDoWhatTheCodeDoesAndNothingElse() throws IOException {
    Set<String> used = new TreeSet<>(found(".java", SENT));
    used.addAll(found(".lua", CALLED));
    used.remove("script|load"); // by another user
    used.removeIf(command -> command.startsWith("sentinel")); // at the sentinels
    assertThat(rules('+')).isEqualTo(used);
  }

  @Test
  void everyNameOfConfabMatchesAPatternThatBeginsWithThePrefix() throws IOException {
    assertThat(rules('~'))
        .containsExactly(
            "p:conn:*", "p:limit:*", "p:online_*", "p:recent:*", "p:seats:*", "p:typing:*");
    assertThat(rules('&')).containsExactly("p:account:*", "p:node:*", "p:room:*");
    Set<String> kinds = new TreeSet<>();
    Pattern kind = Pattern.compile("prefix \\+ \"([a-z]+):");
    kind.matcher(Files.readString(MAIN.resolve("java/io/confab/redis/RedisKeys.java")))
        .results()
        .forEach(found -> kinds.add(found.group(1)));
    assertThat(kinds)
        .containsExactly("account", "conn", "limit", "node", "recent", "room", "seats");
  }

  @Test
  void theManualSaysTheSame() throws IOException {
    assertThat(Files.readString(Path.of("docs/operations.md")))
        .contains(
            "user confab on >PASSWORD " + AclRules.working(new RedisKeys("chat:")) + "\n",
            "user confab-scripts on >ANOTHER " + AclRules.loading() + "\n");
  }

  private static Set<String> rules(char kind) {
    Set<String> rules = new TreeSet<>();
    for (String rule : AclRules.working(new RedisKeys("p:")).split(" ", -1)) {
      if (rule.charAt(0) == kind) {
        rules.add(rule.substring(1));
      }
    }
    return rules;
  }

  private static Set<String> found(String ending, Pattern pattern) throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(MAIN)) {
      for (Path file :
          (Iterable<Path>) files.filter(f -> f.toString().endsWith(ending))::iterator) {
        String text = Files.readString(file);
        if (ending.equals(".java") && !text.contains("io.vertx.redis.client.Command")) {
          continue; // another enum of this name
        }
        pattern.matcher(text).results().map(AclRulesTest::name).forEach(found::add);
      }
    }
    return found;
  }

  private static String name(MatchResult match) {
    String command = match.group(1).toLowerCase(Locale.ROOT);
    return CONTAINERS.contains(command)
        ? command + "|" + match.group(2).toLowerCase(Locale.ROOT)
        : command;
  }
}
