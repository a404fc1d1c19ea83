package io.confab.client.sealed;

import de.connect2x.trixnity.vodozemac.bindings.Curve25519PublicKeyBindings;
import de.connect2x.trixnity.vodozemac.bindings.Ed25519PublicKeyBindings;
import de.connect2x.trixnity.vodozemac.bindings.Ed25519SecretKeyBindings;
import de.connect2x.trixnity.vodozemac.bindings.Ed25519SignatureBindings;
import de.connect2x.trixnity.vodozemac.bindings.SliceBindings;
import de.connect2x.trixnity.vodozemac.bindings.megolm.GroupSessionBindings;
import de.connect2x.trixnity.vodozemac.bindings.megolm.InboundGroupSessionBindings;
import de.connect2x.trixnity.vodozemac.bindings.megolm.SessionKeyBindings;
import de.connect2x.trixnity.vodozemac.bindings.olm.AccountBindings;
import de.connect2x.trixnity.vodozemac.bindings.olm.SessionBindings;
import de.connect2x.trixnity.vodozemac.bindings.olm.SessionKeysBindings;
import de.connect2x.trixnity.vodozemac.bindings.sas.EstablishedSasBindings;
import de.connect2x.trixnity.vodozemac.bindings.sas.MacBindings;
import de.connect2x.trixnity.vodozemac.bindings.sas.SasBindings;
import de.connect2x.trixnity.vodozemac.bindings.sas.SasBytesBindings;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The native code of vodozemac. Each class of its binding unpacks a copy into the folder for
/// temporary files, to be deleted when the process ends well; one that is killed would leave all of
/// them. So they are loaded together, and their names are taken away at once, where Linux says
/// which they are.
final class NativeLibrary {
  private static final Path MAPPED = Path.of("/proc/self/maps");
  private static final List<Class<?>> BINDINGS =
      List.of(
          AccountBindings.class,
          SessionBindings.class,
          SessionKeysBindings.class,
          de.connect2x.trixnity.vodozemac.bindings.olm.SessionConfigBindings.class,
          de.connect2x.trixnity.vodozemac.bindings.olm.MessageBindings.class,
          GroupSessionBindings.class,
          InboundGroupSessionBindings.class,
          SessionKeyBindings.class,
          de.connect2x.trixnity.vodozemac.bindings.megolm.SessionConfigBindings.class,
          de.connect2x.trixnity.vodozemac.bindings.megolm.MessageBindings.class,
          Curve25519PublicKeyBindings.class,
          Ed25519PublicKeyBindings.class,
          Ed25519SecretKeyBindings.class,
          Ed25519SignatureBindings.class,
          SliceBindings.class,
          SasBindings.class,
          EstablishedSasBindings.class,
          SasBytesBindings.class,
          MacBindings.class);

  private NativeLibrary() {}

  static boolean load() {
    try {
      for (Class<?> binding : BINDINGS) {
        MethodHandles.lookup().ensureInitialized(binding);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    mapped().forEach(NativeLibrary::unlink);
    return true;
  }

  /// The files that are loaded and still have a name.
  static List<Path> mapped() {
    if (!Files.isReadable(MAPPED)) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(MAPPED)) {
      return lines
          .filter(line -> line.endsWith(".so") && line.contains("/libvodozemac"))
          .map(line -> Path.of(line.substring(line.indexOf('/'))))
          .distinct()
          .toList();
    } catch (IOException _) {
      return List.of();
    }
  }

  private static void unlink(Path copy) {
    try {
      Files.deleteIfExists(copy);
    } catch (IOException _) {
      // The end of the process is tried next.
    }
  }
}
