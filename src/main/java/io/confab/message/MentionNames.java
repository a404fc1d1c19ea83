package io.confab.message;

import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds in a body the names behind `@`, as the function `find_mentions` takes them: a blank
/// between mentions, `|` between the names that one may mean, the longest first. Whether a name is
/// somebody's, the database knows.
///
/// What stands behind a word is an address and not a mention (`ann@example.org`), as is a name with
/// another `@` behind it (`@ann@example.org`), and nothing in code is one. A name goes as far as
/// its characters do; where it ends with `.`, `-` or `_`, that may be punctuation. All of it takes
/// time that grows with the length of the body, whatever it says.
final class MentionNames {
  /// Names that are looked up for one message; what is mentioned behind them is plain text.
  static final int MOST = 50;

  private static final int SHORTEST = 2;
  private static final int LONGEST = 32;

  /// Scripts that put no space between words: what is said before `@` does not run into it.
  private static final Set<UnicodeScript> UNSPACED =
      EnumSet.of(
          UnicodeScript.HAN,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.BOPOMOFO,
          UnicodeScript.THAI,
          UnicodeScript.LAO,
          UnicodeScript.KHMER,
          UnicodeScript.MYANMAR);

  private final String prose;
  private final Set<String> mentions = new LinkedHashSet<>();
  private int names;

  private MentionNames(String prose) {
    this.prose = prose;
  }

  /// Null where there are none.
  static @Nullable String in(String body) {
    if (body.indexOf('@') < 0) {
      return null;
    }
    MentionNames found = new MentionNames(CodeInText.blank(body));
    found.read();
    return found.mentions.isEmpty() ? null : String.join(" ", found.mentions);
  }

  private void read() {
    for (int at = prose.indexOf('@'); at >= 0; at = prose.indexOf('@', at + 1)) {
      if (isWordBefore(at)) {
        continue;
      }
      int end = at + 1;
      while (end < prose.length() && isOfName(prose.charAt(end))) {
        end++;
      }
      if (!isAddress(end) && !add(at + 1, end)) {
        return;
      }
    }
  }

  private boolean isWordBefore(int at) {
    if (at == 0) {
      return false;
    }
    int before = prose.codePointBefore(at);
    return before == '@'
        || before == '_'
        || (Character.isLetterOrDigit(before) && !UNSPACED.contains(UnicodeScript.of(before)));
  }

  private boolean isAddress(int end) {
    return end < prose.length() && prose.charAt(end) == '@' && !isPunctuation(end - 1);
  }

  /// Whether there may be more.
  private boolean add(int from, int to) {
    int stem = to;
    while (stem > from && isPunctuation(stem - 1)) {
      stem--;
    }
    int longest = Math.min(to, from + LONGEST);
    int shortest = Math.max(stem, from + SHORTEST);
    if (longest < shortest || !isLetterOrDigit(prose.charAt(from))) {
      return true;
    }
    List<String> meant = new ArrayList<>(longest - shortest + 1);
    for (int end = longest; end >= shortest; end--) {
      meant.add(prose.substring(from, end).toLowerCase(Locale.ROOT));
    }
    if (names + meant.size() > MOST) {
      return false;
    }
    if (mentions.add(String.join("|", meant))) {
      names += meant.size();
    }
    return true;
  }

  private boolean isPunctuation(int at) {
    char c = prose.charAt(at);
    return c == '.' || c == '-' || c == '_';
  }

  private static boolean isOfName(char c) {
    return isLetterOrDigit(c) || c == '.' || c == '-' || c == '_';
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
