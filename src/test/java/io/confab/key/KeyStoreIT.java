package io.confab.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.key.KeyCommand.AccountKeys;
import io.confab.key.KeyCommand.ChangeIdentity;
import io.confab.key.KeyCommand.ClaimedKey;
import io.confab.key.KeyCommand.DeviceIdentity;
import io.confab.key.KeyCommand.DeviceKey;
import io.confab.key.KeyCommand.KnownDevice;
import io.confab.key.KeyCommand.KnownKeys;
import io.confab.key.KeyStore.Claim;
import io.confab.key.KeyStore.Signed;
import io.confab.key.KeyStore.Stored;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Opaque;
import io.confab.protocol.Suite;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Keys of devices, on a real database.
@ExtendWith(VertxExtension.class)
@Timeout(180)
class KeyStoreIT {
  private static final long ANN = 1;
  private static final long BOB = 2;
  private static final long EVE = 9;
  private static final Caller PHONE = KeyWorld.caller(ANN, "phone");
  private static final Caller LAPTOP = KeyWorld.caller(ANN, "laptop");
  private static final DeviceKey FALLBACK = new DeviceKey("f", new Opaque("fallback"));

  private final TestDatabase server = TestDatabase.create();
  private final KeyWorld world;

  KeyStoreIT(Vertx vertx) {
    world = new KeyWorld(vertx, server.nodeUrl(), KeyWorld.bounds());
    server.execute(
        KeyWorld.sealedRoom(1, ANN, BOB)
            + "INSERT INTO account (account_id, handle, display_name) VALUES (9, 'eve', 'Eve');"
            + KeyWorld.device(ANN, "phone")
            + KeyWorld.device(ANN, "laptop"));
  }

  @AfterEach
  void close() {
    world.close();
    server.close();
  }

  private KnownKeys query(long viewer, long... accounts) {
    return Futures.get(
        world
            .store()
            .find(
                new AccountId(viewer), LongStream.of(accounts).mapToObj(AccountId::new).toList()));
  }

  private List<ClaimedKey> claim(long claimer, Caller... devices) {
    return Futures.get(world.claim(claimer, devices)).stream().map(Claim::key).toList();
  }

  private void remove(Caller device) {
    server.execute(
        "DELETE FROM device WHERE account_id = %d AND device_id = '%s'"
            .formatted(device.account().value(), device.device()));
  }

  @Test
  void anUploadMayBeRepeatedAndKeepsWhatItKept() {
    Stored first = world.begin(PHONE, 50);
    Stored again = world.begin(PHONE, 50);

    assertThat(first.oneTimeKeys()).isEqualTo(50);
    assertThat(first.version()).isEqualTo(1);
    assertThat(again).isEqualTo(new Stored("done", 0, first.registration(), 50, null));
    assertThat(world.upload(PHONE, null, null, KeyWorld.keys("more", 0, 10)).oneTimeKeys())
        .isEqualTo(60);
  }

  @Test
  void aDormantDeviceIsNobodysTargetAndGivesNoKey() {
    world.begin(PHONE, 5);
    world.begin(LAPTOP, 5);
    server.execute(
        "UPDATE device_queue SET dormant = true WHERE registration_id = (SELECT registration_id"
            + " FROM device_key WHERE device_id = 'phone')");
    assertThat(query(BOB, ANN).accounts().getFirst().devices())
        .extracting(KnownDevice::deviceId)
        .containsExactly(LAPTOP.device());
    assertThat(claim(BOB, PHONE, LAPTOP)).hasSize(1);
    assertThat(server.count("SELECT count(*) FROM one_time_key")).isEqualTo(9);
  }

  @Test
  void noMoreThanAHundredKeysAreKept() {
    world.begin(PHONE, 70);
    assertThat(world.upload(PHONE, null, null, KeyWorld.keys("more", 0, 70)).oneTimeKeys())
        .isEqualTo(100);
    assertThat(server.count("SELECT count(*) FROM one_time_key WHERE key_id = 'more029'")).isOne();
    assertThat(server.count("SELECT count(*) FROM one_time_key WHERE key_id = 'more030'")).isZero();
  }

  @Test
  void whatIsWrongIsNamedAndNothingIsKept() {
    assertThat(world.upload(PHONE, null, FALLBACK, List.of()).outcome()).isEqualTo("no_identity");
    assertThat(world.upload(KeyWorld.caller(ANN, "none"), "i", FALLBACK, List.of()).outcome())
        .isEqualTo("no_device");
    world.begin(PHONE, 3);
    assertThat(world.upload(PHONE, "another", FALLBACK, List.of()).outcome())
        .isEqualTo("other_identity");
    List<DeviceKey> keys =
        List.of(
            new DeviceKey("new", new Opaque("new")),
            new DeviceKey("phone001", new Opaque("other")));
    Stored other = world.upload(PHONE, null, FALLBACK, keys);
    assertThat(other.outcome()).isEqualTo("other_key");
    assertThat(other.at()).isEqualTo(1);
    assertThat(server.count("SELECT count(*) FROM one_time_key")).isEqualTo(3);
    assertThat(server.count("SELECT count(*) FROM device_key WHERE fallback_id = 'f'")).isZero();
  }

