package io.confab.terminal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The device of one window, which no other window of this user has meanwhile: of one device the
/// server keeps only the newest socket.
///
/// A lock on a file beside the sign-in holds it. The system releases the lock when the program
/// ends, however it ends; the file stays, since another window may hold it by then.
public final class WindowDevice implements AutoCloseable {
  /// The device of the first window, and of commands that open no socket.
  public static final String FIRST = "terminal-1";

  private static final String NUMBERED = "terminal-";
  private static final int MOST = 99;

  private final String name;
  private final SignInFile signIn;
  private final FileChannel lock;

  private WindowDevice(String name, SignInFile signIn, FileChannel lock) {
    this.name = name;
    this.signIn = signIn;
    this.lock = lock;
  }

  /// Takes a device: this one, or the first of `terminal-1`, `terminal-2` … that is free.
  ///
  /// @param files the sign-in of each device
  /// @throws IOException when it is in use
  public static WindowDevice take(@Nullable String asked, Function<String, SignInFile> files)
      throws IOException {
    if (asked != null) {
      return tryTake(asked, files)
          .orElseThrow(
              () ->
                  new IOException(
                      "Another window uses the device %s; without --device a free one is taken."
                          .formatted(asked)));
    }
    for (int n = 1; n <= MOST; n++) {
      Optional<WindowDevice> free = tryTake(NUMBERED + n, files);
      if (free.isPresent()) {
        return free.get();
      }
    }
    throw new IOException("%d windows are open already.".formatted(MOST));
  }

  private static Optional<WindowDevice> tryTake(String name, Function<String, SignInFile> files)
      throws IOException {
    SignInFile signIn = files.apply(name);
    FileChannel channel = open(signIn.file());
    try {
      if (channel.tryLock() != null) {
        return Optional.of(new WindowDevice(name, signIn, channel));
      }
    } catch (OverlappingFileLockException _) {
      // taken by this program
    } catch (IOException failure) {
      channel.close();
      throw failure;
    }
    channel.close();
    return Optional.empty();
  }

  private static FileChannel open(Path signIn) throws IOException {
    Path file = signIn.resolveSibling(signIn.getFileName() + ".lock");
    OwnerFile.touch(file);
    return FileChannel.open(file, StandardOpenOption.WRITE);
  }

  public String name() {
    return name;
  }

  public SignInFile signIn() {
    return signIn;
  }

  /// Makes the device free for another window.
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
