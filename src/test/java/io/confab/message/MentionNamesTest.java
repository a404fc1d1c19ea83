package io.confab.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class MentionNamesTest {
  private static final int BODY = 16_384;

  static Stream<Arguments> bodies() {
    return Stream.of(
        Arguments.of("hello", null),
        Arguments.of("hi @ann", "ann"),
        Arguments.of("@Ann, @BOB and @ann", "ann bob"),
        Arguments.of("@all (@online)", "all online"),
        Arguments.of("hi @ann.", "ann.|ann"),
        Arguments.of("@ann.-_ @b.ob-by", "ann.-_|ann.-|ann.|ann b.ob-by"),
        Arguments.of("@a @.ann @-ann @ @! @_x", null),
        Arguments.of("@a. @a.-", "a. a.-|a."),
        Arguments.of("@ann's, @ann; **@bob** ~@cas~", "ann bob cas"),
        Arguments.of("ann@example.org x_@ann 9@ann é@ann", null),
        Arguments.of("@ann@example.org @@ann", null),
        Arguments.of("@ann.@bob", "ann.|ann bob"),
        Arguments.of("你好@ann，再见", "ann"),
        Arguments.of("hello...@ann", "ann"),
        Arguments.of("@" + "a".repeat(32), "a".repeat(32)),
        Arguments.of("@" + "a".repeat(33), null),
        Arguments.of("@" + "a".repeat(31) + "..", "a".repeat(31) + ".|" + "a".repeat(31)),
        Arguments.of("`@ann` @bob", "bob"),
        Arguments.of("``@ann ` @cas`` @bob", "bob"),
        Arguments.of("` @ann", "ann"),
        Arguments.of("`` @ann `", "ann"),
        Arguments.of("` @ann\n\n` @bob", "ann bob"),
        Arguments.of("` @ann\n` @bob", "bob"),
        Arguments.of("`x`@ann", "ann"),
        Arguments.of("```\n@ann\n```\n@bob", "bob"),
        Arguments.of("```java\n@Override\n\n@ann", null),
        Arguments.of("   ~~~~ @ann `\n@ann\n~~~\n~~~~ \n@bob", "bob"),
        Arguments.of("    ```\n@ann", "ann"),
        Arguments.of("``` @ann ``` @bob", "bob"),
        Arguments.of("`a\n```\n@ann`\n```\n@bob`", "bob"),
        Arguments.of("text\n```\n@ann\n```x\n@ann", null));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void namesAreFoundInTextAlone(String body, @Nullable String names) {
    assertThat(MentionNames.in(body)).isEqualTo(names);
  }

  @Test
  void atMostFiftyNamesAreLookedUp() {
    String fifty = names(MentionNames.MOST);
    assertThat(MentionNames.in(fifty)).isEqualTo(fifty.replace("@", ""));
    assertThat(MentionNames.in(names(MentionNames.MOST + 10))).isEqualTo(fifty.replace("@", ""));
    assertThat(MentionNames.in(fifty + " " + fifty + " @another"))
        .isEqualTo(fifty.replace("@", ""));
    assertThat(
            MentionNames.in(
                "@ann" + ".".repeat(20) + " @bob" + ".".repeat(20) + " @c" + ".".repeat(20)))
        .satisfies(found -> assertThat(count(found)).isEqualTo(42));
  }

  private static String names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "@name" + i).collect(Collectors.joining(" "));
  }

  private static int count(@Nullable String found) {
    return found == null ? 0 : found.split("[ |]").length;
  }

  /// Pieces of which it is known what they mention, in any order.
  @Test
  void whatIsMentionedDoesNotDependOnWhatStandsBeside() {
    for (long seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      List<String> pieces = new ArrayList<>();
      Set<String> mentioned = new LinkedHashSet<>();
      for (int i = random.nextInt(12); i >= 0; i--) {
        String name = "n" + random.nextInt(30);
        switch (random.nextInt(9)) {
          case 0, 1 -> {
            pieces.add("@" + name);
            mentioned.add(name);
          }
          case 2 -> {
            pieces.add("(@" + name.toUpperCase(java.util.Locale.ROOT) + "!)");
            mentioned.add(name);
          }
          case 3 -> {
            pieces.add("@" + name + ".");
            mentioned.add(name + ".|" + name);
          }
          case 4 -> pieces.add(name + "@example.org");
          case 5 -> pieces.add("`@" + name + "`");
          case 6 -> pieces.add("``` ` @" + name + "```");
          case 7 -> pieces.add("\n```\n@" + name + " `\n```\n");
          default -> pieces.add("wörter @ 日本");
        }
      }
      String expected = mentioned.isEmpty() ? null : String.join(" ", mentioned);
      assertThat(MentionNames.in(String.join(" ", pieces)))
          .as("seed %d: %s", seed, pieces)
          .isEqualTo(expected);
    }
  }

  /// Whatever is said, what is found are names that were said, few of them.
  @Test
  void anyTextHasNoMoreThanItsNames() {
    String letters = "@@@``~~~\n\n .-_aB1é日\u00a0\ud83d\ude00";
    for (long seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(80); i >= 0; i--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      String found = MentionNames.in(text.toString());
      if (found != null) {
        String said = text.toString().toLowerCase(java.util.Locale.ROOT);
        assertThat(count(found)).as("seed %d", seed).isBetween(1, MentionNames.MOST);
        assertThat(found.split("[ |]"))
            .as("seed %d: %s", seed, text)
            .allMatch(
                name -> name.matches("[a-z0-9][a-z0-9_.-]{1,31}") && said.contains("@" + name));
      }
    }
  }

  /// A body that took the square of its length would keep this test for minutes.
  @Test
  void hostileBodiesTakeNoLongerThanOthers() {
    StringBuilder runs = new StringBuilder("@");
    for (int length = 1; runs.length() < BODY; length++) {
      runs.append("`".repeat(length)).append(' ');
    }
    List<String> hostile =
        List.of(
            "@".repeat(BODY),
            "@" + "`".repeat(BODY),
            "@" + "` ".repeat(BODY / 2),
            "@" + "`\n\n".repeat(BODY / 3),
            "@" + "```\n".repeat(BODY / 4),
            "@" + "~~~\n``\n".repeat(BODY / 7),
            "@" + ".".repeat(BODY),
            "@a" + ".@a".repeat(BODY / 3),
            "@" + "a".repeat(BODY),
            "@ab ".repeat(BODY / 4),
            runs.toString());
    for (int round = 0; round < 200; round++) {
      hostile.forEach(
          body -> assertThat(count(MentionNames.in(body))).isLessThanOrEqualTo(MentionNames.MOST));
    }
  }
}
