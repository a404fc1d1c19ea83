package io.confab.http;

import io.confab.protocol.EntityTag;
import io.confab.protocol.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a request requires of the state of the thing that it is about: `if-match` and
/// `if-none-match` (RFC 9110 §13). Who sends neither is answered without more ado.
final class Preconditions {
  private static final String IF_MATCH = "if-match";
  private static final String IF_NONE_MATCH = "if-none-match";
  private static final String ANY = "*";

  /// An entity tag and the comma before the next one; lists may have empty elements. Possessive,
  /// so that no text takes more than one pass; `$` would also match before a last line end.
  private static final Pattern ELEMENT =
      Pattern.compile("[ \\t]*+(?:(W/)?+\"([!\\x23-\\x7e\\x80-\\xff]*+)\")?+[ \\t]*+(?:,|\\z)");

  private Preconditions() {}

  /// A tag as it was sent.
  record Said(boolean weak, EntityTag tag) {}

  /// For a change: the tags of which the thing must have one; null where it may have any. A weak
  /// one never matches. Refusal: `invalid_field`.
  static @Nullable List<EntityTag> seen(Call call) {
    if (!call.headers(IF_NONE_MATCH).isEmpty()) {
      throw Refusal.invalidField(IF_NONE_MATCH, "is for reading");
    }
    List<Said> said = read(call, IF_MATCH);
    return said == null ? null : strong(said);
  }

  /// The answer to a request for a thing: the thing, or that it has not changed. Refusals:
  /// `precondition_failed`, `invalid_field`.
  static Answer answer(Call call, EntityTag tag, Object thing) {
    return answer(call, tag, () -> Answer.tagged(tag, thing), () -> Answer.notModified(tag));
  }

  /// As [#answer], for what has answers of its own.
  ///
  /// @param whole the thing
  /// @param notModified that it has not changed
  static Answer answer(
      Call call, EntityTag tag, Supplier<Answer> whole, Supplier<Answer> notModified) {
    List<Said> required = read(call, IF_MATCH);
    if (required != null && !strong(required).contains(tag)) {
      throw Refusal.changed();
    }
    List<Said> known = read(call, IF_NONE_MATCH);
    boolean isKnown =
        known == null
            ? call.headers(IF_NONE_MATCH).contains(ANY)
            : known.stream().anyMatch(said -> said.tag().equals(tag));
    return isKnown ? notModified.get() : whole.get();
  }

  private static List<EntityTag> strong(List<Said> tags) {
    return tags.stream().filter(said -> !said.weak()).map(Said::tag).toList();
  }

  /// The tags of a header; null where it is not there, or says that any will do.
  private static @Nullable List<Said> read(Call call, String header) {
    return read(header, call.headers(header));
  }

  static @Nullable List<Said> read(String header, List<String> lines) {
    if (lines.isEmpty() || (lines.size() == 1 && lines.getFirst().equals(ANY))) {
      return null;
    }
    List<Said> tags = new ArrayList<>();
    for (String line : lines) {
      Matcher element = ELEMENT.matcher(line);
      while (element.regionStart() < line.length()) {
        if (!element.lookingAt() || element.end() == element.regionStart()) {
          throw Refusal.invalidField(header, "must be * or a list of entity tags");
        }
        if (element.group(2) != null) {
          tags.add(new Said(element.group(1) != null, new EntityTag(element.group(2))));
        }
        element.region(element.end(), line.length());
      }
    }
    return tags;
  }
}
