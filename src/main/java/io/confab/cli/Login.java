package io.confab.cli;

import io.confab.client.ApiException;
import io.confab.client.ConfabApi;
import io.confab.client.Credentials;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Secret;
import io.confab.terminal.SealedFolder;
import io.confab.terminal.SignInFile;
import io.confab.terminal.WindowDevice;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The account that a command acts as. The sign-in is kept in a file of mode 0600, so the password
/// is needed once: from `CONFAB_PASSWORD`, the first line of standard input, or the terminal.
final class Login {
  /// On a busy machine a slow thread of a client is nothing that a person must be warned of.
  private static final Duration UNWATCHED = Duration.ofDays(1);

  private final Typed typed;
  private final Map<String, String> environment;

  @Mixin private final ServerAddresses servers;

  @Option(names = "--as", required = true, paramLabel = "HANDLE", description = "Who you are.")
  private String handle = "";

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description =
          "Name of this device. Each has a sign-in of its own. Without it, windows of `chat` take"
              + " the first of terminal-1, terminal-2 … that is free, and all else is done with the"
              + " sign-in of terminal-1.")
  private @Nullable String device;

  @Option(
      names = "--sign-up",
      description = "Make the account when there is none with this handle and password.")
  private boolean signUp;

  @Option(
      names = "--password-stdin",
      description = "The first line of standard input is the password.")
  private boolean fromStdin;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  Login(Map<String, String> environment, Typed typed) {
    this.environment = environment;
    this.typed = typed;
    this.servers = new ServerAddresses(environment);
  }

  /// What a command does once its account is signed in.
  interface Action {
    void run(ConfabApi api) throws IOException;
  }

  /// Signs in, acts and closes. Blocks.
  void run(Action action) throws IOException {
    try (SignedIn me = open()) {
      action.run(me.api());
    }
  }

  /// Signs in, unless an earlier sign-in is kept; for calls over HTTP, of which any number may be
  /// under way. Blocks.
  SignedIn open() throws IOException {
    Vertx vertx = vertx();
    String name = Objects.requireNonNullElse(device, WindowDevice.FIRST);
    return signedIn(vertx, name, file(vertx, name), () -> {});
  }

  /// Signs in on a device that no other window has meanwhile, for a socket. Blocks.
  SignedIn openWindow() throws IOException {
    Vertx vertx = vertx();
    WindowDevice window;
    try {
      window = WindowDevice.take(device, name -> file(vertx, name));
    } catch (IOException | RuntimeException failure) {
      vertx.close().await();
      throw failure;
    }
    return signedIn(vertx, window.name(), window.signIn(), window::close);
  }

  private static Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(2)
            .setBlockedThreadCheckInterval(UNWATCHED.toMillis()));
  }

  private SignInFile file(Vertx vertx, String name) {
    return SignInFile.in(SignInFile.folder(environment), vertx, servers.all(), handle, name);
  }

  private SignedIn signedIn(Vertx vertx, String name, SignInFile file, SignedIn.Held held)
      throws IOException {
    ConfabApi api = new ConfabApi(vertx, servers.all(), file);
    SealedFolder sealed = SealedFolder.of(environment, file);
    try {
      @Nullable Secret line = fromStdin ? typed.passwordLine(spec) : null;
      Optional<Credentials> kept = kept(api);
      Credentials own =
          kept.isPresent()
              ? kept.get()
              : signIn(api, device(sealed, name), line == null ? password() : line);
      return new SignedIn(vertx, api, own, sealed, held);
    } catch (IOException | RuntimeException failure) {
      api.close();
      vertx.close().await();
      held.close();
      throw failure;
    }
  }

  /// The sign-in that was kept, if it is still valid.
  private static Optional<Credentials> kept(ConfabApi api) {
    try {
      api.me().await();
      return Optional.of(api.credentials().await());
    } catch (ApiException refusal) {
      if (refusal.is(ErrorCode.UNAUTHORIZED)) {
        return Optional.empty();
      }
      throw refusal;
    }
  }

  private Secret password() {
    return Optional.ofNullable(environment.get("CONFAB_PASSWORD"))
        .map(Secret::new)
        .orElseGet(() -> typed.password(spec, "Password of " + handle + ": "));
  }

  /// The device that it was before, so that keys and lines of sealed rooms stay its own.
  private static DeviceInfo device(SealedFolder sealed, String name) throws IOException {
    @Nullable DeviceId before = sealed.device().orElse(null);
    return new DeviceInfo(before, name, "terminal");
  }

  private Credentials signIn(ConfabApi api, DeviceInfo info, Secret password) throws IOException {
    try {
      return api.signIn(handle, password, info).await();
    } catch (ApiException refusal) {
      if (!refusal.is(ErrorCode.UNAUTHORIZED)) {
        throw refusal;
      }
      if (!signUp) {
        throw new IOException(
            "Nobody has this handle and password; with --sign-up the account is made.", refusal);
      }
    }
    try {
      api.signUp(handle, password, null).await();
    } catch (ApiException refusal) {
      if (refusal.is(ErrorCode.CONFLICT)) {
        throw new IOException(
            "The handle %s is taken, and this is not its password.".formatted(handle), refusal);
      }
      throw refusal;
    }
    return api.signIn(handle, password, info).await();
  }
}
