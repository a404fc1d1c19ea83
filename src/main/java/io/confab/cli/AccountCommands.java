package io.confab.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `account create | admin | password | …`: what each reads from the command line is the body of
/// the local command of the same name.
abstract sealed class AccountCommands implements Callable<Integer> {
  private final DataAccess data;
  private final String name;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ConfigOptions options;

  @Parameters(index = "0", paramLabel = "HANDLE", description = "The account's handle.")
  private String handle = "";

  private AccountCommands(String name, DataAccess data, ConfigOptions options) {
    this.name = name;
    this.data = data;
    this.options = options;
  }

  /// Adds what the command says beside the handle.
  abstract void fill(ObjectNode body) throws IOException;

  @Override
  public final Integer call() throws IOException {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("handle", handle);
    var config = options.load().config();
    fill(body);
    data.run(config, name, body, spec.commandLine().getOut());
    return 0;
  }

  /// `account create`
  @Command(name = "create", description = "Make an account.")
  static final class Create extends AccountCommands {
    @Mixin private final PasswordSource password;

    @Option(
        names = "--display-name",
        paramLabel = "NAME",
        description = "What others see; the handle, if absent.")
    private @Nullable String displayName;

    @Option(names = "--admin", description = "Make it a server admin.")
    private boolean admin;

    Create(DataAccess data, ConfigOptions options, PasswordSource password) {
      super("account.create", data, options);
      this.password = password;
    }

    @Override
    void fill(ObjectNode body) throws IOException {
      body.put("password", password.read().value()).put("admin", admin);
      if (displayName != null) {
        body.put("display_name", displayName);
      }
    }
  }

  /// `account admin`
  @Command(name = "admin", description = "Make an account a server admin, or no longer one.")
  static final class Admin extends AccountCommands {
    @Option(names = "--revoke", description = "Take the role away.")
    private boolean revoke;

    Admin(DataAccess data, ConfigOptions options) {
      super("account.admin", data, options);
    }

    @Override
    void fill(ObjectNode body) {
      body.put("admin", !revoke);
    }
  }

  /// `account bot`
  @Command(
      name = "bot",
      description = {
        "Make a bot and show its token, which does not expire and is shown once;",
        "for a bot that is there, one more token."
      })
  static final class Bot extends AccountCommands {
    @Option(
        names = "--display-name",
        paramLabel = "NAME",
        description = "What others see; the handle, if absent.")
    private @Nullable String displayName;

    Bot(DataAccess data, ConfigOptions options) {
      super("account.bot", data, options);
    }

    @Override
    void fill(ObjectNode body) {
      if (displayName != null) {
        body.put("display_name", displayName);
      }
    }
  }

  /// `account suspend`
  @Command(
      name = "suspend",
      description = "End an account's sessions and let nobody sign in until it is restored.")
  static final class Suspend extends AccountCommands {
    Suspend(DataAccess data, ConfigOptions options) {
      super("account.suspend", data, options);
    }

    @Override
    void fill(ObjectNode body) {}
  }

  /// `account restore`
  @Command(name = "restore", description = "Let a suspended account sign in again.")
  static final class Restore extends AccountCommands {
    Restore(DataAccess data, ConfigOptions options) {
      super("account.restore", data, options);
    }

    @Override
    void fill(ObjectNode body) {}
  }

  /// `account remove`
  @Command(
      name = "remove",
      description = "Remove an account for good. Its messages stay, and so does its handle.")
  static final class Remove extends AccountCommands {
    Remove(DataAccess data, ConfigOptions options) {
      super("account.remove", data, options);
    }

    @Override
    void fill(ObjectNode body) {}
  }

  /// `account devices`
  @Command(name = "devices", description = "Show the devices on which an account is signed in.")
  static final class Devices extends AccountCommands {
    Devices(DataAccess data, ConfigOptions options) {
      super("account.devices", data, options);
    }

    @Override
    void fill(ObjectNode body) {}
  }

  /// `account forget`
  @Command(name = "forget", description = "Sign a device of an account out and forget it.")
  static final class Forget extends AccountCommands {
    @Parameters(index = "1", paramLabel = "DEVICE", description = "The device_id.")
    private String device = "";

    Forget(DataAccess data, ConfigOptions options) {
      super("account.forget", data, options);
    }

    @Override
    void fill(ObjectNode body) {
      body.put("device_id", device);
    }
  }

  /// `account password`
  @Command(name = "password", description = "Set an account's password; ends its sessions.")
  static final class Password extends AccountCommands {
    @Mixin private final PasswordSource password;

    Password(DataAccess data, ConfigOptions options, PasswordSource password) {
      super("account.password", data, options);
      this.password = password;
    }

    @Override
    void fill(ObjectNode body) throws IOException {
      body.put("password", password.read().value());
    }
  }
}
