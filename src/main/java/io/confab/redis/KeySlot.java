package io.confab.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The slot of a cluster in which a key, or a sharded channel, lies: CRC-16 (XMODEM) of the key, or
/// of its hash tag, modulo 16384
/// (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/).
final class KeySlot {
  static final int COUNT = 16_384;

  private static final int POLYNOMIAL = 0x1021;
  private static final int[] TABLE = table();

  private KeySlot() {}

  static int of(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    int open = indexOf(bytes, '{', 0);
    int close = open < 0 ? -1 : indexOf(bytes, '}', open + 1);
    boolean tagged = close > open + 1;
    return crc16(tagged ? Arrays.copyOfRange(bytes, open + 1, close) : bytes) % COUNT;
  }

  private static int indexOf(byte[] bytes, char sought, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == sought) {
        return i;
      }
    }
    return -1;
  }

  static int crc16(byte[] bytes) {
    int crc = 0;
    for (byte each : bytes) {
      crc = (crc << 8 ^ TABLE[(crc >>> 8 ^ each) & 0xff]) & 0xffff;
    }
    return crc;
  }

  private static int[] table() {
    int[] table = new int[256];
    for (int i = 0; i < table.length; i++) {
      int crc = i << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
      }
      table[i] = crc & 0xffff;
    }
    return table;
  }
}
