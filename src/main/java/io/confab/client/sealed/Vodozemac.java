package io.confab.client.sealed;

import de.connect2x.trixnity.vodozemac.megolm.GroupSession;
import de.connect2x.trixnity.vodozemac.megolm.InboundGroupSession;
import de.connect2x.trixnity.vodozemac.olm.Account;
import de.connect2x.trixnity.vodozemac.olm.Session;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// What the Kotlin binding of vodozemac does not offer to Java: methods with a hyphen in their
/// names, which keep and restore state, and exceptions that no signature names.
///
/// State is kept as vodozemac's own JSON in Base64 and not encrypted: the key would lie beside it.
final class Vodozemac {
  private static final boolean LOADED = NativeLibrary.load();
  private static final MethodHandle PICKLE_ACCOUNT = pickle(Account.class);
  private static final MethodHandle PICKLE_SESSION = pickle(Session.class);
  private static final MethodHandle PICKLE_SENDER = pickle(GroupSession.class);
  private static final MethodHandle PICKLE_RECEIVER = pickle(InboundGroupSession.class);
  private static final MethodHandle ACCOUNT = unpickle(Account.class, Account.Companion);
  private static final MethodHandle SESSION = unpickle(Session.class, Session.Companion);
  private static final MethodHandle SENDER = unpickle(GroupSession.class, GroupSession.Companion);
  private static final MethodHandle RECEIVER =
      unpickle(InboundGroupSession.class, InboundGroupSession.Companion);

  private Vodozemac() {}

  /// Loads the native library, as the first use of this class does.
  static boolean isLoaded() {
    return LOADED;
  }

  static Account newAccount() {
    return Account.Companion.invoke();
  }

  static String pickle(Account account) {
    return (String) call(PICKLE_ACCOUNT, account);
  }

  static String pickle(Session session) {
    return (String) call(PICKLE_SESSION, session);
  }

  static String pickle(GroupSession session) {
    return (String) call(PICKLE_SENDER, session);
  }

  static String pickle(InboundGroupSession session) {
    return (String) call(PICKLE_RECEIVER, session);
  }

  static Account account(String pickle) {
    return (Account) call(ACCOUNT, pickle);
  }

  static Session session(String pickle) {
    return (Session) call(SESSION, pickle);
  }

  static GroupSession sender(String pickle) {
    return (GroupSession) call(SENDER, pickle);
  }

  static InboundGroupSession receiver(String pickle) {
    return (InboundGroupSession) call(RECEIVER, pickle);
  }

  /// What becomes of something that came from outside; whatever vodozemac finds wrong with it is
  /// this doubt.
  static <T> T read(Doubt doubt, Callable<T> reading) {
    try {
      return reading.call();
    } catch (Untrusted e) {
      throw e;
    } catch (Exception e) {
      throw new Untrusted(doubt);
    }
  }

  private static MethodHandle pickle(Class<?> type) {
    return handle(type, "pickle-IZ_uHoA", MethodType.methodType(String.class, byte[].class), null);
  }

  private static MethodHandle unpickle(Class<?> type, Object companion) {
    return handle(
        companion.getClass(),
        "fromPickle-mXAMHs8",
        MethodType.methodType(type, String.class, byte[].class),
        companion);
  }

  private static MethodHandle handle(
      Class<?> type, String name, MethodType shape, @Nullable Object receiver) {
    try {
      MethodHandle found = MethodHandles.lookup().findVirtual(type, name, shape);
      MethodHandle bound = receiver == null ? found : found.bindTo(receiver);
      return MethodHandles.insertArguments(bound, 1, (Object) null)
          .asType(MethodType.methodType(Object.class, Object.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object call(MethodHandle handle, Object argument) {
    try {
      return (Object) handle.invokeExact(argument);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
