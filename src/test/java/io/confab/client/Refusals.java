package io.confab.client;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresentDevice;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Refusals as a server answers them, for tests of other packages.
public final class Refusals {
  private Refusals() {}

  public static ApiException of(ErrorCode code) {
    return of(code, null);
  }

  public static ApiException of(ErrorCode code, @Nullable String field) {
    return new ApiException(
        code.wire(), field, "as the test wants it", code.httpStatus(), code.retryable(), null);
  }

  public static ApiException after(ErrorCode code, Duration retryAfter) {
    return new ApiException(
        code.wire(), null, "later", code.httpStatus(), code.retryable(), retryAfter);
  }

  public static ApiException mismatch(List<PresentDevice> present) {
    return of(ErrorCode.DEVICE_MISMATCH).naming(present);
  }

  public static ApiException unreachable() {
    return ApiException.local(ApiException.UNREACHABLE, "no server answered");
  }
}
