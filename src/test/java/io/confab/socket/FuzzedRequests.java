package io.confab.socket;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Clients that send requests of every route, whole, with odd values, or with bytes altered
/// anywhere, several on each connection. For any thread.
final class FuzzedRequests {
  private static final int PATIENCE_MS = 30_000;
  private static final int BENT_PATIENCE_MS = 300;
  private static final int MOST_TOGETHER = 8;
  private static final byte[] LAST =
      "GET /v1/last HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private static final String SEND = "{\"client_id\":\"c\",\"body\":\"b\"}";
  private static final List<String> ROUTES =
      List.of(
          "POST /v1/accounts {\"handle\":\"fuzzed\",\"password\":\"long enough\"}",
          "POST /v1/tokens {\"handle\":\"person0\",\"password\":\"wrong\"}",
          "POST /v1/tokens/refresh {\"refresh_token\":\"abc\"}",
          "POST /v1/tickets {}",
          "GET /v1/me ",
          "PATCH /v1/me {\"display_name\":\"Fuzz\"}",
          "GET /v1/devices ",
          "DELETE /v1/devices/none ",
          "GET /v1/blocks ",
          "PUT /v1/blocks/0000000000007 {}",
          "GET /v1/admin/accounts?handle=a ",
          "GET /v1/rooms ",
          "GET /v1/rooms?after=0000000000007&limit=3 ",
          "POST /v1/rooms {\"kind\":\"group\",\"name\":\"g\",\"members\":[]}",
          "GET /v1/rooms/ROOM ",
          "PATCH /v1/rooms/ROOM {\"name\":\"n\",\"slow_mode\":0}",
          "GET /v1/channels?query=f ",
          "GET /v1/rooms/ROOM/members?after=x ",
          "POST /v1/rooms/ROOM/members {\"account_ids\":[\"0000000000007\"]}",
          "POST /v1/rooms/ROOM/join {}",
          "GET /v1/rooms/ROOM/bans ",
          "PUT /v1/rooms/ROOM/mutes/0000000000007 {\"until\":1}",
          "GET /v1/rooms/ROOM/audit ",
          "POST /v1/rooms/ROOM/invites {\"uses\":3}",
          "GET /v1/invites/abc ",
          "GET /v1/rooms/ROOM/messages?before=7&limit=3 ",
          "POST /v1/rooms/ROOM/messages " + SEND,
          "PATCH /v1/rooms/ROOM/messages/1 " + SEND,
          "DELETE /v1/rooms/ROOM/messages/1 ",
          "GET /v1/rooms/ROOM/messages/1/versions ",
          "GET /v1/rooms/ROOM/events?after=1&limit=2 ",
          "OPTIONS /v1/rooms ",
          "GET /v1/socket ");

  private final int port;
  private final String room;
  private final long seed;
  private final long most;
  private final AtomicLong next = new AtomicLong();
  private final Map<String, Long> answers = new TreeMap<>();
  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

  /// @param most requests
  FuzzedRequests(int port, String room, long seed, long most) {
    this.port = port;
    this.room = room;
    this.seed = seed;
    this.most = most;
  }

  /// Until all requests are sent.
  void run(String token) {
    while (next.get() < most && faults.isEmpty()) {
      SplittableRandom random = new SplittableRandom(seed - next.get());
      ByteArrayOutputStream requests = new ByteArrayOutputStream();
      int together = 1 + random.nextInt(MOST_TOGETHER);
      boolean bent = random.nextInt(3) == 0;
      for (int i = 0; i < together; i++) {
        next.incrementAndGet();
        requests.writeBytes(request(random, token));
      }
      if (bent) {
        exchange(altered(random, requests.toByteArray()), BENT_PATIENCE_MS);
      } else {
        exchange(requests.toByteArray(), PATIENCE_MS);
      }
    }
  }

  private byte[] request(SplittableRandom random, String token) {
    String[] route = ROUTES.get(random.nextInt(ROUTES.size())).replace("ROOM", room).split(" ", 3);
    byte[] body =
        route[2].isEmpty() || random.nextInt(4) > 0
            ? route[2].getBytes(StandardCharsets.UTF_8)
            : FrameTexts.make(random);
    String path = random.nextInt(4) > 0 ? route[1] : oddPath(random, route[1]);
    String head =
        "%s %s HTTP/1.1\r\nhost: a\r\nauthorization: Bearer %s\r\ncontent-type: application/json\r\n"
            .formatted(route[0], path, token);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    boolean chunked = body.length > 0 && random.nextInt(4) == 0;
    String framing =
        chunked
            ? "transfer-encoding: chunked\r\n\r\n" + Integer.toHexString(body.length) + "\r\n"
            : "content-length: " + body.length + "\r\n\r\n";
    all.writeBytes((head + framing).getBytes(StandardCharsets.ISO_8859_1));
    all.writeBytes(body);
    all.writeBytes((chunked ? "\r\n0\r\n\r\n" : "").getBytes(StandardCharsets.ISO_8859_1));
    return all.toByteArray();
  }

  private static String oddPath(SplittableRandom random, String path) {
    List<String> odd =
        List.of(
            "%", "%00", "%2e%2e/", "//", "?", "&", "=", "%ff", "9223372036854775808", "-1", "'");
    int at = random.nextInt(path.length() + 1);
    return path.substring(0, at) + odd.get(random.nextInt(odd.size())) + path.substring(at);
  }

  private static byte[] altered(SplittableRandom random, byte[] bytes) {
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] =
          random.nextBoolean()
              ? (byte) random.nextInt(256)
              : (byte) "\r\n :;/\0%".charAt(random.nextInt(8));
    }
    return bytes;
  }

  /// Reads until the server closes, after the last answer or after what it cannot read.
  ///
  /// @param patienceMs after which it is told that nothing follows, as it may wait for more
  private void exchange(byte[] requests, int patienceMs) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(patienceMs);
      socket.getOutputStream().write(requests);
      socket.getOutputStream().write(LAST);
      read(whatIsSaid(socket));
      if (!ended(socket)) {
        faults.add("hangs: " + new JsonObject().put("requests", requests).encode());
      }
    } catch (IOException _) {
      // the server has closed while it was written to
    }
  }

  private static String whatIsSaid(Socket socket) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(said);
    } catch (SocketTimeoutException _) {
      if (socket.getSoTimeout() == BENT_PATIENCE_MS) {
        socket.shutdownOutput();
        socket.setSoTimeout(PATIENCE_MS);
      }
    }
    return said.toString(StandardCharsets.ISO_8859_1);
  }

  private static boolean ended(Socket socket) throws IOException {
    try {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      return true;
    } catch (SocketTimeoutException _) {
      return false;
    }
  }

  private void read(String said) {
    for (String answer : said.split("HTTP/1\\.[01] ", -1)) {
      String status = answer.substring(0, Math.min(3, answer.length()));
      if (status.matches("\\d{3}")) {
        synchronized (answers) {
          answers.merge(status, 1L, Long::sum);
        }
      }
      if (status.equals("500")) {
        faults.add(answer);
      }
    }
  }

  void requireNoFault() {
    @Nullable String fault = faults.peek();
    if (fault != null) {
      throw new UncheckedIOException(new IOException(fault));
    }
  }

  @Override
  public String toString() {
    synchronized (answers) {
      return String.format(Locale.ROOT, "%,d requests, answered %s", next.get(), answers);
    }
  }
}
