package io.confab.readme;

import java.util.ArrayList;
import java.util.List;

/// A fenced block of a document, by the words after its fence: `sh [TERMINAL]`, `typed TERMINAL`,
/// and `text` or `json [TERMINAL] [in any order]`.
///
/// @param terminal where it belongs; empty: the one of the section, in which commands end
/// @param line of the document at which the block opens
record Block(
    Kind kind, String section, String terminal, boolean inAnyOrder, List<String> lines, int line) {
  private static final String FENCE = "```";
  private static final String ANY_ORDER = "in any order";
  private static final String BY_HAND = "sh by-hand";

  enum Kind {
    /// Commands for the prompt of a terminal.
    PASTED,
    /// What a person types into the program that runs in a terminal.
    TYPED,
    /// What a terminal prints.
    SHOWN
  }

  /// The blocks of a document in their order, without those that a person runs by hand.
  static List<Block> read(List<String> document) {
    List<Block> blocks = new ArrayList<>();
    String section = "";
    for (int at = 0; at < document.size(); at++) {
      String line = document.get(at);
      if (line.startsWith("## ")) {
        section = line.substring(3);
      } else if (line.startsWith(FENCE)) {
        int end = at + 1;
        while (!document.get(end).equals(FENCE)) {
          end++;
        }
        String info = line.substring(FENCE.length());
        if (!info.equals(BY_HAND)) {
          blocks.add(block(info, section, document.subList(at + 1, end), at + 1));
        }
        at = end;
      }
    }
    return blocks;
  }

  private static Block block(String info, String section, List<String> lines, int line) {
    boolean inAnyOrder = info.endsWith(ANY_ORDER);
    String[] words = info.replace(ANY_ORDER, "").trim().split(" ", 2);
    String terminal = words.length == 2 ? words[1] : "";
    return switch (words[0]) {
      case "sh" -> new Block(Kind.PASTED, section, terminal, inAnyOrder, lines, line);
      case "typed" -> new Block(Kind.TYPED, section, terminal, inAnyOrder, lines, line);
      case "text" -> new Block(Kind.SHOWN, section, terminal, inAnyOrder, lines, line);
      case "json" -> new Block(Kind.SHOWN, section, terminal, inAnyOrder, unbroken(lines), line);
      default -> throw new IllegalArgumentException("line " + line + ": what is a " + info + "?");
    };
  }

  /// In JSON a line that begins with a blank continues the one before.
  private static List<String> unbroken(List<String> lines) {
    List<String> whole = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith(" ")) {
        whole.add(whole.removeLast() + line.substring(1));
      } else {
        whole.add(line);
      }
    }
    return whole;
  }
}
