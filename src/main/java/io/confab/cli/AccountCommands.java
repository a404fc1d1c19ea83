package io.confab.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `account …`: what each command reads from the command line is the body of the local command of
/// the same name.
@Command(description = "Make and change accounts.", synopsisSubcommandLabel = "COMMAND")
final class AccountCommands {
  /// The account that a command is about, and where its data are.
  static final class OneAccount {
    @Mixin private final DataAccess data;

    @Parameters(index = "0", paramLabel = "HANDLE", description = "The account's handle.")
    private String handle = "";

    OneAccount(DataAccess data) {
      this.data = data;
    }

    void run(String command) throws IOException {
      run(command, _ -> {});
    }

    void run(String command, DataAccess.Body says) throws IOException {
      data.run("account." + command, body -> says.fill(body.put("handle", handle)));
    }
  }

  /// The name of an account that is made.
  static final class DisplayName {
    @Option(
        names = "--display-name",
        paramLabel = "NAME",
        description = "What others see; the handle, if absent.")
    private @Nullable String name;

    void fill(ObjectNode body) {
      if (name != null) {
        body.put("display_name", name);
      }
    }
  }

  @Command(
      description = {
        "Show the accounts by id, bots too: 1,000 at most, and then what --after goes on with",
        "(next)."
      })
  void list(
      @Mixin DataAccess data,
      @Option(names = "--after", paramLabel = "ACCOUNT", description = "Those behind this id.")
          @Nullable String after)
      throws IOException {
    data.run(
        "account.list",
        body -> {
          if (after != null) {
            body.put("after", after);
          }
        });
  }

  @Command(description = "Show an account: its id, names, role, and whether it is suspended.")
  void show(@Mixin OneAccount account) throws IOException {
    account.run("show");
  }

  @Command(description = "Make an account.")
  void create(
      @Mixin OneAccount account,
      @Mixin PasswordSource password,
      @Mixin DisplayName displayName,
      @Option(names = "--admin", description = "Make it a server admin.") boolean admin)
      throws IOException {
    account.run(
        "create",
        body -> {
          body.put("password", password.read().value()).put("admin", admin);
          displayName.fill(body);
        });
  }

  @Command(description = "Make an account a server admin, or no longer one.")
  void admin(
      @Mixin OneAccount account,
      @Option(names = "--revoke", description = "Take the role away.") boolean revoke)
      throws IOException {
    account.run("admin", body -> body.put("admin", !revoke));
  }

  @Command(
      description = {
        "Make a bot and show its token, which does not expire and is shown once;",
        "for a bot that is there, one more token."
      })
  void bot(@Mixin OneAccount account, @Mixin DisplayName displayName) throws IOException {
    account.run("bot", displayName::fill);
  }

  @Command(description = "End an account's sessions and let nobody sign in until it is restored.")
  void suspend(@Mixin OneAccount account) throws IOException {
    account.run("suspend");
  }

  @Command(description = "Let a suspended account sign in again.")
  void restore(@Mixin OneAccount account) throws IOException {
    account.run("restore");
  }

  @Command(description = "Remove an account for good. Its messages stay, and so does its handle.")
  void remove(@Mixin OneAccount account) throws IOException {
    account.run("remove");
  }

  @Command(description = "Show the devices on which an account is signed in.")
  void devices(@Mixin OneAccount account) throws IOException {
    account.run("devices");
  }

  @Command(description = "Sign a device of an account out and forget it.")
  void forget(
      @Mixin OneAccount account,
      @Parameters(index = "1", paramLabel = "DEVICE", description = "The device_id.") String device)
      throws IOException {
    account.run("forget", body -> body.put("device_id", device));
  }

  @Command(description = "Set an account's password; ends its sessions.")
  void password(@Mixin OneAccount account, @Mixin PasswordSource password) throws IOException {
    account.run("password", body -> body.put("password", password.read().value()));
  }
}
