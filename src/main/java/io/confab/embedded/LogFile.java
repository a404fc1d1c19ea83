package io.confab.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// The output of a server, in a file with a bound: a full file becomes `….1`, and the one before is
/// deleted. Remembers the last lines, which tell why a server died.
public final class LogFile {
  private static final long MAX_BYTES = 8 << 20;
  private static final int TAIL_CHARS = 1_000;

  private final Path file;
  private String tail = "";

  public LogFile(Path file) {
    this.file = file;
  }

  /// Copies until the end of the stream, which comes when the last process that holds it is gone.
  void copy(InputStream in) throws IOException {
    byte[] buffer = new byte[8_192];
    for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
      append(buffer, length);
    }
  }

  private void append(byte[] bytes, int length) throws IOException {
    if (Files.exists(file) && Files.size(file) + length > MAX_BYTES) {
      Path older = file.resolveSibling(file.getFileName() + ".1");
      Files.move(file, older, StandardCopyOption.REPLACE_EXISTING);
    }
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      out.write(bytes, 0, length);
    }
    remember(new String(bytes, 0, length, StandardCharsets.UTF_8));
  }

  private synchronized void remember(String text) {
    String all = tail + text;
    tail = all.substring(Math.max(0, all.length() - TAIL_CHARS));
  }

  /// The last lines, up to 1,000 characters.
  synchronized String tail() {
    return tail.strip();
  }

  /// The last line; empty when nothing was printed yet.
  String lastLine() {
    String lines = tail();
    return lines.substring(lines.lastIndexOf('\n') + 1);
  }
}
