package io.confab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `unread --check`: compares all unread counts with the messages themselves.
@Command(
    description = {
      "Compare unread and mention counts with the messages.",
      "Ends with 1 where one differs, which is a bug. Accounts with too much unread are not compared."
    })
final class UnreadCommand implements Callable<Integer> {
  private static final int ACCOUNTS_A_LINE = 10_000;

  private final DataAccess data;

  @Option(names = "--check", description = "Count everything anew, some accounts at a time.")
  private boolean check;

  @Spec private CommandSpec spec = CommandSpec.create();

  private long accounts;
  private long markers;
  private long differing;
  private long uncompared;

  UnreadCommand(DataAccess data) {
    this.data = data;
  }

  @Override
  public Integer call() throws IOException {
    if (!check) {
      throw new ParameterException(spec.commandLine(), "say --check");
    }
    data.pages("unread.check", this::count);
    spec.commandLine()
        .getOut()
        .println(
            JsonNodeFactory.instance
                .objectNode()
                .put("accounts", accounts)
                .put("markers", markers)
                .put("differing", differing)
                .put("uncompared", uncompared));
    return differing == 0 ? 0 : 1;
  }

  private void count(JsonNode page) {
    long told = accounts / ACCOUNTS_A_LINE;
    accounts += page.path("accounts").asLong();
    markers += page.path("markers").asLong();
    differing += page.path("differing").asLong();
    uncompared += page.path("uncompared").asLong();
    if (accounts / ACCOUNTS_A_LINE > told) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(accounts + " accounts, " + differing + " of " + markers + " counts differ");
    }
  }
}
