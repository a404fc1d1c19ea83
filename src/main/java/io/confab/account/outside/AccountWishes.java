package io.confab.account.outside;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// How an account that is made at first use is called: by the handle that its token asks for, or,
/// where that is missing or taken, by a made one.
final class AccountWishes {
  private static final int MADE_HANDLES = 4;
  private static final int MADE_LENGTH = 8;
  private static final String MADE_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

  private AccountWishes() {}

  /// Handles to try, the best one first.
  static List<String> handles(OutsideToken token, RandomGenerator random) {
    return Stream.concat(
            Stream.ofNullable(token.handle()),
            IntStream.range(0, MADE_HANDLES).mapToObj(_ -> "u" + madeText(MADE_LENGTH, random)))
        .toList();
  }

  /// What is shown of an account that got this handle.
  static String displayName(OutsideToken token, String handle) {
    return token.name() == null ? handle : token.name();
  }

  /// Letters and digits that mean nothing.
  static String madeText(int length, RandomGenerator random) {
    return random
        .ints(length, 0, MADE_LETTERS.length())
        .mapToObj(MADE_LETTERS::charAt)
        .map(String::valueOf)
        .collect(Collectors.joining());
  }
}