  @Test
  void anIdentityIsFixedForTheIdOfADeviceAlsoAfterItsRemoval() {
    Stored first = world.begin(PHONE, 5);
    claim(BOB, PHONE);
    remove(PHONE);
    assertThat(server.count("SELECT count(*) FROM one_time_key")).isZero();
    assertThat(server.count("SELECT count(*) FROM device_key WHERE identity <> ''")).isZero();
    server.execute(KeyWorld.device(ANN, "phone"));

    assertThat(world.upload(PHONE, "another", FALLBACK, List.of()).outcome())
        .isEqualTo("other_identity");
    Stored again = world.begin(PHONE, 5);
    assertThat(again.outcome()).isEqualTo("done");
    assertThat(again.registration()).isGreaterThan(first.registration());
    assertThat(again.oneTimeKeys()).isEqualTo(5);
  }

  @Test
  void aKeyThatWasHandedOutIsNotKeptAgain() {
    world.begin(PHONE, 5);
    ClaimedKey taken = claim(BOB, PHONE).getFirst();

    assertThat(world.begin(PHONE, 5).oneTimeKeys()).isEqualTo(4);
    assertThat(Stream.generate(() -> claim(BOB, PHONE).getFirst()).limit(4).map(ClaimedKey::id))
        .doesNotContain(taken.id());
  }

  @Test
  void signingOutKeepsTheKeys() {
    world.begin(PHONE, 5);
    server.execute("UPDATE device SET family_id = NULL");
    assertThat(query(BOB, ANN).accounts().getFirst().devices()).hasSize(1);
    assertThat(claim(BOB, PHONE)).hasSize(1);
  }

  @Test
  void tenDevicesHaveKeysAndOneMoreOnceAnotherIsRemoved() {
    List<Caller> devices =
        IntStream.range(0, 11).mapToObj(i -> KeyWorld.caller(ANN, "d" + i)).toList();
    devices.forEach(d -> server.execute(KeyWorld.device(ANN, d.device().value())));
    devices.subList(0, 10).forEach(d -> world.begin(d, 1));

    assertThat(world.begin(devices.getLast(), 1).outcome()).isEqualTo("too_many");
    remove(devices.getFirst());
    assertThat(world.begin(devices.getLast(), 1).outcome()).isEqualTo("done");
  }

  @Test
  void devicesThatBeginAtOnceAreCountedToo() {
    List<Caller> devices =
        IntStream.range(0, 20).mapToObj(i -> KeyWorld.caller(ANN, "d" + i)).toList();
    devices.forEach(d -> server.execute(KeyWorld.device(ANN, d.device().value())));

    List<Future<Stored>> begun =
        devices.stream()
            .map(
                d ->
                    world
                        .database()
                        .transaction(
                            tx ->
                                world
                                    .store()
                                    .upload(
                                        tx,
                                        new KeyCommand.UploadKeys(
                                            d,
                                            new KeyCommand.KeyUpload(
                                                Suite.OLM1, new Opaque("i"), null, List.of())))))
            .toList();

    assertThat(begun.stream().map(Futures::get).map(Stored::outcome).filter("done"::equals))
        .hasSize(10);
    assertThat(server.count("SELECT count(*) FROM device_key")).isEqualTo(10);
  }

  @Test
  void peopleInASealedRoomSeeTheKeysAndNobodyElse() {
    world.begin(PHONE, 5);
    world.begin(LAPTOP, 5);

    assertThat(query(BOB, EVE, ANN, BOB).accounts())
        .extracting(AccountKeys::accountId)
        .containsExactly(new AccountId(ANN), new AccountId(BOB));
    assertThat(query(BOB, ANN).accounts().getFirst().devices())
        .extracting(KnownDevice::deviceId)
        .containsExactly(PHONE.device(), LAPTOP.device());
    assertThat(query(EVE, ANN, BOB).accounts()).isEmpty();
    assertThat(query(EVE, EVE).accounts())
        .containsExactly(new AccountKeys(new AccountId(EVE), 0, null, List.of()));
    assertThat(claim(EVE, PHONE)).isEmpty();
    assertThat(claim(BOB, PHONE, KeyWorld.caller(ANN, "none"), LAPTOP)).hasSize(2);
    assertThat(claim(ANN, PHONE)).hasSize(1);
    assertThat(server.count("SELECT count(*) FROM key_claim WHERE claimer_id = 9")).isZero();
  }

