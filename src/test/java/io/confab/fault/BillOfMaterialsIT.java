package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The jar says what it is made of, with every licence and notice, and nothing in it is older than
/// `docs/vulnerabilities.md` allows.
@Timeout(240)
class BillOfMaterialsIT {
  private static final String LICENCES = "META-INF/licenses/";
  private static final String BILL = "META-INF/sbom/confab.cdx.json";

  /// Without an identifier, and with a text in the notice.
  private static final Set<String> UNNUMBERED = Set.of("OSSP uuid", "Public domain");

  private JarFile jar;
  private JsonNode bill;

  @BeforeEach
  void open() throws IOException {
    jar = new JarFile(Jar.path().toFile());
    bill = new ObjectMapper().readTree(bytes(jar, BILL));
  }

  @AfterEach
  void close() throws IOException {
    jar.close();
  }

  @Test
  void theBillIsValidCycloneDx() {
    String schemas = "http://cyclonedx.org/schema/";
    SchemaRegistry registry =
        SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_7,
            builder -> builder.schemaIdResolvers(ids -> ids.mapPrefix(schemas, "classpath:/")));
    assertThat(
            registry.getSchema(SchemaLocation.of(schemas + "bom-1.6.schema.json")).validate(bill))
        .isEmpty();
  }

  @Test
  void everyDependencyIsNamedWithItsVersionPurlAndLicence() throws IOException {
    Set<String> named = new TreeSet<>();
    for (JsonNode part : parts()) {
      assertThat(part.path("version").asText()).as("version of %s", part).isNotEmpty();
      assertThat(part.path("purl").asText())
          .startsWith("pkg:")
          .contains(part.get("name").asText() + "@" + part.get("version").asText());
      assertThat(part.path("licenses")).as("licences of %s", part).isNotEmpty();
      named.add(coordinates(part) + ":" + part.get("version").asText());
    }
    Set<String> packed = new TreeSet<>();
    for (JarEntry entry : entries(jar)) {
      if (entry.getName().endsWith("/pom.properties")) {
        Properties pom = new Properties();
        try (InputStream in = jar.getInputStream(entry)) {
          pom.load(in);
        }
        packed.add(
            Stream.of("groupId", "artifactId", "version")
                .map(pom::getProperty)
                .collect(Collectors.joining(":")));
      }
    }
    packed.removeIf(name -> name.startsWith("io.confab:confab:"));
    assertThat(packed).hasSizeGreaterThan(50);
    assertThat(named).containsAll(packed);
  }

  @Test
  void everyLicenceHasItsText() {
    for (JsonNode part : parts()) {
      for (JsonNode licence : part.get("licenses")) {
        String name = licence.at("/license/name").asText();
        if (name.isEmpty()) {
          for (String id : licence.get("expression").asText().split(" OR ", -1)) {
            assertThat(jar.getEntry(LICENCES + id + ".txt")).as("%s of %s", id, part).isNotNull();
          }
        } else {
          assertThat(name).isIn(UNNUMBERED);
        }
      }
    }
  }

  /// The dependencies are on the class path of this test, as they came.
  @Test
  void noLicenceOrNoticeOfADependencyIsLost() throws IOException {
    List<Path> classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .toList();
    Pattern legal =
        Pattern.compile("(META-INF/)?[^/]*(?i:licen[sc]e|notice|copyright|third.?party)[^/]*");
    int kept = 0;
    for (JsonNode part : bill.get("components")) {
      if (isBundled(part)) {
        continue;
      }
      String file = part.get("name").asText() + "-" + part.get("version").asText();
      Path dependency =
          classPath.stream()
              .filter(path -> path.getFileName().toString().startsWith(file))
              .findFirst()
              .orElseThrow(() -> new AssertionError(file + " is not on the class path."));
      try (JarFile own = new JarFile(dependency.toFile())) {
        for (JarEntry entry : entries(own)) {
          if (legal.matcher(entry.getName()).matches() && !entry.getName().endsWith(".class")) {
            String name = Path.of(entry.getName()).getFileName().toString();
            assertThat(bytes(jar, LICENCES + part.get("name").asText() + "/" + name))
                .isEqualTo(bytes(own, entry.getName()));
            kept++;
          }
        }
      }
    }
    assertThat(kept).isGreaterThan(30);
    assertThat(bytes(jar, "LICENSE")).isEqualTo(Files.readAllBytes(Path.of("LICENSE")));
    assertThat(bytes(jar, "NOTICE")).isEqualTo(Files.readAllBytes(Path.of("NOTICE")));
  }

  /// What is bundled into the scripts of the web client, which npm has put into `web`.
  @Test
  void everyPackageOfTheWebClientIsNamedWithItsLicence() throws IOException {
    Path installed = Path.of("web/node_modules");
    int licences = 0;
    for (JsonNode part : bill.get("components")) {
      if (isBundled(part)) {
        String group = part.path("group").asText();
        String name = (group.isEmpty() ? "" : group + "/") + part.get("name").asText();
        JsonNode own =
            new ObjectMapper().readTree(installed.resolve(name + "/package.json").toFile());
        assertThat(part.get("version")).isEqualTo(own.get("version"));
        assertThat(part.at("/licenses/0/expression")).isEqualTo(own.get("license"));
        assertThat(bytes(jar, LICENCES + name + "/LICENSE"))
            .isEqualTo(Files.readAllBytes(installed.resolve(name + "/LICENSE")));
        licences++;
      }
    }
    assertThat(licences).isGreaterThan(2);
    for (String named : List.of("/app/package.json", "/client/package.json")) {
      JsonNode dependencies =
          new ObjectMapper().readTree(Path.of("web" + named).toFile()).path("dependencies");
      dependencies
          .fieldNames()
          .forEachRemaining(
              name ->
                  assertThat(name.startsWith("@confab/") || isInTheBill(name)).as(name).isTrue());
    }
  }

  private boolean isInTheBill(String name) {
    return parts().stream()
        .anyMatch(
            part ->
                part.path("purl").asText().startsWith("pkg:npm/" + name.replace("@", "%40") + "@"));
  }

  private static boolean isBundled(JsonNode part) {
    return part.path("purl").asText().startsWith("pkg:npm/");
  }

  @Test
  void theBillAgreesWithTheListOfVulnerabilities() throws IOException {
    String[] document =
        Files.readString(Path.of("docs/vulnerabilities.md")).split("## What stays", -1);
    List<String[]> rows =
        document[0]
            .lines()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.split("\\|", -1))
            .toList();
    assertThat(rows).hasSizeGreaterThan(7);
    for (String[] row : rows) {
      String pattern = row[1].strip().replace("`", "").replace(".", "\\.").replace("*", "[^:]*");
      List<JsonNode> found =
          parts().stream().filter(part -> coordinates(part).matches(pattern)).toList();
      assertThat(found).as(row[1]).isNotEmpty();
      for (JsonNode part : found) {
        String version = part.get("version").asText();
        if (Version.parse(version).compareTo(Version.parse(firstVersion(row[3]))) < 0) {
          assertThat(document[1]).as("%s, which stays", part).contains(version);
        } else {
          assertThat(version).as("%s, carried", part).startsWith(firstVersion(row[4]));
        }
      }
    }
  }

  private static String firstVersion(String text) {
    Matcher version = Pattern.compile("\\d+(\\.\\d+)+").matcher(text);
    assertThat(version.find()).as(text).isTrue();
    return version.group();
  }

  /// Those inside of others too.
  private List<JsonNode> parts() {
    List<JsonNode> parts = new ArrayList<>();
    for (JsonNode part : bill.get("components")) {
      parts.add(part);
      part.path("components").forEach(parts::add);
    }
    return parts;
  }

  private static String coordinates(JsonNode part) {
    return part.path("group").asText() + ":" + part.get("name").asText();
  }

  private static List<JarEntry> entries(JarFile jar) {
    return jar.stream().toList();
  }

  private static byte[] bytes(JarFile jar, String name) throws IOException {
    JarEntry entry = jar.getJarEntry(name);
    assertThat(entry).as("%s in %s", name, jar.getName()).isNotNull();
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }
}
