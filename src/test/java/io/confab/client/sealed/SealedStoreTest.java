package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedStoreTest {
  private static final int TRANSACTIONS = 12;

  private Path temp;

  @BeforeEach
  void find(@TempDir Path folder) {
    temp = folder;
  }

  @Test
  void whatWasKeptIsThereAfterOpeningAnew() {
    try (SealedStore store = SealedStore.open(temp)) {
      put(store, "a", "one");
      put(store, "b", "two");
      put(store, "a", "three");
      store.change(
          changes -> {
            changes.remove("b");
            changes.put("empty", new byte[0]);
          });
    }
    try (SealedStore store = SealedStore.open(temp)) {
      assertThat(contents(store)).isEqualTo(Map.of("a", "three", "empty", ""));
    }
  }

  @Test
  void aTransactionSeesItsOwnChangesAndNobodyElseDoesBeforeItIsKept() {
    try (SealedStore store = SealedStore.open(temp)) {
      put(store, "k/1", "old");
      put(store, "k/2", "stays");
      store.change(
          changes -> {
            changes.put("k/3", bytes("new"));
            changes.remove("k/1");
            assertThat(changes.keys("k/")).containsExactly("k/2", "k/3");
            assertThat(changes.get("k/1")).isEmpty();
            assertThat(changes.get("k/3")).hasValue(bytes("new"));
            assertThat(store.keys("k/")).containsExactly("k/1", "k/2");
          });
      assertThat(store.keys("k/")).containsExactly("k/2", "k/3");
    }
  }

  @Test
  void nothingOfWorkThatThrowsIsKept() {
    try (SealedStore store = SealedStore.open(temp)) {
      put(store, "a", "one");
      assertThatThrownBy(
              () ->
                  store.transact(
                      changes -> {
                        changes.put("a", bytes("two"));
                        throw new Untrusted(Doubt.MALFORMED);
                      }))
          .isInstanceOf(Untrusted.class);
      assertThat(contents(store)).isEqualTo(Map.of("a", "one"));
      put(store, "b", "goes on");
    }
  }

  /// A machine that dies while it writes leaves the file with any length up to the last one.
  @Test
  void cutAtAnyByteTheFileHoldsTheWholeTransactionsBeforeIt() throws IOException {
    List<Map<String, String>> states = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    write(states, ends);
    byte[] whole = Files.readAllBytes(log());
    for (int length = 0; length <= whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThat(reopened(cut)).as("cut at %d", length).isEqualTo(state(states, ends, length));
    }
  }

  /// It may also leave blocks at its end that were promised and never written.
  @Test
  void whatWasNotWrittenAtTheEndMayBeZerosOrAnything() throws IOException {
    List<Map<String, String>> states = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    write(states, ends);
    byte[] whole = Files.readAllBytes(log());
    int before = ends.get(TRANSACTIONS - 1).intValue();
    Random random = new Random(4);
    for (int length = before; length < whole.length; length++) {
      byte[] zeros = Arrays.copyOf(Arrays.copyOf(whole, length), whole.length);
      byte[] rubbish = whole.clone();
      byte[] noise = new byte[whole.length - length];
      random.nextBytes(noise);
      System.arraycopy(noise, 0, rubbish, length, noise.length);
      assertThat(reopened(rubbish)).isEqualTo(states.get(TRANSACTIONS - 1));
      // Zeros may be what was to be written.
      assertThat(reopened(zeros))
          .isEqualTo(states.get(Arrays.equals(zeros, whole) ? TRANSACTIONS : TRANSACTIONS - 1));
    }
  }

  @Test
  void afterACutTheFileIsWrittenOnWithoutWhatWasCutOff() throws IOException {
    List<Map<String, String>> states = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    write(states, ends);
    byte[] whole = Files.readAllBytes(log());
    Files.write(log(), Arrays.copyOf(whole, whole.length - 3));
    try (SealedStore store = SealedStore.open(temp)) {
      put(store, "x", "y");
    }
    Map<String, String> expected = new TreeMap<>(states.get(TRANSACTIONS - 1));
    expected.put("x", "y");
    assertThat(reopened(Files.readAllBytes(log()))).isEqualTo(expected);
  }

  @Test
  void damageBeforeTheEndIsRefused() throws IOException {
    write(new ArrayList<>(), new ArrayList<>());
    byte[] whole = Files.readAllBytes(log());
    for (int at = 0; at < whole.length / 2; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      Files.write(log(), damaged);
      assertThatThrownBy(() -> SealedStore.open(temp).close())
          .as("damaged at %d", at)
          .hasCauseInstanceOf(DamagedStoreException.class);
      assertThat(Files.readAllBytes(log())).isEqualTo(damaged);
    }
  }

  @Test
  void aCopyThatWasNotFinishedIsNotLookedAt() throws IOException {
    List<Map<String, String>> states = new ArrayList<>();
    write(states, new ArrayList<>());
    Files.write(temp.resolve("sealed.log.new"), bytes("CONFABS1 half of something"));
    assertThat(reopened(Files.readAllBytes(log()))).isEqualTo(states.get(TRANSACTIONS));
    assertThat(temp.resolve("sealed.log.new")).doesNotExist();
  }

  @Test
  void whatIsPurgedIsInNoFile() throws IOException {
    try (SealedStore store = SealedStore.open(temp)) {
      put(store, "a", "a secret that is over");
      put(store, "b", "stays");
      store.transact(
          changes -> {
            changes.remove("a");
            return null;
          });
      store.purge();
      assertThat(contents(store)).isEqualTo(Map.of("b", "stays"));
      put(store, "c", "goes on");
      assertThat(contents(store)).isEqualTo(Map.of("b", "stays", "c", "goes on"));
    }
    assertThat(new String(Files.readAllBytes(log()), StandardCharsets.ISO_8859_1))
        .doesNotContain("over")
        .contains("stays");
    assertThat(reopened(Files.readAllBytes(log()))).isEqualTo(Map.of("b", "stays", "c", "goes on"));
  }

  @Test
  void theFileStaysSmallHoweverOftenAValueIsReplaced() throws IOException {
    byte[] value = new byte[64 << 10];
    try (SealedStore store = SealedStore.open(temp)) {
      for (int i = 0; i < 64; i++) {
        store.change(
            changes -> {
              changes.put("ratchet", value);
            });
        assertThat(Files.size(log())).isLessThan(2 * SealedStore.COPY_ABOVE);
      }
      assertThat(store.get("ratchet")).hasValue(value);
    }
  }

  @Test
  void onlyItsOwnerCanReadIt() throws IOException {
    Path folder = temp.resolve("made");
    try (SealedStore store = SealedStore.open(folder)) {
      put(store, "a", "one");
      put(store, "a", "two");
      store.purge();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
    try (var files = Files.list(folder)) {
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo("rw-------"));
    }
  }

  @Test
  void oneOpensItAtATime() {
    try (SealedStore store = SealedStore.open(temp)) {
      assertThatThrownBy(() -> SealedStore.open(temp))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("is in use");
      put(store, "a", "goes on");
    }
    SealedStore.open(temp).close();
  }

  /// The channel of a file fails and closes for a thread that is interrupted.
  @Test
  void aFailureOfTheDiskNamesTheFileAndIsForGood() {
    try (SealedStore store = SealedStore.open(temp)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> put(store, "a", "is lost"))
          .hasCauseInstanceOf(FileSystemException.class)
          .hasMessageContaining(log().toString());
      assertThat(Thread.interrupted()).isTrue();
      assertThatThrownBy(() -> put(store, "a", "is lost too"))
          .hasCauseInstanceOf(FileSystemException.class)
          .hasMessageContaining("it failed before");
    }
  }

  private void write(List<Map<String, String>> states, List<Long> ends) throws IOException {
    try (SealedStore store = SealedStore.open(temp)) {
      states.add(contents(store));
      ends.add(Files.size(log()));
      for (int i = 0; i < TRANSACTIONS; i++) {
        int number = i;
        store.change(
            changes -> {
              changes.put("last", bytes("v" + number));
              changes.put("line/" + number, bytes("text ".repeat(number)));
              changes.remove("line/" + (number - 3));
            });
        states.add(contents(store));
        ends.add(Files.size(log()));
      }
    }
  }

  private static Map<String, String> state(
      List<Map<String, String>> states, List<Long> ends, int length) {
    int whole = 0;
    while (whole < TRANSACTIONS && ends.get(whole + 1) <= length) {
      whole++;
    }
    return states.get(whole);
  }

  private Map<String, String> reopened(byte[] file) throws IOException {
    Files.write(log(), file);
    try (SealedStore store = SealedStore.open(temp)) {
      return contents(store);
    }
  }

  private static void put(SealedStore store, String key, String value) {
    store.change(
        changes -> {
          changes.put(key, bytes(value));
        });
  }

  private static Map<String, String> contents(SealedStore store) {
    Map<String, String> contents = new TreeMap<>();
    for (String key : store.keys("")) {
      contents.put(key, new String(store.get(key).orElseThrow(), StandardCharsets.UTF_8));
    }
    return contents;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Path log() {
    return temp.resolve("sealed.log");
  }
}
