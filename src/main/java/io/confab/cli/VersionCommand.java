package io.confab.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `version`: of Confab, from the jar's manifest, and of Java.
@Command(description = "Print the version.")
final class VersionCommand implements Callable<Integer>, IVersionProvider {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    for (String line : getVersion()) {
      spec.commandLine().getOut().println(line);
    }
    return 0;
  }

  @Override
  public String[] getVersion() {
    String version =
        Optional.ofNullable(VersionCommand.class.getPackage().getImplementationVersion())
            .orElse("(built from source)");
    return new String[] {"Confab " + version, "Java " + Runtime.version()};
  }
}
