package io.confab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.confab.config.Config;
import io.confab.config.ConfigLoader;
import io.confab.config.InvalidConfigException;
import io.confab.testing.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class StartCheckTest {
  private static final String TLS =
      " CONFAB_HTTP_TLS_MODE=files CONFAB_HTTP_TLS_CERTIFICATE=%s CONFAB_HTTP_TLS_KEY=%s";
  private static final String CLUSTER =
      " CONFAB_CLUSTER_ENABLED=true CONFAB_CLUSTER_TLS_CERTIFICATE=%s"
          + " CONFAB_CLUSTER_TLS_KEY=%s CONFAB_CLUSTER_TLS_TRUST=%s";
  private static final String POSTGRES =
      " CONFAB_POSTGRES_URL=postgresql://u:hush@h/d?sslmode=verify-full&sslrootcert=%s";

  private static Path folder = Path.of("");

  @BeforeAll
  static void makeFiles(@TempDir Path made) throws IOException {
    folder = Certificates.make(made, "node", "other");
    Files.writeString(folder.resolve("text"), "no PEM");
  }

  /// @param variables as a shell takes them; `~/` stands for the folder of the test
  private Config config(String variables) {
    Map<String, String> environment = new HashMap<>();
    environment.put("CONFAB_DATA_DIR", folder.resolve("data").toString());
    environment.put("CONFAB_HTTP_PORT", "0");
    environment.put("CONFAB_MANAGEMENT_PORT", "0");
    for (String variable : variables.strip().split(" ", -1)) {
      String[] pair = variable.split("=", 2);
      environment.put(pair[0], pair[1].replace("~/", folder + "/"));
    }
    return new ConfigLoader(environment).load(null, Map.of()).config();
  }

  private void isRefusedByBoth(String variables, String says) {
    Config config = config(variables);

    Throwable check = catchThrowable(() -> StartCheck.require(config));
    Throwable start = catchThrowable(() -> Node.start(config).close());

    assertThat(check)
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageStartingWith(says.replace("~/", folder + "/"))
        .message()
        .doesNotContain("hush")
        .doesNotContainPattern("java[.]|Exception");
    assertThat(start).isInstanceOf(check.getClass()).hasMessage(check.getMessage());
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "~/none.crt  | ~/node.key  | http.tls.certificate: cannot be read: there is no such file",
        "~/node.crt  | ~/none.key  | http.tls.key: cannot be read: there is no such file or folder",
        "~/         | ~/node.key  | http.tls.certificate: cannot be read: Is a directory",
        "~/node.crt  | ~/other.key | http.tls.certificate: is not, with http.tls.key (~/other.key),"
            + " a",
        "~/text      | ~/node.key  | http.tls.certificate: is not, with http.tls.key (~/node.key),"
            + " a",
      })
  void theListenersCertificateIsRead(String certificate, String key, String says) {
    isRefusedByBoth(TLS.formatted(certificate, key), says);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "~/none.crt | ~/node.key | ~/ca.crt  | cluster.tls.certificate: cannot be read: there is"
            + " no",
        "~/node.crt | ~/none.key | ~/ca.crt  | cluster.tls.key: cannot be read: there is no such"
            + " file",
        "~/node.crt | ~/node.key | ~/none    | cluster.tls.trust: cannot be read: there is no such"
            + " file",
        "~/node.crt | ~/node.key | ~/text    | cluster.tls.trust: holds no certificate in PEM"
            + " (~/text)",
      })
  void theNodesCertificatesAreRead(String certificate, String key, String trust, String says) {
    isRefusedByBoth(CLUSTER.formatted(certificate, key, trust), says);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "~/none | its sslrootcert, ~/none, cannot be read: there is no such file or folder (value",
        "~/text | its sslrootcert, ~/text, holds no certificate in PEM (value hidden)",
      })
  void theAuthoritiesOfPostgresAreRead(String file, String says) {
    isRefusedByBoth(POSTGRES.formatted(file), "postgres.url: " + says);
    isRefusedByBoth(
        "CONFAB_POSTGRES_URL=postgresql://h/d"
            + POSTGRES.formatted(file).replace("_URL", "_OWNER_URL"),
        "postgres.owner_url: " + says);
  }

  @Test
  void aDataFolderMustBeAFolderOrMayBeMade() {
    isRefusedByBoth("CONFAB_DATA_DIR=~/text/data", "data_dir: cannot be used: ~/text is no folder");
  }

  @Test
  void aPublicKeyOfAnIssuerMustBeOne() {
    isRefusedByBoth(
        "CONFAB_ACCOUNTS_ISSUERS=[{\"issuer\":\"shop\",\"audience\":\"confab\","
            + "\"algorithms\":[\"RS256\"],\"public_keys\":[\"none\"]}]",
        "accounts.issuers: a public key is in PEM or a JWK");
  }

  @Test
  void filesThatCanBeUsedAreNothingToRefuse() {
    Config config =
        config(
            TLS.formatted("~/node.crt", "~/node.key")
                + CLUSTER.formatted("~/node.crt", "~/node.key", "~/ca.crt")
                + POSTGRES.formatted("~/ca.crt"));

    assertThatCode(() -> StartCheck.require(config)).doesNotThrowAnyException();
  }
}
