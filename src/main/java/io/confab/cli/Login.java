package io.confab.cli;

import io.confab.client.ApiException;
import io.confab.client.ConfabApi;
import io.confab.client.Credentials;
import io.confab.config.Secret;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.terminal.SignInFile;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The account that a command acts as. The sign-in is kept in a file of mode 0600, so the password
/// is needed once: from `CONFAB_PASSWORD`, the first line of standard input, or the terminal.
final class Login {
  private final Typed typed;
  private final Map<String, String> environment;

  @Mixin private final ServerAddresses servers;

  @Option(names = "--as", required = true, paramLabel = "HANDLE", description = "Who you are.")
  private String handle = "";

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description =
          "Name of this device (default: ${DEFAULT-VALUE}). Each has a sign-in of its own; of one"
              + " device only the newest connection stays.")
  private String device = "terminal";

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

  /// Signs in, unless an earlier sign-in is kept. Blocks.
  SignedIn open() throws IOException {
    @Nullable Secret line = fromStdin ? typed.passwordLine(spec) : null;
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(2));
    SignInFile file =
        SignInFile.in(SignInFile.folder(environment), vertx, servers.all(), handle, device);
    ConfabApi api = new ConfabApi(vertx, servers.all(), file);
    try {
      Optional<Credentials> kept = kept(api);
      return new SignedIn(
          vertx,
          api,
          kept.isPresent() ? kept.get() : signIn(api, line == null ? password() : line));
    } catch (IOException | RuntimeException failure) {
      api.close();
      vertx.close().await();
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

  private Credentials signIn(ConfabApi api, Secret password) throws IOException {
    DeviceInfo info = new DeviceInfo(null, device, "terminal");
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
    api.signUp(handle, password, null).await();
    return api.signIn(handle, password, info).await();
  }
}
