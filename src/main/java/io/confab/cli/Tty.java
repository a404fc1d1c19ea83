package io.confab.cli;

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
        public char[] password(String question) {
          throw new IllegalStateException("there is no terminal");
        }
      };

  /// Whether a person types standard input.
  boolean in();

  /// Whether a person sees standard output.
  boolean out();

  /// Asks without echo; only where both hold.
  char[] password(String question);
}
