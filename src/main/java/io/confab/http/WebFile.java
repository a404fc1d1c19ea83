package io.confab.http;

import io.confab.config.Sha256;
import io.confab.protocol.EntityTag;
import io.vertx.core.buffer.Buffer;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A file of the web client, and its gzip where that is smaller. Held once a process; its bytes are
/// never changed.
final class WebFile {
  /// The hash of their content is in the names of the files there.
  static final String HASHED = "assets/";

  private static final String FOR_EVER = "public, max-age=31536000, immutable";
  private static final String ASK_EACH_TIME = "no-cache";
  private static final int TAG_BYTES = 16;
  private static final Map<String, String> TYPES =
      Map.of(
          "css", "text/css; charset=utf-8",
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "png", "image/png",
          "svg", "image/svg+xml",
          "webmanifest", "application/manifest+json",
          "woff2", "font/woff2");

  private final String path;
  private final String contentType;
  private final Buffer plain;
  private final @Nullable Buffer gzip;
  private final String tag;

  /// @param path below the folder of the client, such as `assets/app-1A2B3C4D.js`
  WebFile(String path, byte[] plain, byte @Nullable [] gzip) {
    this.path = path;
    String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
    if (type == null) {
      throw new IllegalStateException("a file of the web client has no content type: " + path);
    }
    this.contentType = type;
    this.plain = Buffer.buffer(plain);
    this.gzip = gzip == null ? null : Buffer.buffer(gzip);
    this.tag = HexFormat.of().formatHex(Sha256.start().digest(plain), 0, TAG_BYTES);
  }

  String path() {
    return path;
  }

  String contentType() {
    return contentType;
  }

  /// What may be kept of it (RFC 9111 §5.2.2, RFC 8246).
  String cacheControl() {
    return path.startsWith(HASHED) ? FOR_EVER : ASK_EACH_TIME;
  }

  boolean hasGzip() {
    return gzip != null;
  }

  /// The name of its content, another one for the gzip (RFC 9110 §8.8.3).
  ///
  /// @param zipped whether the gzip is meant, where there is one
  EntityTag tag(boolean zipped) {
    return new EntityTag(zipped && hasGzip() ? tag + "-gzip" : tag);
  }

  /// Its bytes, which are not copied, for one answer.
  Buffer content(boolean zipped) {
    return (zipped && gzip != null ? gzip : plain).slice();
  }
}
