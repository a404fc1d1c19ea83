package io.confab;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameStartingWith;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.confab.protocol.Secret;
import io.confab.protocol.WireName;
import io.vertx.core.Completable;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;

@AnalyzeClasses(packages = "io.confab", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final List<Class<?>> CLOCKS =
      List.of(
          Instant.class,
          LocalDate.class,
          LocalDateTime.class,
          OffsetDateTime.class,
          ZonedDateTime.class);

  private static final PackageTable TABLE = PackageTable.read();

  /// The classes that rules name, as [#oneOf] collects them.
  private static final Set<String> NAMED = new TreeSet<>();

  @ArchTest
  static void everyClassThatARuleNamesExists(JavaClasses code) {
    assertThat(code.stream().map(JavaClass::getSimpleName)).containsAll(NAMED);
  }

  @ArchTest
  static void thePackageTableListsEveryArrowAndNoOther(JavaClasses code) {
    assertThat(PackageTable.packages(code)).containsExactlyInAnyOrderElementsOf(TABLE.packages());
    assertThat(difference(PackageTable.arrows(code), TABLE.arrows()))
        .as("arrows that docs/architecture.md does not list")
        .isEmpty();
    assertThat(difference(TABLE.arrows(), PackageTable.arrows(code)))
        .as("arrows in docs/architecture.md that the code does not have")
        .isEmpty();
  }

  @ArchTest
  static final ArchRule dependenciesRunOneWay =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("words")
          .definedBy(TABLE.packagesOf("words"))
          .layer("connections")
          .definedBy(TABLE.packagesOf("connections"))
          .layer("domain")
          .definedBy(TABLE.packagesOf("domain"))
          .layer("edge")
          .definedBy(TABLE.packagesOf("edge"))
          .layer("client")
          .definedBy(TABLE.packagesOf("client"))
          .layer("node")
          .definedBy(TABLE.packagesOf("node"))
          .whereLayer("words")
          .mayNotAccessAnyLayer()
          .whereLayer("connections")
          .mayOnlyAccessLayers("words")
          .whereLayer("domain")
          .mayOnlyAccessLayers("words", "connections")
          .whereLayer("client")
          .mayOnlyAccessLayers("words")
          .whereLayer("edge")
          .mayOnlyAccessLayers("words", "connections", "domain", "client")
          .because("a change of one layer concerns only those above it");

  @ArchTest
  static final ArchRule theClientKnowsTheWireAlone =
      noClasses()
          .that()
          .resideInAPackage("..confab.client")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.confab..")
                  .and(outside("..confab.client", "..confab.protocol", "..confab.time"))
                  .and(DescribedPredicate.not(type(Secret.class)))
                  .and(DescribedPredicate.not(type(WireName.class))))
          .because(
              "it talks to servers of other versions, and may be taken out one day, with back-off"
                  + " and timers");

  @ArchTest
  static final ArchRule theServerNeedsNoClient =
      noClasses()
          .that(
              outside(
                  "..confab.client",
                  "..confab.client.sealedroom",
                  "..confab.terminal",
                  "..confab.demo",
                  "..confab.cli"))
          .should()
          .dependOnClassesThat(resideInAPackage("..confab.client"))
          .because("only the terminal speaks to servers");

  @ArchTest
  static final ArchRule theRulesOfTheClientArePlainJava =
      noClasses()
          .that()
          .resideInAPackage("..confab.client")
          .and(
              oneOf(
                  "SessionRules",
                  "RoomLog",
                  "RoomLogs",
                  "Outbox",
                  "QueueRules",
                  "QueueMarks",
                  "Action"))
          .should()
          .dependOnClassesThat(resideInAnyPackage("io.vertx..", "io.netty.."))
          .because("the shared cases run them without time and network");

  @ArchTest
  static final ArchRule theRulesOfSealedRoomsArePlainJava =
      noClasses()
          .that()
          .resideInAPackage("..confab.client.sealedroom")
          .and(oneOf("SendRules", "Freshness", "Deliveries"))
          .should()
          .dependOnClassesThat(resideInAnyPackage("io.vertx..", "io.netty.."))
          .because("what is done about an answer is tested without asking anybody");

  @ArchTest
  static final ArchRule onlySealedRoomsKnowVodozemac =
      noClasses()
          .that(outside("..confab.client.sealed"))
          .should()
          .dependOnClassesThat(resideInAnyPackage("de.connect2x..", "kotlin.."))
          .because("keys of others go through one door, and the server needs no encryption");

  @ArchTest
  static final ArchRule sealingIsPlainJava =
      noClasses()
          .that()
          .resideInAPackage("..confab.client.sealed")
          .should()
          .dependOnClassesThat(resideInAnyPackage("io.vertx..", "io.netty.."))
          .because("it is given what a server says, be it true or not, and tested with lies");

  @ArchTest
  static final ArchRule noCircles =
      slices()
          .matching("io.confab.(**)")
          .should()
          .beFreeOfCycles()
          .because("packages in a circle are one package");

  @ArchTest
  static final ArchRule onlyStoresAndPostgresSpeakSql =
      noClasses()
          .that(
              outside("..confab.postgres")
                  .and(DescribedPredicate.not(outermostNamed(simpleNameEndingWith("Store"))))
                  .and(DescribedPredicate.not(outermostNamed(simpleNameEndingWith("Columns"))))
                  .and(outside("..confab.embedded")))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.vertx.sqlclient..", "io.vertx.pgclient..", "java.sql..")
                  .and(DescribedPredicate.not(type(SqlClient.class)))
                  .and(DescribedPredicate.not(type(SqlConnection.class)))
                  .and(DescribedPredicate.not(type(Pool.class))))
          .because("statements and rows stay in stores; a transaction may be handed through");

  @ArchTest
  static final ArchRule onlyRedisClassesSpeakToRedis =
      noClasses()
          .that(
              outside("..confab.redis")
                  .and(DescribedPredicate.not(outermostNamed(simpleNameStartingWith("Redis")))))
          .should()
          .dependOnClassesThat(resideInAPackage("io.vertx.redis.."))
          .because("the client neither reconnects nor subscribes again by itself");

  @ArchTest
  static final ArchRule onlyTheEdgeKnowsHttp =
      noClasses()
          .that(
              outside(
                      "..confab.socket",
                      "..confab.websocket",
                      "..confab.http",
                      "..confab.listener",
                      "..confab.operator",
                      "..confab.client")
                  .and(DescribedPredicate.not(oneOf("EdgeVerticle")))
                  .and(DescribedPredicate.not(oneOf("PublishedKeys"))))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.vertx.core.http..", "io.vertx.ext.web..", "java.net.http..")
                  .and(DescribedPredicate.not(type(ClientAuth.class))))
          .because(
              "what the server does must not depend on how it is asked; only the keys of outside"
                  + " issuers are fetched by HTTP");

  @ArchTest
  static final ArchRule fewKnowTheWebSocket =
      noClasses()
          .that(
              resideInAPackage("..confab.socket")
                  .and(DescribedPredicate.not(oneOf("SocketEndpoint", "Handshake"))))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.vertx.core.http..", "io.vertx.core.internal.http.."))
          .because("after the upgrade nothing of Vert.x' WebSocket is left");

  @ArchTest
  static final ArchRule onlySocketsKnowNetty =
      noClasses()
          .that(outside("..confab.socket", "..confab.websocket", "..confab.listener"))
          .and()
          .doNotHaveSimpleName("Connections")
          .should()
          .dependOnClassesThat(resideInAPackage("io.netty.."))
          .because(
              "only the way to many sockets is worth working below Vert.x, what strangers can make"
                  + " it accept, read and answer by itself, and a bound on the greeting of"
                  + " PostgreSQL");

  @ArchTest
  static final ArchRule onlyTheBusKnowsTheEventBus =
      noClasses()
          .that(outside("..confab.bus"))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "io.vertx.core.eventbus..",
                  "io.vertx.core.spi.cluster..",
                  "io.vertx.spi.cluster..",
                  "com.hazelcast.."))
          .because("what crosses the bus are records with one codec and a time-out");

  @ArchTest
  static final ArchRule timeAndChanceComeFromOutside =
      noClasses()
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethodWhere(readsTheClock())
          .orShould()
          .dependOnClassesThat(type(Random.class))
          .because("a rule that takes an InstantSource is tested in microseconds");

  @ArchTest
  static final ArchRule theOrderingCoreIsPlainJava =
      noClasses()
          .that()
          .resideInAPackage("..confab.feed")
          .and(
              oneOf(
                  "RoomFeed",
                  "Digest",
                  "Digests",
                  "DigestLog",
                  "DigestWatch",
                  "Isolation",
                  "Subscription",
                  "Subscriber",
                  "Interests"))
          .should()
          .dependOnClassesThat(resideInAnyPackage("io.vertx..", "io.netty.."))
          .because("it is to be run through thousands of histories in a test");

  @ArchTest
  static final ArchRule deliveryNeedsNoRuntime =
      noClasses()
          .that()
          .resideInAnyPackage(
              "..confab.feed", "..confab.message", "..confab.socket", "..confab.time")
          .and(
              oneOf(
                  "FeedHub",
                  "RoomFeeds",
                  "PositionReads",
                  "MessageWriter",
                  "GroupCommit",
                  "WriterQueue",
                  "SocketLoop",
                  "AccountSessions",
                  "TimingWheel",
                  "Session",
                  "Frames",
                  "SessionFrames",
                  "MessageFrames",
                  "TypingFrames",
                  "Greeting",
                  "AuthenticatedSession",
                  "Authorisation",
                  "RoomStream",
                  "RoomStreams",
                  "KnownRooms",
                  "EarlyNotices",
                  "ResumeRequest",
                  "CatchUp",
                  "RetryLoop",
                  "Backoff"))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.vertx..", "io.netty..")
                  .and(DescribedPredicate.not(type(Future.class)))
                  .and(DescribedPredicate.not(type(CompositeFuture.class)))
                  .and(DescribedPredicate.not(type(Promise.class)))
                  .and(DescribedPredicate.not(type(Completable.class)))
                  .and(DescribedPredicate.not(type(Handler.class))))
          .because(
              "the simulator runs it with a time of its own; a future without a context is a value"
                  + " that calls back at once, Completable and Handler are how it takes a lambda");

  @ArchTest
  static final ArchRule namesSayWhatAThingIs =
      noClasses()
          .should()
          .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl|Base|Dto)")
          .because("such a name fits everything");

  @ArchTest
  static final ArchRule nothingStaticChanges =
      fields()
          .that()
          .areStatic()
          .should()
          .beFinal()
          .because("several nodes run in one JVM in the tests");

  @ArchTest
  static final ArchRule nothingIsNullUnlessItSaysSo =
      classes()
          .should(
              com.tngtech.archunit.lang.conditions.ArchConditions.be(
                  new DescribedPredicate<>("in a package that is @NullMarked") {
                    @Override
                    public boolean test(JavaClass type) {
                      return type.getPackage().isAnnotatedWith(NullMarked.class);
                    }
                  }))
          .because("NullAway looks only where it is told to");

  @ArchTest
  static final ArchRule nobodyTrustsEveryCertificate =
      noClasses()
          .should()
          .callMethodWhere(
              new DescribedPredicate<JavaCall<?>>("trusts every certificate") {
                @Override
                public boolean test(JavaCall<?> call) {
                  return call.getName().equals("setTrustAll")
                      && call.getTargetOwner().isAssignableTo(ClientOptionsBase.class);
                }
              })
          .because("TLS without a check of the other side is none");

  private static Set<String> difference(Collection<String> these, Collection<String> those) {
    Set<String> rest = new TreeSet<>(these);
    rest.removeAll(Set.copyOf(those));
    return rest;
  }

  private static DescribedPredicate<JavaClass> outside(String... packages) {
    return DescribedPredicate.not(resideInAnyPackage(packages));
  }

  private static DescribedPredicate<JavaClass> oneOf(String... names) {
    NAMED.addAll(List.of(names));
    return outermostNamed(
        DescribedPredicate.describe(
            "one of the names " + List.of(names),
            type -> List.of(names).contains(type.getSimpleName())));
  }

  private static DescribedPredicate<JavaClass> outermostNamed(
      DescribedPredicate<? super JavaClass> name) {
    return new DescribedPredicate<>("belongs to a class with " + name.getDescription()) {
      @Override
      public boolean test(JavaClass type) {
        JavaClass outermost = type;
        while (outermost.getEnclosingClass().isPresent()) {
          outermost = outermost.getEnclosingClass().get();
        }
        return name.test(outermost);
      }
    };
  }

  private static DescribedPredicate<JavaCall<?>> readsTheClock() {
    return new DescribedPredicate<>("reads the clock") {
      @Override
      public boolean test(JavaCall<?> call) {
        boolean now =
            call.getName().equals("now")
                && CLOCKS.stream().anyMatch(c -> call.getTargetOwner().isEquivalentTo(c));
        boolean clock =
            call.getName().startsWith("system")
                && call.getTargetOwner().isEquivalentTo(Clock.class);
        return now || clock;
      }
    };
  }
}
