package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(10)
class FileFaultTest {
  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new NoSuchFileException("/a"), "/a: there is no such file or folder"),
        Arguments.of(new AccessDeniedException("/a"), "/a: there is no right to use it"),
        Arguments.of(
            new FileAlreadyExistsException("/a"), "/a: a file of this name is there already"),
        Arguments.of(new NotDirectoryException("/a"), "/a: it is no folder"),
        Arguments.of(new FileSystemException("/a", null, "Disk full"), "/a: Disk full"),
        Arguments.of(
            new FileSystemException("/a"), "/a: it failed, and the system gives no reason"),
        Arguments.of(new MalformedInputException(1), "it is not text in UTF-8"),
        Arguments.of(new IOException("No space left on device"), "No space left on device"),
        Arguments.of(new IOException(), "it failed, and the system gives no reason"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureIsToldInWordsAfterItsFile(IOException failure, String says) {
    assertThat(FileFault.text(failure)).isEqualTo(says);
  }

  @Test
  void aSentenceThatNamesTheFileTakesTheReasonAlone() {
    assertThat(FileFault.reason(new NoSuchFileException("/a")))
        .isEqualTo("there is no such file or folder");
  }
}
