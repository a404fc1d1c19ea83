package io.confab.protocol;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An expected "no": what the caller asked for is not done, and this is why. It carries no stack;
/// it becomes an error frame or an HTTP answer in one place.
public final class Refusal extends RuntimeException {
  private static final int SHOWN_LENGTH = 64;

  private final ErrorCode code;
  private final @Nullable String field;
  private final @Nullable Duration retryAfter;
  private final @Nullable List<PresentDevice> devices;

  public Refusal(ErrorCode code, String detail) {
    this(code, null, detail, null);
  }

  public Refusal(ErrorCode code, @Nullable String field, String detail) {
    this(code, field, detail, null);
  }

  public Refusal(
      ErrorCode code, @Nullable String field, String detail, @Nullable Duration retryAfter) {
    this(code, field, detail, retryAfter, null);
  }

  /// @param devices for a caller that knows others
  public Refusal(
      ErrorCode code,
      @Nullable String field,
      String detail,
      @Nullable Duration retryAfter,
      @Nullable List<PresentDevice> devices) {
    super(detail, null, false, false);
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
    this.devices = devices;
  }

  /// `invalid_field`, naming the field by its path.
  public static Refusal invalidField(String field, String detail) {
    return new Refusal(ErrorCode.INVALID_FIELD, field, detail);
  }

  /// `invalid_field` for a field that nobody asked for. Its name is the client's and may be of any
  /// length: it is cut.
  public static Refusal unknownField(String path) {
    String shown =
        path.codePoints()
            .limit(SHOWN_LENGTH)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    return invalidField(shown, "is not known");
  }

  /// `not_found` for a room that is not there, or that the caller may not know of.
  public static Refusal noSuchRoom() {
    return new Refusal(ErrorCode.NOT_FOUND, "no such room");
  }

  /// `precondition_failed`: the thing is in another state than the caller has seen.
  public static Refusal changed() {
    return new Refusal(ErrorCode.PRECONDITION_FAILED, "it has changed since");
  }

  /// `device_mismatch`: what is said of the devices of a room is not so.
  ///
  /// @param present those that it has
  public static Refusal deviceMismatch(List<PresentDevice> present) {
    return new Refusal(
        ErrorCode.DEVICE_MISMATCH, null, "the devices of the room are others", null, present);
  }

  /// `unavailable`: a dependency is away, the same request may succeed later.
  public static Refusal unavailable(String detail) {
    return new Refusal(ErrorCode.UNAVAILABLE, detail);
  }

  public ErrorCode code() {
    return code;
  }

  /// Path of the field at fault, such as `device.name`.
  public Optional<String> field() {
    return Optional.ofNullable(field);
  }

  /// A text for people.
  public String detail() {
    return String.valueOf(getMessage());
  }

  /// When to try again, where that is known.
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /// The devices of the room, for a caller that knows others.
  public Optional<List<PresentDevice>> devices() {
    return Optional.ofNullable(devices);
  }
}
