package io.confab.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Where the lines that a person types come from.
public interface Keyboard {
  /// The next line; null at the end.
  @Nullable String read() throws IOException;

  /// Asks without echo.
  String secret(String question) throws IOException;

  /// Tells from now on, at each key, whether something other than a command stands in the line; not
  /// where lines come whole. The watcher is called on the thread that reads.
  default void watch(Watcher watcher) {}

  /// Who wants to know that the person types.
  interface Watcher {
    void typing(boolean begun);
  }

  /// The program ends: a read that is interrupted from now on is the end, not a person's Ctrl-C.
  default void ending() {}

  /// Lines that come whole, such as those of a terminal without an editor.
  static Keyboard of(BufferedReader lines) {
    return new Keyboard() {
      @Override
      public @Nullable String read() throws IOException {
        return lines.readLine();
      }

      @Override
      public String secret(String question) throws IOException {
        throw new IOException("what is typed here would be seen");
      }
    };
  }
}
