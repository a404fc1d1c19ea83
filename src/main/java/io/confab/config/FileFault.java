package io.confab.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a failure of the file system says to a person, who knows no Java: there, the message of an
/// exception may be a path alone, and its name the only reason.
public final class FileFault {
  private static final String UNKNOWN = "it failed, and the system gives no reason";

  private FileFault() {}

  /// The reason alone, for a sentence that names the file.
  public static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "there is no such file or folder";
      case AccessDeniedException _ -> "there is no right to use it";
      case FileAlreadyExistsException _ -> "a file of this name is there already";
      case NotDirectoryException _ -> "it is no folder";
      case FileSystemLoopException _ -> "its links lead back to it";
      case FileSystemException other -> words(other.getReason());
      case CharacterCodingException _ -> "it is not text in UTF-8";
      default -> words(failure.getMessage());
    };
  }

  /// The reason, after the file if the failure names one.
  public static String text(IOException failure) {
    return failure instanceof FileSystemException about && about.getFile() != null
        ? about.getFile() + ": " + reason(failure)
        : reason(failure);
  }

  private static String words(@Nullable String message) {
    return Optional.ofNullable(message).filter(text -> !text.isBlank()).orElse(UNKNOWN);
  }
}
