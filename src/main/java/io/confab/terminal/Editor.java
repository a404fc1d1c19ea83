package io.confab.terminal;

import io.confab.screen.Screen;
import java.io.IOException;
import java.util.List;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.Buffer;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.InfoCmp;
import org.jspecify.annotations.Nullable;

/// A terminal with a line editor: what comes in is printed above what is being typed, which stays.
///
/// The status is the first row of the prompt, so that the editor alone moves the cursor and nothing
/// is ever written over but the editor's own rows. A line that was typed goes from the screen: what
/// becomes of it is printed.
public final class Editor implements Screen, Keyboard, AutoCloseable {
  private static final String PROMPT = "› ";
  private static final Size USUAL = new Size(80, 24);
  private static final int HISTORY = 500;

  private final Terminal terminal;
  private final Colours colours;
  private final Completion completion;
  private final Attributes before;
  private final LineReaderImpl reader;
  private volatile String status = "";
  private volatile String question = PROMPT;
  private volatile boolean ending;
  private volatile boolean closed;
  private volatile Watcher watcher = _ -> {};

  /// @param known what is completed
  public Editor(Terminal terminal, Known known, boolean colours) throws IOException {
    this.terminal = terminal;
    this.colours = new Colours(colours);
    this.completion = new Completion(known);
    if (terminal.getWidth() <= 0 || terminal.getHeight() <= 0) {
      terminal.setSize(USUAL);
    }
    // Between two lines nothing is echoed by the system either, and what it echoed before the
    // editor was there is shown again by the editor.
    this.before = terminal.enterRawMode();
    terminal.puts(InfoCmp.Capability.carriage_return);
    terminal.puts(InfoCmp.Capability.clr_eol);
    this.reader = new Reader(terminal);
    reader.setParser(words());
    reader.setCompleter((_, line, candidates) -> complete(line, candidates));
    reader.setVariable(LineReader.HISTORY_SIZE, HISTORY);
    reader.setOpt(LineReader.Option.ERASE_LINE_ON_FINISH);
    reader.setOpt(LineReader.Option.DISABLE_EVENT_EXPANSION);
    reader.setOpt(LineReader.Option.CASE_INSENSITIVE);
    reader.unsetOpt(LineReader.Option.INSERT_TAB);
  }

  /// Takes its rows from the screen before it draws them for another width, and tells at each key
  /// what stood in the line before it.
  private final class Reader extends LineReaderImpl {
    Reader(Terminal terminal) throws IOException {
      super(terminal, "confab");
    }

    @Override
    public Binding readBinding(KeyMap<Binding> keys, KeyMap<Binding> local) {
      Binding pressed = super.readBinding(keys, local);
      if (question.equals(PROMPT)) {
        watcher.typing(buf.length() > 0 && buf.atChar(0) != '/');
      }
      return pressed;
    }

    @Override
    protected synchronized void handleSignal(Terminal.Signal signal) {
      if (signal == Terminal.Signal.WINCH) {
        lock.lock();
        try {
          Buffer typed = buf.copy();
          buf.clear();
          setPrompt("");
          redisplay();
          buf.copyFrom(typed);
          setPrompt(prompt());
        } finally {
          lock.unlock();
        }
      }
      super.handleSignal(signal);
    }
  }

  /// Words are what blanks part: people write apostrophes and backslashes.
  private static DefaultParser words() {
    DefaultParser parser = new DefaultParser();
    parser.setQuoteChars(new char[0]);
    parser.setEscapeChars(new char[0]);
    return parser;
  }

  private void complete(ParsedLine line, List<Candidate> candidates) {
    List<String> before = line.words().subList(0, line.wordIndex());
    completion.of(before, line.word()).stream().map(Candidate::new).forEach(candidates::add);
  }

  @Override
  public boolean isTerminal() {
    return true;
  }

  @Override
  public void line(String line) {
    reader.printAbove(colours.line(line));
  }

  @Override
  public void status(String text) {
    if (!text.equals(status)) {
      status = text;
      redraw();
    }
  }

  @Override
  public void clearStatus() {
    status("");
  }

  /// Draws the prompt anew, cut to the present width.
  private void redraw() {
    reader.setPrompt(prompt());
    try {
      reader.callWidget(LineReader.REDISPLAY);
    } catch (IllegalStateException _) {
      // nothing is being read: the next prompt has it
    }
  }

  private String prompt() {
    if (status.isEmpty()) {
      return question;
    }
    AttributedString whole = colours.status(status);
    int width = terminal.getWidth() - 1;
    AttributedStringBuilder shown = new AttributedStringBuilder();
    if (whole.columnLength() > width) {
      shown.append(whole.columnSubSequence(0, width - 1)).append("…");
    } else {
      shown.append(whole);
    }
    return shown.append("\n").append(question).toAnsi(terminal);
  }

  @Override
  public void watch(Watcher who) {
    watcher = who;
  }

  @Override
  public void ending() {
    ending = true;
  }

  /// Ends also when the terminal is closed meanwhile, on which nothing can be drawn any more.
  @Override
  public @Nullable String read() {
    try {
      return readOnce();
    } catch (IllegalStateException gone) {
      if (closed) {
        return null;
      }
      throw gone;
    }
  }

  private @Nullable String readOnce() {
    try {
      return reader.readLine(prompt());
    } catch (UserInterruptException _) {
      if (ending) {
        return null;
      }
      line("* Ctrl-C once more, or /quit, ends the chat");
      return readAgain();
    } catch (EndOfFileException _) {
      return null;
    }
  }

  private @Nullable String readAgain() {
    try {
      return reader.readLine(prompt());
    } catch (UserInterruptException | EndOfFileException _) {
      return null;
    }
  }

  @Override
  public String secret(String asked) throws IOException {
    question = asked;
    try {
      return reader.readLine(prompt(), '\0');
    } catch (UserInterruptException | EndOfFileException _) {
      throw new IOException("nothing was changed");
    } finally {
      question = PROMPT;
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    terminal.setAttributes(before);
    terminal.close();
  }
}
