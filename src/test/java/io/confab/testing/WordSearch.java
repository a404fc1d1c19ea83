package io.confab.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/// Finds words of ASCII letters and digits in any bytes, however many: as they are, with two bytes
/// a letter, in hexadecimal, in base64 wherever it began, and with each letter escaped as JSON and
/// URLs do. All are looked for in one pass (Aho and Corasick, 1975).
public final class WordSearch {
  private static final int BYTES = 256;
  private static final int MOST_WORDS = Long.SIZE;
  private static final int BUFFER = 1 << 20;
  private static final int GROUP_BYTES = 3;
  private static final int DIGIT_BITS = 6;

  private final List<String> words;

  /// The next state, by state and byte.
  private final int[] next;

  /// Which words end in a state, a bit each.
  private final long[] ends;

  private int states = 1;

  public WordSearch(List<String> words) {
    if (words.size() > MOST_WORDS) {
      throw new IllegalArgumentException("too many words");
    }
    this.words = List.copyOf(words);
    List<List<byte[]>> spellings = words.stream().map(WordSearch::spellings).toList();
    int most = 1 + spellings.stream().flatMap(List::stream).mapToInt(each -> each.length).sum();
    this.next = new int[most * BYTES];
    this.ends = new long[most];
    for (int word = 0; word < spellings.size(); word++) {
      for (byte[] spelling : spellings.get(word)) {
        add(spelling, 1L << word);
      }
    }
    link();
  }

  private static List<byte[]> spellings(String word) {
    byte[] ascii = word.getBytes(StandardCharsets.US_ASCII);
    HexFormat hex = HexFormat.of();
    List<String> texts = new ArrayList<>(List.of(word));
    for (HexFormat digits : List.of(hex, hex.withUpperCase())) {
      texts.add(digits.formatHex(ascii));
      texts.add(escaped(ascii, letter -> "\\u00" + digits.toHexDigits((byte) letter)));
      texts.add(escaped(ascii, letter -> "%" + digits.toHexDigits((byte) letter)));
    }
    for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
      for (int before = 0; before < GROUP_BYTES; before++) {
        texts.add(inBase64(encoder, ascii, before));
      }
    }
    List<byte[]> spellings =
        new ArrayList<>(
            texts.stream().map(text -> text.getBytes(StandardCharsets.US_ASCII)).toList());
    byte[] wide = word.getBytes(StandardCharsets.UTF_16LE);
    spellings.add(Arrays.copyOf(wide, wide.length - 1)); // so it is found in either order
    return spellings;
  }

  private static String escaped(byte[] ascii, IntFunction<String> escape) {
    return new String(ascii, StandardCharsets.US_ASCII)
        .chars()
        .mapToObj(escape)
        .collect(Collectors.joining());
  }

  /// The digits that depend on the word alone, where so many bytes of a group stand before it.
  private static String inBase64(Base64.Encoder encoder, byte[] ascii, int before) {
    byte[] bytes = new byte[before + ascii.length];
    System.arraycopy(ascii, 0, bytes, before, ascii.length);
    int from = (before * Byte.SIZE + DIGIT_BITS - 1) / DIGIT_BITS;
    int to = bytes.length * Byte.SIZE / DIGIT_BITS;
    return encoder.encodeToString(bytes).substring(from, to);
  }

  private void add(byte[] spelling, long bit) {
    int state = 0;
    for (byte each : spelling) {
      int way = state * BYTES + (each & 0xff);
      if (next[way] == 0) {
        next[way] = states++;
      }
      state = next[way];
    }
    ends[state] |= bit;
  }

  /// Where a spelling goes on no more, its longest end that begins another one does.
  private void link() {
    int[] back = new int[states];
    Queue<Integer> open = new ArrayDeque<>(List.of(0));
    while (!open.isEmpty()) {
      int state = open.remove();
      ends[state] |= ends[back[state]];
      for (int each = 0; each < BYTES; each++) {
        int way = state * BYTES + each;
        int shorter = state == 0 ? 0 : next[back[state] * BYTES + each];
        if (next[way] == 0) {
          next[way] = shorter;
        } else {
          back[next[way]] = shorter;
          open.add(next[way]);
        }
      }
    }
  }

  /// The words that stand in a text.
  public Set<String> in(String text) {
    Pass pass = new Pass();
    pass.read(text.getBytes(StandardCharsets.UTF_8));
    return pass.found();
  }

  /// The words that stand in a file.
  public Set<String> in(Path file) throws IOException {
    Pass pass = new Pass();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        pass.read(buffer, n);
      }
    }
    return pass.found();
  }

  /// The search in bytes that come one after the other. For any thread.
  public final class Pass {
    private int state;
    private long met;

    public void read(byte[] bytes) {
      read(bytes, bytes.length);
    }

    synchronized void read(byte[] bytes, int length) {
      int at = state;
      for (int i = 0; i < length; i++) {
        at = next[at * BYTES + (bytes[i] & 0xff)];
        met |= ends[at];
      }
      state = at;
    }

    public synchronized Set<String> found() {
      Set<String> found = new TreeSet<>();
      for (int word = 0; word < words.size(); word++) {
        if ((met >> word & 1) == 1) {
          found.add(words.get(word));
        }
      }
      return found;
    }
  }
}
