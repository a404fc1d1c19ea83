package io.confab.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A sample of what stands on the wire, byte for byte.
///
/// Its file is named after the frame (a kind after a dot: `room.event.hidden`) or the operation
/// (with the status of an answer: `signIn.200`); a second sample of the same has a word after
/// `~`.
///
/// @param file without `.json`
public record Golden(String file, String text) {
  private static final Path ROOT = Path.of("src/test/resources/io/confab/contract/golden");

  /// All samples of one sort, by name: `client`, `server`, `request`, `answer`.
  public static List<Golden> all(String sort) {
    try (Stream<Path> files = Files.list(ROOT.resolve(sort))) {
      return files.sorted().map(Golden::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Golden read(Path path) {
    try {
      String file = path.getFileName().toString().replaceFirst("\\.json$", "");
      return new Golden(file, Files.readString(path).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What it is a sample of.
  public String name() {
    return file.split("~", 2)[0];
  }

  public ObjectNode json() {
    try {
      return (ObjectNode) HttpContract.JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(file + " is not JSON", e);
    }
  }

  @Override
  public String toString() {
    return file;
  }
}