  @Test
  void aPlainRoomShowsNothing() {
    world.begin(PHONE, 5);
    server.execute(
        "UPDATE room SET encryption_suite = NULL, sealed_from_seq = NULL, sealed_from_rev = NULL");
    assertThat(query(BOB, ANN).accounts()).isEmpty();
    assertThat(claim(BOB, PHONE)).isEmpty();
  }

  @Test
  void whoLeftSeesNothingMore() {
    world.begin(PHONE, 5);
    server.execute("DELETE FROM room_member WHERE account_id = 2");
    assertThat(query(BOB, ANN).accounts()).isEmpty();
    assertThat(claim(BOB, PHONE)).isEmpty();
  }

  @Test
  void aDirectRoomInWhichOneBlocksTheOtherShowsNothing() {
    world.begin(PHONE, 5);
    server.execute("UPDATE room_position SET blocked = true");
    assertThat(query(BOB, ANN).accounts()).isEmpty();
    assertThat(claim(BOB, PHONE)).isEmpty();
  }

  @Test
  void aRemovedDeviceIsNotThere() {
    world.begin(PHONE, 5);
    remove(PHONE);
    AccountKeys ann = query(BOB, ANN).accounts().getFirst();
    assertThat(ann.devices()).isEmpty();
    assertThat(ann.version()).isEqualTo(2);
    assertThat(claim(BOB, PHONE)).isEmpty();
  }

