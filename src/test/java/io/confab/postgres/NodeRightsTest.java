package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeRightsTest {
  private static final Path SQL = Path.of("src/main/resources/io/confab/postgres");
  private static final Pattern GRANT = Pattern.compile("GRANT ([A-Z, ]+) ON ([a-z_, ]+) TO :node;");
  private static final Pattern TABLE = Pattern.compile("CREATE (?:UNLOGGED )?TABLE (\\w+)");

  private static final Set<String> ROWS = Set.of("SELECT", "INSERT", "UPDATE", "DELETE");

  private static final Pattern CHANGE =
      Pattern.compile("INSERT INTO|DELETE FROM|UPDATE |FOR SHARE");

  /// Said so, or by meeting a row, or by locking it.
  private static final String UPDATES =
      "UPDATE :t\\b"
          + "|INSERT INTO :t\\b(?:(?!INSERT INTO|;|\"\"\").)*?DO UPDATE"
          + "|(?:FROM|JOIN) :t\\b(?:(?!;|\"\"\").)*?FOR (?:NO KEY UPDATE|UPDATE|SHARE)";

  @Test
  void everyTableMayBeReadAndNothingIsGrantedThatNoStatementDoes() throws IOException {
    Map<String, Set<String>> granted = granted();
    granted.remove("flyway_schema_history");
    assertThat(granted.keySet()).isEqualTo(tables());
    String statements = statements();
    granted.forEach(
        (table, rights) -> {
          assertThat(rights).as(table).contains("SELECT").isSubsetOf(ROWS);
          assertThat(rights.contains("INSERT"))
              .as("INSERT INTO " + table)
              .isEqualTo(isSaid(statements, "INSERT INTO " + table + "\\b"));
          assertThat(rights.contains("DELETE"))
              .as("DELETE FROM " + table)
              .isEqualTo(isSaid(statements, "DELETE FROM " + table + "\\b"));
          assertThat(rights.contains("UPDATE"))
              .as("UPDATE " + table)
              .isEqualTo(isSaid(statements, UPDATES.replace(":t", table)));
        });
  }

  /// So that no right comes in another form than the test above reads.
  @Test
  void besidesTablesTheNodesUseTheSchemaSequencesAndAFunctionOfTheOwner() throws IOException {
    assertThat(
            Files.readAllLines(SQL.resolve("node_rights.sql")).stream()
                .filter(line -> line.contains("GRANT"))
                .filter(line -> !GRANT.matcher(line).matches())
                .map(String::strip))
        .containsExactly(
            "EXECUTE format('GRANT USAGE ON SCHEMA %I TO :node', current_schema());",
            "GRANT USAGE ON SEQUENCE session_number TO :node;",
            "GRANT USAGE ON SEQUENCE device_key_registration_id_seq TO :node;",
            "GRANT EXECUTE ON FUNCTION forget_audit(bigint, bigint) TO :node;",
            "GRANT USAGE ON SEQUENCE envelope_payload_number TO :node;");
  }

  private static boolean isSaid(String statements, String pattern) {
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(statements).find();
  }

  private static Map<String, Set<String>> granted() throws IOException {
    Map<String, Set<String>> granted = new TreeMap<>();
    GRANT
        .matcher(Files.readString(SQL.resolve("node_rights.sql")))
        .results()
        .forEach(
            grant -> {
              for (String table : grant.group(2).split(", ", -1)) {
                granted
                    .computeIfAbsent(table, _ -> new TreeSet<>())
                    .addAll(Set.of(grant.group(1).split(", ", -1)));
              }
            });
    return granted;
  }

  private static Set<String> tables() throws IOException {
    Set<String> tables = new TreeSet<>();
    try (Stream<Path> files = Files.list(SQL.resolve("migrations"))) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("V")).toList()) {
        TABLE
            .matcher(Files.readString(file))
            .results()
            .forEach(table -> tables.add(table.group(1)));
      }
    }
    return tables;
  }

  /// All that a node says to PostgreSQL, but what it says as the owner of the schema, and what the
  /// functions say that it calls, but for those that have the rights of the owner.
  private static String statements() throws IOException {
    StringBuilder statements = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
      for (Path file :
          files.filter(f -> f.toString().matches(".*\\.java|.*/R__\\w+\\.sql")).toList()) {
        String text = Files.readString(file);
        if (CHANGE.matcher(text).find()
            && !text.contains("logins.owner()")
            && !text.contains("SECURITY DEFINER")) {
          statements.append(text);
        }
      }
    }
    return statements.toString();
  }
}
