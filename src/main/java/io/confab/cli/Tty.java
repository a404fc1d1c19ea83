package io.confab.cli;

import java.io.IOException;
import java.util.Optional;
import org.jline.terminal.Terminal;

/// The terminal that a command runs in, if any.
public interface Tty {
  /// No terminal: standard input and output are files or pipes.
  Tty NONE =
      new Tty() {
        @Override
        public boolean in() {
          return false;
        }

        @Override
        public boolean out() {
          return false;
        }

        @Override
        public boolean err() {
          return false;
        }

        @Override
        public Optional<Terminal> editable() {
          return Optional.empty();
        }

        @Override
        public char[] password(String question) {
          throw new IllegalStateException("there is no terminal");
        }
      };

  /// Whether a person types standard input.
  boolean in();

  /// Whether a person sees standard output.
  boolean out();

  /// Whether a person sees standard error.
  boolean err();

  /// The terminal in which a line can be edited; empty where it cannot move its cursor or where
  /// input or output is something else. The caller closes it.
  Optional<Terminal> editable() throws IOException;

  /// Asks without echo; only where both hold.
  char[] password(String question);
}
