package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// A process that opens what a queue brings, to be killed: it says its position, then each line of
/// its input is an envelope, and each line of its output a text that it shows.
final class QueueReader {
  private QueueReader() {}

  public static void main(String[] args) throws Exception {
    SealedDevice device =
        SealedDevice.open(
            SealedStore.open(Path.of(args[0])), AccountId.parse(args[1]), new DeviceId(args[2]));
    say(device.position().orElseThrow().queueSeq().toString());
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        Received received =
            SealedJson.kept(line.getBytes(StandardCharsets.UTF_8), Received.Envelope.class);
        Talker.shown(device.open(List.of(received))).forEach(QueueReader::say);
      }
    }
  }

  private static void say(String text) {
    System.out.println(text);
    System.out.flush();
  }
}
