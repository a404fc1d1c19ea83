package io.confab.cli;

import java.util.Optional;
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
  public char[] password(String question) {
    return Optional.ofNullable(System.console())
        .map(console -> console.readPassword("%s", question))
        .orElse(new char[0]);
  }
}
