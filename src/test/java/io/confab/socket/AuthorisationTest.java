package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.Ended;
import io.confab.account.AccountCommand.FindEnded;
import io.confab.account.AccountCommand.Renewed;
import io.confab.account.FamilyId;
import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(30)
class AuthorisationTest {
  private static final Caller ANN = new Caller(new AccountId(1), new DeviceId("d"));
  private static final Authenticated OLD = new Authenticated(ANN, new FamilyId(new UUID(1, 1)));
  private static final Authenticated NEW = new Authenticated(ANN, new FamilyId(new UUID(2, 2)));

  private Context context;
  private Bus bus;
  private final List<Authenticated> asked = new CopyOnWriteArrayList<>();
  private final List<Promise<Ended>> answers = new CopyOnWriteArrayList<>();
  private final AtomicInteger revoked = new AtomicInteger();
  private Authorisation authorisation;

  @BeforeEach
  void serve(Vertx vertx) {
    this.context = vertx.getOrCreateContext();
    this.bus = new Bus(vertx, Peers.alone(new Peer(new NodeId("a"), Map.of(NodeRole.ROUTING, 1))));
    this.authorisation = new Authorisation(OLD, bus, _ -> revoked.incrementAndGet(), null);
    Futures.get(bus.serve(AccountCommand.ADDRESS, 0, this::answer));
  }

  private Future<? extends BusMessage> answer(AccountCommand<?> command) {
    return switch (command) {
      case AccountCommand.Renew _ ->
          Future.succeededFuture(new Renewed(NEW, Duration.ofSeconds(9)));
      case FindEnded(List<Authenticated> signIns) -> {
        Promise<Ended> answer = Promise.promise();
        answers.add(answer);
        asked.addAll(signIns);
        yield answer.future();
      }
      default -> Future.succeededFuture(Done.DONE);
    };
  }

  private <T> T onLoop(Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    context.runOnContext(_ -> work.get().onComplete(done));
    return Futures.get(done.future());
  }

  private void check() {
    onLoop(
        () -> {
          authorisation.check();
          return Future.succeededFuture();
        });
  }

  private void awaitAsked(Authenticated... signIns) {
    await().until(() -> asked.equals(List.of(signIns)));
  }

  @Test
  void oneThatIsOverIsTold() {
    check();
    awaitAsked(OLD);
    answers.getFirst().complete(new Ended(List.of(OLD), List.of()));
    await().until(() -> revoked.get() == 1);
  }

  @Test
  void oneThatStandsIsNot() {
    check();
    awaitAsked(OLD);
    answers.getFirst().complete(new Ended(List.of(), List.of()));
    check();
    awaitAsked(OLD, OLD);
    assertThat(revoked).hasValue(0);
  }

  @Test
  void whoCannotBeAskedFails() {
    Future<Void> checked = onLoop(() -> Future.succeededFuture(authorisation.check()));
    awaitAsked(OLD);
    answers.getFirst().fail(Refusal.unavailable("the database is away"));
    await().until(checked::failed);
    assertThat(revoked).hasValue(0);
  }

  @Test
  void aNewerSignInTakesThePlaceAndIsTheOneThatCounts() {
    assertThat(onLoop(() -> authorisation.renew(new Secret("t")))).isEqualTo(Duration.ofSeconds(9));
    check();
    awaitAsked(NEW);
    answers.getFirst().complete(new Ended(List.of(NEW), List.of()));
    await().until(() -> revoked.get() == 1);
  }

  @Test
  void theEndOfTheOlderSignInDoesNotCountWhenTheAnswerFindsTheNewerOne() {
    check();
    awaitAsked(OLD);
    onLoop(() -> authorisation.renew(new Secret("t")));
    answers.getFirst().complete(new Ended(List.of(OLD), List.of()));
    awaitAsked(OLD, NEW);
    assertThat(revoked).hasValue(0);
    answers.getLast().complete(new Ended(List.of(NEW), List.of()));
    await().until(() -> revoked.get() == 1);
  }

  @Test
  void onceClosedNothingIsTold() {
    check();
    awaitAsked(OLD);
    onLoop(
        () -> {
          authorisation.close();
          return Future.succeededFuture();
        });
    answers.getFirst().complete(new Ended(List.of(OLD), List.of()));
    onLoop(() -> authorisation.renew(new Secret("t"))); // an answer that comes after it
    assertThat(revoked).hasValue(0);
  }
}
