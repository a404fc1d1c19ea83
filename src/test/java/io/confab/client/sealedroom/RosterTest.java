package io.confab.client.sealedroom;

import static io.confab.client.sealedroom.MemoryServer.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.OwnKeys;
import io.confab.client.Refusals;
import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.Warning;
import io.confab.protocol.AccountId;
import io.confab.protocol.Opaque;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RosterTest {
  private final MemoryServer server = new MemoryServer();
  private Person ann;
  private Person bob;

  @BeforeEach
  void meet(@TempDir Path temp) {
    ann = Person.ready(server, temp, 17, "a");
    bob = Person.ready(server, temp, 18, "b");
    server.members.addAll(List.of(ann.account, bob.account));
    server.asked.clear();
  }

  @AfterEach
  void part() {
    ann.close();
    bob.close();
  }

  @Test
  void aRoomIsAskedForOnceAndAgainWhenSomethingChanged() {
    assertThat(ann.roster.of(ROOM).result().accounts()).isEqualTo(server.members);
    ann.roster.of(ROOM);
    assertThat(server.asked).containsExactly("members", "query");
    ann.roster.changed(ROOM);
    ann.roster.of(ROOM);
    assertThat(server.asked).containsExactly("members", "query", "members");
    ann.roster.changed(bob.account, server.version(bob.account));
    ann.roster.of(ROOM);
    assertThat(server.asked).hasSize(3);
    ann.roster.changed(bob.account, server.version(bob.account) + 1);
    ann.roster.of(ROOM);
    assertThat(server.asked).endsWith("query").hasSize(4);
    ann.roster.doubtAll();
    ann.roster.of(ROOM);
    assertThat(server.asked).endsWith("members", "query").hasSize(6);
  }

  @Test
  void withoutAConnectionTheOwnAccountIsAskedForEachTimeAndOthersOnce() {
    ann.roster.of(ROOM);
    ann.roster.lost();
    server.asked.clear();
    List<Integer> asked = new ArrayList<>();
    server.told =
        known -> {
          asked.add(known.accounts().size());
          return known;
        };
    ann.roster.of(ROOM);
    ann.roster.of(ROOM);
    assertThat(server.asked).containsExactly("members", "query", "query");
    assertThat(asked).containsExactly(2, 1);
    ann.roster.connected();
    ann.roster.of(ROOM);
    ann.roster.of(ROOM);
    assertThat(asked).containsExactly(2, 1, 2);
  }

  @Test
  void manyAreAskedForInPagesAndThoseWithoutAnAnswerAgain() {
    List<AccountId> many = LongStream.range(100, 800).mapToObj(AccountId::new).toList();
    List<Integer> pages = new ArrayList<>();
    Set<AccountId> answered = new HashSet<>();
    server.told =
        known -> {
          List<OwnKeys.Keys> all = known.accounts();
          pages.add(all.size());
          int half = (all.size() + 1) / 2;
          all.subList(0, half).forEach(keys -> answered.add(keys.accountId()));
          return new OwnKeys.Known(
              all.subList(0, half),
              all.subList(half, all.size()).stream().map(OwnKeys.Keys::accountId).toList());
        };
    assertThat(ann.roster.learn(many).succeeded()).isTrue();
    assertThat(answered).containsExactlyInAnyOrderElementsOf(many);
    assertThat(pages).allMatch(page -> page <= Roster.ACCOUNTS_A_CALL);
    int calls = pages.size();
    ann.roster.learn(many);
    assertThat(pages).hasSize(calls);
  }

  @Test
  void aServerThatAnswersNothingIsNotAskedForEver() {
    server.told =
        known ->
            new OwnKeys.Known(
                List.of(), known.accounts().stream().map(OwnKeys.Keys::accountId).toList());
    assertThat(ann.roster.of(ROOM).failed()).isTrue();
    assertThat(server.count("query")).isEqualTo(1);
  }

  @Test
  void whoIsLeftOutOfAnAnswerHasNoDevices() {
    ann.roster.of(ROOM);
    assertThat(ann.sealed.devices(bob.account)).hasSize(1);
    server.told = _ -> new OwnKeys.Known(List.of(), null);
    ann.roster.doubtAll();
    assertThat(ann.roster.of(ROOM).succeeded()).isTrue();
    assertThat(ann.sealed.devices(bob.account)).isEmpty();
    ann.roster.of(ROOM);
    assertThat(server.count("query")).isEqualTo(2);
  }

  @Test
  void whatIsNotBelievedIsTold() {
    ann.roster.of(ROOM);
    server.told =
        known ->
            new OwnKeys.Known(
                known.accounts().stream()
                    .map(
                        keys ->
                            new OwnKeys.Keys(
                                keys.accountId(),
                                keys.version(),
                                new Opaque("no identity"),
                                keys.devices()))
                    .toList(),
                null);
    ann.roster.doubt(List.of(bob.account));
    ann.roster.of(ROOM);
    assertThat(ann.warnings).contains(new Warning(bob.account, null, Doubt.MALFORMED));
  }

  @Test
  void aQuestionThatFailedIsAskedAgain() {
    server.refuse("query", Refusals.unreachable());
    assertThat(ann.roster.of(ROOM).failed()).isTrue();
    assertThat(ann.roster.of(ROOM).succeeded()).isTrue();
    assertThat(server.count("query")).isEqualTo(2);
  }

  @Test
  void anAnswerThatARoomOutranIsNotKept() {
    server.asking =
        () -> {
          server.asking = () -> {};
          server.expiresInS = 30;
          ann.roster.changed(ROOM);
        };
    ann.roster.of(ROOM);
    assertThat(ann.roster.of(ROOM).result().expiresInS()).isEqualTo(30);
  }

  @Test
  void aDoubtedRoomIsAskedForWithItsDevicesAlsoWhereTheAnswerWasNotKept() {
    server.asking =
        () -> {
          server.asking = () -> {};
          ann.roster.changed(ROOM);
        };
    ann.roster.of(ROOM);
    server.asked.clear();
    ann.roster.doubt(ROOM);
    ann.roster.of(ROOM);
    assertThat(server.asked).containsExactly("members", "query");
  }

  @Test
  void aDeviceOfAnotherSuiteIsToldAsOne() {
    server.told =
        known ->
            new OwnKeys.Known(
                known.accounts().stream()
                    .map(
                        keys ->
                            new OwnKeys.Keys(
                                keys.accountId(),
                                keys.version(),
                                keys.identity(),
                                keys.devices().stream()
                                    .map(
                                        device ->
                                            new OwnKeys.Device(
                                                device.deviceId(),
                                                device.registrationId(),
                                                "other1",
                                                device.identity()))
                                    .toList()))
                    .toList(),
                null);
    ann.roster.learn(List.of(bob.account));
    assertThat(ann.warnings).containsExactly(new Warning(bob.account, bob.name, Doubt.OTHER_SUITE));
  }
}