  @Test
  void aDeviceIsClaimedFiveTimesADayByOneAccount() {
    world.begin(PHONE, 50);
    for (int i = 0; i < 5; i++) {
      assertThat(claim(BOB, PHONE).getFirst().key()).isNotNull();
    }
    ClaimedKey sixth = claim(BOB, PHONE).getFirst();
    assertThat(sixth.key()).isNull();
    assertThat(sixth.error()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(claim(ANN, PHONE).getFirst().key()).isNotNull();
    assertThat(server.count("SELECT count(*) FROM one_time_key")).isEqualTo(44);

    server.execute("UPDATE key_claim SET since = since - interval '1 day'");
    assertThat(claim(BOB, PHONE).getFirst().key()).isNotNull();
  }

  @Test
  void claimsThatComeAtOnceAreCountedToo() {
    world.begin(PHONE, 50);
    world.begin(LAPTOP, 50);
    List<Future<List<Claim>>> all =
        IntStream.range(0, 40)
            .mapToObj(
                i -> i % 2 == 0 ? world.claim(BOB, PHONE, LAPTOP) : world.claim(BOB, LAPTOP, PHONE))
            .toList();
    assertThat(
            all.stream()
                .map(Futures::get)
                .flatMap(List::stream)
                .filter(claim -> claim.outcome() == ClaimOutcome.ONE_TIME))
        .hasSize(10);
  }

  @Test
  void withoutAnyKeyTheAnswerHasNone() {
    world.upload(PHONE, "i", null, List.of());
    ClaimedKey none = claim(BOB, PHONE).getFirst();
    assertThat(none.key()).isNull();
    assertThat(none.error()).isNull();
  }

  @Test
  void aNewFallbackKeyIsUnused() {
    world.begin(PHONE, 0);
    assertThat(claim(BOB, PHONE).getFirst().fallback()).isTrue();
    assertThat(server.count("SELECT count(*) FROM device_key WHERE fallback_used")).isOne();
    world.begin(PHONE, 0);
    assertThat(server.count("SELECT count(*) FROM device_key WHERE fallback_used")).isOne();
    world.upload(PHONE, null, FALLBACK, List.of());
    assertThat(server.count("SELECT count(*) FROM device_key WHERE fallback_used")).isZero();
  }

  @Test
  void fewKeysAreFewerThanTwenty() {
    world.begin(PHONE, 21);
    Stored laptop = world.begin(LAPTOP, 20);
    long phone = server.count("SELECT min(registration_id) FROM device_key");
    assertThat(low(phone, laptop.registration())).isEmpty();
    claim(BOB, LAPTOP, PHONE);
    assertThat(low(phone, laptop.registration())).containsExactly(new KeyStore.Low(LAPTOP, 19));
  }

  private List<KeyStore.Low> low(Long... registrations) {
    return Futures.get(world.store().low(List.of(registrations)));
  }

  private Signed sign(Opaque identity, DeviceIdentity... devices) {
    return Futures.get(
        world
            .database()
            .transaction(
                tx ->
                    world
                        .store()
                        .sign(
                            tx,
                            new ChangeIdentity(new AccountId(ANN), identity, List.of(devices)))));
  }

  @Test
  void nobodySignsForAnAccountThatIsGone() {
    server.execute("UPDATE account SET removed_at = now() WHERE account_id = 1");

    assertThat(sign(new Opaque("late")).version()).isNull();
    assertThat(server.count("SELECT count(*) FROM account_identity")).isZero();
  }

  @Test
  void signaturesAreAddedToOwnDevicesAndTheVersionRisesOnce() {
    world.begin(PHONE, 1);
    DeviceIdentity signed = new DeviceIdentity(PHONE.device(), new Opaque("signed"));
    Opaque identity = new Opaque("account");

    assertThat(sign(identity, signed)).isEqualTo(new Signed(null, 2L, true));
    assertThat(sign(identity, signed)).isEqualTo(new Signed(null, 2L, false));
    AccountKeys ann = query(BOB, ANN).accounts().getFirst();
    assertThat(ann.version()).isEqualTo(2);
    assertThat(ann.identity()).isEqualTo(identity);
    assertThat(ann.devices().getFirst().identity()).isEqualTo(new Opaque("signed"));
    assertThat(world.begin(PHONE, 1).outcome()).as("the identity of the start").isEqualTo("done");
    assertThat(world.upload(PHONE, "signed", null, List.of()).outcome()).isEqualTo("done");
    assertThat(sign(new Opaque("other"), signed, new DeviceIdentity(new DeviceId("x"), identity)))
        .isEqualTo(new Signed(1, 2L, false));
    assertThat(query(BOB, ANN).accounts().getFirst().identity()).isEqualTo(identity);
  }

  @Test
  void anAnswerHasABoundAndNamesTheRest() {
    server.execute(KeyWorld.sealedRoom(2, 1, 60));
    server.execute(
        """
        INSERT INTO device (account_id, device_id, name, platform, has_keys)
          SELECT a, 'd' || d, 'd', 'test', true FROM generate_series(1, 60) a, generate_series(1, 9) d;
        INSERT INTO device_key (account_id, device_id, suite, identity, identity_hash)
          SELECT a, 'd' || d, 'olm1', repeat('i', 4096), '' FROM generate_series(1, 60) a, generate_series(1, 9) d;
        """);
    long[] everybody = LongStream.rangeClosed(1, 60).toArray();

    KnownKeys first = query(BOB, everybody);

    assertThat(first.accounts()).hasSize((1 << 19) / (9 * 4096));
    long[] rest =
        Objects.requireNonNull(first.rest()).stream().mapToLong(AccountId::value).toArray();
    assertThat(rest).hasSize(60 - first.accounts().size());
    assertThat(first.accounts().getLast().accountId().value()).isEqualTo(rest[0] - 1);
    assertThat(query(BOB, rest).accounts().getFirst().accountId().value()).isEqualTo(rest[0]);
  }

  @Test
  void aRemovedAccountLeavesNothing() {
    world.begin(PHONE, 5);
    sign(new Opaque("account"));
    Futures.get(
        world
            .database()
            .transaction(tx -> world.store().keep(tx, new AccountId(ANN), new Opaque("vault"))));
    server.execute("DELETE FROM device WHERE account_id = 1; SELECT forget_keys(1)");
    for (String table : List.of("device_key", "one_time_key", "account_identity", "vault")) {
      assertThat(server.count("SELECT count(*) FROM " + table)).as(table).isZero();
    }
  }

  @Test
  void aVaultIsReplaced() {
    AccountId ann = new AccountId(ANN);
    assertThat(Futures.get(world.store().vault(ann))).isEmpty();
    for (String text : List.of("one", "two")) {
      Future<Boolean> kept =
          world.database().transaction(tx -> world.store().keep(tx, ann, new Opaque(text)));
      assertThat(Futures.get(kept).booleanValue()).isTrue();
    }
    assertThat(Futures.get(world.store().vault(ann))).contains(new Opaque("two"));
  }

  @Test
  void whatIsOverIsForgotten() {
    world.begin(PHONE, 5);
    claim(BOB, PHONE);
    assertThat(swept()).isZero();
    server.execute(
        "UPDATE key_claim SET since = since - interval '1 day';"
            + "UPDATE spent_key SET spent_at = spent_at - interval '60 days'");
    assertThat(swept()).isEqualTo(2);
  }

  private int swept() {
    return Futures.get(
        world
            .database()
            .transaction(
                tx ->
                    KeyStore.forgetSpent(tx, 10)
                        .compose(spent -> KeyStore.forgetClaims(tx, 10).map(n -> n + spent))));
  }
}
