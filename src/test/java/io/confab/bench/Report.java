package io.confab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The table with the commit and the machine that it belongs to, for `docs/performance.md`.
final class Report {
  private static final Path RESULT = Path.of("target/bench.md");
  private static final Path DOCUMENT = Path.of("docs/performance.md");
  private static final Pattern PLACE =
      Pattern.compile("(?s)(<!-- bench: begin -->\n).*?(<!-- bench: end -->)");
  private static final Pattern PROCESSOR = Pattern.compile("model name\\s*: (.*)");

  private Report() {}

  static void write(Options options, Table table) throws IOException {
    String text = head(options) + "\n\n" + table;
    Files.writeString(RESULT, text);
    if (options.write()) {
      Files.writeString(DOCUMENT, placed(Files.readString(DOCUMENT), text));
    }
  }

  private static String head(Options options) throws IOException {
    return "Commit %s, %d × %s, %s %s, JDK %s; %d rounds of %s s a cell, of which one is marked as disturbed when others used more than %s cores in it."
        .formatted(
            System.getProperty("confab.commit", "unknown"),
            Runtime.getRuntime().availableProcessors(),
            processor(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            Runtime.version(),
            options.rounds(),
            Spread.digits(options.seconds()),
            options.foreign());
  }

  private static String processor() throws IOException {
    Matcher model = PROCESSOR.matcher(Files.readString(Path.of("/proc/cpuinfo")));
    return model.find() ? model.group(1) : System.getProperty("os.arch");
  }

  /// The document with the text between its marks in place of what was there.
  static String placed(String document, String text) {
    Matcher place = PLACE.matcher(document);
    if (!place.find()) {
      throw new IllegalArgumentException("the document has no place for the table");
    }
    return place.replaceFirst("$1" + Matcher.quoteReplacement(text) + "$2");
  }
}
