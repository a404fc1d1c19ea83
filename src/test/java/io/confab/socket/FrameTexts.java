package io.confab.socket;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Makes what clients might send as a text frame, from a valid one that is altered where it
/// hurts (in tokens of JSON, then in bytes) to noise. The same numbers make the same bytes.
final class FrameTexts {
  /// At least one frame of each kind.
  static final List<String> VALID =
      List.of(
          """
          {"type":"hello","id":"1","token":"eyJ0.e30.c2ln","device":\
          {"device_id":"d","name":"Laptop","platform":"web"}}\
          """,
          "{\"type\":\"hello\",\"ticket\":\"dGlja2V0\"}",
          "{\"type\":\"room.enter\",\"id\":\"6\",\"room_id\":\"r\",\"place\":\"cGxhY2U\"}",
          "{\"type\":\"room.exit\",\"id\":\"7\",\"room_id\":\"r\"}",
          """
          {"type":"envelope.send","id":"14","room_id":"r","client_id":"c-1",\
          "devices":"0123456789abcdef","payload":"cGF5bG9hZA","envelopes":[{"account_id":\
          "0000000000011","device_id":"d","registration_id":5,"body":"a2V5"}],"silent":true,\
          "expires_in_s":3600}\
          """,
          "{\"type\":\"queue.open\",\"id\":\"15\",\"epoch\":1,\"after\":6}",
          "{\"type\":\"queue.ack\",\"id\":\"16\",\"queue_seq\":7}",
          "{\"type\":\"queue.reject\",\"id\":\"17\",\"queue_seq\":7,\"reason\":\"r\"}",
          """
          {"type":"resume","id":"2","last":true,"rooms":[{"room_id":"017rez1p1tv32","epoch":1,\
          "rev":0},{"room_id":"b","epoch":2,"rev":17}]}\
          """,
          """
          {"type":"message.send","id":"3","room_id":"017rez1p1tv32","client_id":"c-1",\
          "body":"Gr\u00fc\u00dfe \\ud83d\\ude00","local_id":"l","msg_type":"text","reply_to":4,\
          "topic":"News"}\
          """,
          """
          {"type":"message.edit","id":"4","room_id":"017rez1p1tv32","seq":3,"client_id":"c-2",\
          "body":"Better"}\
          """,
          "{\"type\":\"message.delete\",\"id\":\"5\",\"room_id\":\"017rez1p1tv32\",\"seq\":3}",
          "{\"type\":\"token\",\"id\":\"6\",\"token\":\"eyJ0.e30.c2ln\"}",
          "{\"type\":\"typing\",\"id\":\"8\",\"room_id\":\"017rez1p1tv32\"}",
          "{\"type\":\"read\",\"id\":\"10\",\"room_id\":\"017rez1p1tv32\",\"seq\":3}",
          "{\"type\":\"delivered\",\"id\":\"11\",\"room_id\":\"017rez1p1tv32\",\"seq\":3}",
          "{\"type\":\"mark_unread\",\"id\":\"12\",\"room_id\":\"017rez1p1tv32\",\"seq\":2}",
          "{\"type\":\"typing.stop\",\"id\":\"9\",\"room_id\":\"017rez1p1tv32\"}",
          "{\"type\":\"presence.watch\",\"id\":\"10\",\"accounts\":[\"017rez1p1tv32\"],"
              + "\"rooms\":[\"017rez1p1tv32\"]}",
          "{\"type\":\"presence.set\",\"id\":\"11\",\"status\":\"away\",\"text\":\"Lunch\"}",
          "{\"type\":\"ping\",\"id\":\"7\"}",
          "{\"type\":\"bye\"}");

  private static final Pattern TOKEN =
      Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|[{}\\[\\],:]|[^\\s{}\\[\\],:\"]+");

  private static final List<List<String>> TOKENS =
      VALID.stream()
          .map(text -> TOKEN.matcher(text).results().map(MatchResult::group).toList())
          .toList();

  private static final List<String> ODD =
      List.of(
          "null",
          "true",
          "false",
          "0",
          "-0",
          "-1",
          "1.5",
          "1e400",
          "1E-400",
          "9007199254740993",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775809",
          "NaN",
          "+1",
          "01",
          "0x10",
          "1".repeat(101),
          "1".repeat(5_000),
          "0." + "1".repeat(200),
          "{}",
          "[]",
          "[{}]",
          "\"\"",
          "\" \"",
          "'x'",
          "\"\\ud800\"",
          "\"\\udc00\\ud800\"",
          "\"\\u0000\"",
          "\"\u0001\"",
          "\"\\u202e\\u2066\"",
          "\"\\u2028\"",
          "\"\ufeff\"",
          "\"\\x41\"",
          "\"\\",
          "\"" + "a".repeat(65) + "\"",
          "\"" + "\u00e9".repeat(9_000) + "\"",
          "\"" + "\\ud800".repeat(70) + "\"",
          "\"text\"",
          "\"image\"",
          "\"system\"",
          "\"type\"",
          "\"id\"",
          "\"body\"",
          "\"client_id\"",
          "\"__proto__\"",
          "\"message.send\"",
          "\"unknown\"",
          "{\"$ne\":1}",
          "[".repeat(33),
          "[".repeat(3_000),
          "{\"a\":".repeat(40),
          "/* */",
          "#",
          "//",
          "\u00a0",
          ",",
          ":",
          "}",
          "]",
          "{",
          "[");

