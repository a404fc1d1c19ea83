import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;

/// Writes what `keytool` keeps in a PKCS#12 file as PEM: `WritePem STORE PASSWORD FOLDER ALIAS…`
/// makes `ca.crt`, and `ALIAS.crt` and `ALIAS.key` for each alias.
class WritePem {
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    char[] password = arguments[1].toCharArray();
    Path folder = Path.of(arguments[2]);
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(Path.of(arguments[0]))) {
      store.load(in, password);
    }
    write(folder.resolve("ca.crt"), pem("CERTIFICATE", store.getCertificate("ca").getEncoded()));
    for (int i = 3; i < arguments.length; i++) {
      String alias = arguments[i];
      StringBuilder chain = new StringBuilder();
      for (Certificate each : store.getCertificateChain(alias)) {
        chain.append(pem("CERTIFICATE", each.getEncoded()));
      }
      write(folder.resolve(alias + ".crt"), chain.toString());
      write(
          folder.resolve(alias + ".key"),
          pem("PRIVATE KEY", store.getKey(alias, password).getEncoded()));
    }
  }

  private static String pem(String what, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(what, LINES.encodeToString(der), what);
  }

  private static void write(Path file, String text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(file, text.getBytes(StandardCharsets.US_ASCII));
  }
}
