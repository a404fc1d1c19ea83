package io.confab.client;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.WireName;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A refusal of the server, or the failure to reach one. It carries no stack.
public final class ApiException extends RuntimeException {
  /// Names of exceptions, as Java puts them before the words of a cause.
  private static final Pattern CLASSES =
      Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z][\\w$]*(?:Exception|Error)(?:: )?");

  /// The code when no server answered; the outcome is unknown.
  public static final String UNREACHABLE = "unreachable";

  /// The code when the [CredentialStore] of the program failed; no server is at fault.
  public static final String NOT_KEPT = "not_kept";

  /// The code of a call or send whose client is closed or has stopped, before it or meanwhile; the
  /// outcome is unknown.
  public static final String CLOSED = "closed";

  /// The code of a send that found the queue of unsent messages full.
  public static final String QUEUE_FULL = "queue_full";

  /// The code at which a subscriber fails that requests updates more slowly than they come.
  public static final String BEHIND = "behind";

  private final String code;
  private final @Nullable String field;
  private final String detail;
  private final int status;
  private final boolean retryable;
  private final @Nullable Duration retryAfter;
  private final List<PresentDevice> devices;

  /// @param code of the catalogue, or one that this client does not know
  /// @param status of HTTP; 0 where there was no answer over HTTP
  ApiException(
      String code,
      @Nullable String field,
      String message,
      int status,
      boolean retryable,
      @Nullable Duration retryAfter) {
    this(code, field, message, status, retryable, retryAfter, List.of());
  }

  private ApiException(
      String code,
      @Nullable String field,
      String message,
      int status,
      boolean retryable,
      @Nullable Duration retryAfter,
      List<PresentDevice> devices) {
    super(code + (field == null ? "" : " (" + field + ")") + ": " + message, null, false, false);
    this.detail = message;
    this.code = code;
    this.field = field;
    this.status = status;
    this.retryable = retryable;
    this.retryAfter = retryAfter;
    this.devices = List.copyOf(devices);
  }

  /// The same refusal, which names these.
  ApiException naming(List<PresentDevice> present) {
    return new ApiException(code, field, detail, status, retryable, retryAfter, present);
  }

  /// A failure on this side of the wire.
  ///
  /// @param code of the catalogue, or one of the program's own
  public static ApiException local(String code, String message) {
    return new ApiException(code, null, message, 0, code.equals(UNREACHABLE), null);
  }

  /// The failure itself when it is an `ApiException`; any other as `unreachable`.
  static ApiException of(Throwable failure) {
    return failure instanceof ApiException refusal ? refusal : local(UNREACHABLE, words(failure));
  }

  /// What a failure says to a person, who knows no classes.
  static String words(Throwable failure) {
    return switch (failure) {
      case UnknownHostException unknown -> "no such host: " + unknown.getMessage();
      case TimeoutException _ -> "not in time";
      case SSLException refused -> "TLS: " + tlsWords(refused);
      case UncheckedIOException _ -> "what came is not JSON of a Confab server";
      default ->
          Optional.ofNullable(failure.getMessage())
              .map(words -> CLASSES.matcher(words).replaceAll("").replace(": /", ": "))
              .filter(words -> !words.isBlank())
              .orElse("the connection was lost");
    };
  }

  /// The last cause says why; those before it say that TLS failed.
  private static String tlsWords(SSLException failure) {
    Throwable why =
        Stream.iterate((Throwable) failure, Objects::nonNull, Throwable::getCause)
            .reduce(failure, (_, cause) -> cause);
    return switch (why) {
      case CertPathBuilderException _ ->
          "no authority that this machine trusts vouches for the server's certificate";
      case SSLException plain
          when String.valueOf(plain.getMessage()).startsWith("not an SSL/TLS record") ->
          "the server does not speak it on this port";
      case SSLException other ->
          Optional.ofNullable(other.getMessage()).orElse("no connection could be made");
      default -> words(why);
    };
  }

  /// A refusal without asking the server, which would refuse too.
  static ApiException ofField(ErrorCode code, String field, String message) {
    return new ApiException(code.wire(), field, message, 0, false, null);
  }

  /// The code as the server wrote it.
  public String code() {
    return code;
  }

  /// The code in the catalogue that this client knows.
  public Optional<ErrorCode> known() {
    return WireName.find(ErrorCode.class, code);
  }

  public boolean is(ErrorCode other) {
    return other.wire().equals(code);
  }

  /// The text for a person.
  public String detail() {
    return detail;
  }

  /// Path of the field at fault.
  public Optional<String> field() {
    return Optional.ofNullable(field);
  }

  /// The HTTP status; 0 where there was no answer over HTTP.
  public int status() {
    return status;
  }

  /// Whether the same request may succeed later.
  public boolean retryable() {
    return retryable;
  }

  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /// With `device_mismatch` of a room: all devices that get what is said in it.
  public List<PresentDevice> devices() {
    return devices;
  }
}
