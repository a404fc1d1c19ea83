package io.confab.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;

/// The terminal of this process.
public final class SystemTty implements Tty {
  private final ExecTerminalProvider streams = new ExecTerminalProvider();

  @Override
  public boolean in() {
    return streams.isSystemStream(SystemStream.Input);
  }

  @Override
  public boolean out() {
    return streams.isSystemStream(SystemStream.Output);
  }

  @Override
  public boolean err() {
    return streams.isSystemStream(SystemStream.Error);
  }

  @Override
  public Optional<Terminal> editable() throws IOException {
    String type = System.getenv("TERM");
    return in() && out() && type != null && !type.startsWith(Terminal.TYPE_DUMB)
        ? Optional.of(
            TerminalBuilder.builder()
                .provider(streams.name())
                .dumb(false)
                .encoding(StandardCharsets.UTF_8)
                .build())
        : Optional.empty();
  }

  @Override
  public char[] password(String question) {
    return Optional.ofNullable(System.console())
        .map(console -> console.readPassword("%s", question))
        .orElse(new char[0]);
  }
}