  private static final int ALTERED_TOKENS = 6;
  private static final int ALTERED_BYTES = 3;
  private static final int NOISE = 300;

  private FrameTexts() {}

  static byte[] make(SplittableRandom random) {
    return switch (random.nextInt(16)) {
      case 0 -> noise(random, random.nextInt(NOISE));
      case 1 -> bytes(pick(random, VALID));
      case 2, 3, 4 -> inBytes(random, bytes(pick(random, VALID)));
      case 5, 6 -> inBytes(random, bytes(inTokens(random)));
      case 7, 8, 9 -> bytes(inTokens(random));
      default -> bytes(inValues(random));
    };
  }

  private static byte[] noise(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static String inTokens(SplittableRandom random) {
    List<String> tokens = tokens(random);
    for (int i = 1 + random.nextInt(ALTERED_TOKENS); i > 0 && !tokens.isEmpty(); i--) {
      alterToken(random, tokens);
    }
    return String.join(random.nextInt(8) == 0 ? "\n\t " : "", tokens);
  }

  /// Another value here and there, perhaps a field more: what comes is mostly JSON still.
  private static String inValues(SplittableRandom random) {
    List<String> tokens = tokens(random);
    int values = 1 + random.nextInt(2);
    for (int i = 0; i < values; i++) {
      int at = 1 + random.nextInt(tokens.size() - 1);
      if (tokens.get(at - 1).equals(":") && !"{[".contains(tokens.get(at))) {
        tokens.set(at, pick(random, ODD));
      }
    }
    if (random.nextInt(4) == 0) {
      repeatField(random, tokens);
    }
    return String.join("", tokens);
  }

  private static List<String> tokens(SplittableRandom random) {
    return new ArrayList<>(TOKENS.get(random.nextInt(TOKENS.size())));
  }

  private static void alterToken(SplittableRandom random, List<String> tokens) {
    int at = random.nextInt(tokens.size());
    switch (random.nextInt(8)) {
      case 0 -> tokens.remove(at);
      case 1 -> tokens.add(at, pick(random, ODD));
      case 2 -> tokens.add(at, tokens.get(random.nextInt(tokens.size())));
      case 3 -> tokens.set(at, tokens.get(random.nextInt(tokens.size())));
      case 4 -> repeatField(random, tokens);
      case 5 -> tokens.addAll(at, tokens(random));
      default -> tokens.set(at, pick(random, ODD));
    }
  }

  /// Adds a field to the outer object: known or not, perhaps for the second time.
  private static void repeatField(SplittableRandom random, List<String> tokens) {
    String name = tokens.get(random.nextInt(tokens.size()));
    String quoted = name.startsWith("\"") ? name : "\"" + "x".repeat(random.nextInt(200)) + "\"";
    tokens.addAll(1 % tokens.size(), List.of(quoted, ":", pick(random, ODD), ","));
  }

  private static byte[] inBytes(SplittableRandom random, byte[] text) {
    byte[] bytes = text;
    for (int i = 1 + random.nextInt(ALTERED_BYTES); i > 0; i--) {
      bytes = alterBytes(random, bytes);
    }
    return bytes;
  }

  private static byte[] alterBytes(SplittableRandom random, byte[] bytes) {
    if (bytes.length == 0) {
      return noise(random, 1);
    }
    int at = random.nextInt(bytes.length);
    int end = at + random.nextInt(bytes.length - at);
    return switch (random.nextInt(4)) {
      case 0 -> join(bytes, 0, at, noise(random, 1 + random.nextInt(4)), bytes, at + 1);
      case 1 -> join(bytes, 0, at, noise(random, random.nextInt(8)), bytes, at);
      case 2 -> join(bytes, 0, at, new byte[0], bytes, end);
      default -> join(bytes, 0, end, new byte[0], bytes, at);
    };
  }

  private static byte[] join(byte[] a, int from, int to, byte[] middle, byte[] b, int rest) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(a, from, to - from);
    out.writeBytes(middle);
    out.write(b, Math.min(rest, b.length), Math.max(0, b.length - rest));
    return out.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String pick(SplittableRandom random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }
}
