package io.confab.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jline.builtins.ScreenTerminal;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.LineDisciplineTerminal;

/// A terminal without a window: its keys are pressed by [#type(String)], and its screen is text.
public final class VirtualTerminal {
  private static final long CHARACTER = 0xffff_ffffL;

  private final LineDisciplineTerminal terminal;
  private final ScreenTerminal screen;
  private int columns;
  private int rows;

  public VirtualTerminal(int columns, int rows) {
    this.columns = columns;
    this.rows = rows;
    this.screen = new ScreenTerminal(columns, rows);
    try {
      this.terminal =
          new LineDisciplineTerminal(
              "virtual", "screen-256color", new Shown(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    terminal.setSize(new Size(columns, rows));
  }

  /// Hands whole characters on.
  private final class Shown extends OutputStream {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final ByteBuffer bytes = ByteBuffer.allocate(16);
    private final CharBuffer characters = CharBuffer.allocate(16);

    @Override
    public void write(int b) {
      decoder.decode(bytes.put((byte) b).flip(), characters, false);
      bytes.compact();
      screen.write(characters.flip().toString());
      characters.clear();
    }
  }

  public Terminal terminal() {
    return terminal;
  }

  /// Presses keys.
  public void type(String keys) {
    try {
      terminal.processInputBytes(keys.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void resize(int newColumns, int newRows) {
    columns = newColumns;
    rows = newRows;
    screen.setSize(newColumns, newRows);
    terminal.setSize(new Size(newColumns, newRows));
    terminal.raise(Terminal.Signal.WINCH);
  }

  /// The rows of the screen, `▏` where the cursor is; without empty rows at the end.
  public String screen() {
    long[] cells = new long[columns * rows];
    int[] cursor = new int[2];
    screen.dump(cells, 0, 0, rows, columns, cursor);
    return IntStream.range(0, rows)
        .mapToObj(row -> row(cells, row, cursor[1] == row ? cursor[0] : -1).stripTrailing())
        .collect(Collectors.joining("\n"))
        .stripTrailing();
  }

  private String row(long[] cells, int row, int cursor) {
    StringBuilder text = new StringBuilder();
    for (int column = 0; column < columns; column++) {
      if (column == cursor) {
        text.append('▏');
      }
      int character = (int) (cells[row * columns + column] & CHARACTER);
      text.appendCodePoint(character == 0 ? ' ' : character);
    }
    return text.toString();
  }
}
