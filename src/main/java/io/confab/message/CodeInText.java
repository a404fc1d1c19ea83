package io.confab.message;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Takes code out of a body, as CommonMark 0.31 knows it: fenced blocks, which begin with a line of
/// three or more backticks or tildes and end with such a line or the text, and spans, which begin
/// with backticks and end with as many in the same paragraph. Indented blocks are text here.
final class CodeInText {
  private static final int FENCE = 3;
  private static final int INDENT = 3;
  private static final int NONE = -1;

  private final char[] text;

  /// Where the paragraph began.
  private int paragraph;

  /// Of the fence that is open; without one, none.
  private char fence;

  private int fenceLength;

  private CodeInText(String body) {
    this.text = body.toCharArray();
  }

  /// The body with a blank for each character that is code.
  static String blank(String body) {
    if (body.indexOf('`') < 0 && !body.contains("~~~")) {
      return body;
    }
    CodeInText code = new CodeInText(body);
    code.blank();
    return new String(code.text);
  }

  private void blank() {
    for (int from = 0; from < text.length; ) {
      int to = from;
      while (to < text.length && text[to] != '\n') {
        to++;
      }
      line(from, to);
      from = to + 1;
    }
    if (fenceLength == 0) {
      blankSpans(paragraph, text.length);
    }
  }

  private void line(int from, int to) {
    int start = from;
    while (start < to && start - from < INDENT && text[start] == ' ') {
      start++;
    }
    int length = run(start, to);
    int rest = start + length;
    if (fenceLength > 0) {
      if (length >= fenceLength && text[start] == fence && isBlank(rest, to)) {
        fenceLength = 0;
      }
      Arrays.fill(text, from, to, ' ');
      paragraph = to;
    } else if (length >= FENCE && (text[start] == '~' || !hasBacktick(rest, to))) {
      blankSpans(paragraph, from);
      fence = text[start];
      fenceLength = length;
      Arrays.fill(text, from, to, ' ');
    } else if (isBlank(from, to)) {
      blankSpans(paragraph, from);
      paragraph = to;
    }
  }

  /// How many backticks or tildes of one kind begin here.
  private int run(int from, int to) {
    int end = from;
    while (end < to && (text[end] == '`' || text[end] == '~') && text[end] == text[from]) {
      end++;
    }
    return end - from;
  }

  private boolean isBlank(int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] != ' ' && text[i] != '\t') {
        return false;
      }
    }
    return true;
  }

  private boolean hasBacktick(int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] == '`') {
        return true;
      }
    }
    return false;
  }

  /// Seen from the end, each run of backticks knows the next one of its length.
  private void blankSpans(int from, int to) {
    int[] closing = new int[to - from];
    Map<Integer, Integer> next = new HashMap<>();
    for (int end = to; end > from; end--) {
      if (text[end - 1] == '`') {
        int start = end - 1;
        while (start > from && text[start - 1] == '`') {
          start--;
        }
        Integer other = next.put(end - start, start);
        closing[start - from] = other == null ? NONE : other;
        end = start + 1;
      }
    }
    for (int at = from; at < to; at++) {
      if (text[at] == '`') {
        int length = run(at, to);
        int close = closing[at - from];
        int end = close == NONE ? at + length : close + length;
        if (close != NONE) {
          Arrays.fill(text, at, end, ' ');
        }
        at = end - 1;
      }
    }
  }
}
