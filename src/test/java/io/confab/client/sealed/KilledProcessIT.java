package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.QueueSeq;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that is really killed, wherever it stands in opening the next of its queue.
class KilledProcessIT {
  private final HonestServer server = new HonestServer();

  @Test
  @Tag("brief")
  void aProcessThatIsKilledLosesNothingAndShowsNothingTwice(@TempDir Path temp) throws IOException {
    killed(temp, 20);
  }

  @Test
  @Tag("full")
  void aProcessThatIsKilledTwoHundredTimesLosesNothingAndShowsNothingTwice(@TempDir Path temp)
      throws IOException {
    killed(temp, 200);
  }

  private void killed(Path temp, int kills) throws IOException {
    Random random = new Random(kills);
    List<String> said = new ArrayList<>(List.of("line 0"));
    List<String> shown = new ArrayList<>();
    Talker alice = Talker.first(server, temp, 17, "a");
    Talker bob = Talker.first(server, temp, 18, "b");
    AccountId[] both = {alice.account(), bob.account()};
    alice.ask(both);
    bob.ask(both);
    bob.close();
    alice.say(said.getFirst(), both);
    QueueReaders readers = new QueueReaders(temp);
    shown.addAll(shownByOneThatEnds(readers, temp, bob));
    for (int i = 0; i < kills; i++) {
      for (int j = 0; j < 4; j++) {
        said.add("line " + said.size());
        alice.say(said.getLast(), both);
      }
      shown.addAll(shownBeforeItIsKilled(readers, temp, bob, random.nextInt(4)));
    }
    bob.restartClosed();
    bob.hear();
    assertThat(bob.texts()).isEqualTo(said);
    assertThat(shown).doesNotHaveDuplicates().isSubsetOf(said);
    alice.close();
    bob.close();
  }

  private List<String> shownByOneThatEnds(QueueReaders readers, Path temp, Talker bob)
      throws IOException {
    Process process = readers.start(temp.resolve("18b"), bob);
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      QueueSeq position = new QueueSeq(Long.parseLong(output.readLine()));
      give(process, server.queueAfter(bob.place, position));
      process.outputWriter(StandardCharsets.UTF_8).close();
      List<String> shown = output.lines().toList();
      process.onExit().join();
      return shown;
    } finally {
      process.destroyForcibly();
    }
  }

  /// Gives a process all that its queue has, and kills it when it has shown so many texts.
  private List<String> shownBeforeItIsKilled(QueueReaders readers, Path temp, Talker bob, int most)
      throws IOException {
    Process process = readers.start(temp.resolve("18b"), bob);
    List<String> shown = new ArrayList<>();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      QueueSeq position = new QueueSeq(Long.parseLong(output.readLine()));
      give(process, server.queueAfter(bob.place, position));
      while (shown.size() < most) {
        shown.add(output.readLine());
      }
      // By its handle, which leaves what it said to be read.
      process.toHandle().destroyForcibly();
      output.lines().forEach(shown::add);
    } finally {
      process.destroyForcibly().onExit().join();
    }
    return shown;
  }

  private static void give(Process process, List<Received> queue) throws IOException {
    BufferedWriter input = process.outputWriter(StandardCharsets.UTF_8);
    input.write(
        queue.stream()
            .map(received -> new String(SealedJson.keep(received), StandardCharsets.UTF_8) + "\n")
            .collect(Collectors.joining()));
    input.flush();
  }
}
