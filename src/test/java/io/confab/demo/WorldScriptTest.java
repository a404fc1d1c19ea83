package io.confab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.demo.Cast.Person;
import io.confab.demo.WorldScript.Scene;
import io.confab.protocol.TextRules;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class WorldScriptTest {
  private final WorldScript world = WorldScript.load();

  @Test
  void theWorldHasPeopleAndRoomsOfEveryKindAndSomeHundredMessages() {
    assertThat(world.people()).hasSize(12);
    assertThat(world.scenes())
        .extracting(Scene::kind)
        .contains("channel", "group", "direct")
        .hasSizeBetween(6, 10);
    assertThat(world.messages()).isGreaterThan(200);
  }

  @Test
  void everybodyWhoSpeaksIsInTheRoomAndEveryRoomHasPeopleOfTheWorld() {
    List<String> people = world.people().stream().map(Person::handle).toList();

    assertThat(world.scenes())
        .allSatisfy(
            scene -> {
              assertThat(people).containsAll(scene.members());
              assertThat(scene.members())
                  .containsAll(scene.lines().stream().map(l -> l.handle()).toList());
            });
  }

  @Test
  void thereIsSomethingToReadForEverybodyAndEverybodyHasReadMostOfIt() {
    for (Scene scene : world.scenes()) {
      int lines = scene.lines().size();
      assertThat(scene.members()).anyMatch(member -> scene.readBy(member) < lines);
      assertThat(scene.members())
          .allSatisfy(member -> assertThat(scene.readBy(member)).isGreaterThan(lines / 2));
      assertThat(scene.readBy(scene.lines().getLast().handle())).isEqualTo(lines);
    }
  }

  @Test
  void theServerTakesAllOfIt() {
    world.people().forEach(person -> TextRules.handle("handle", person.handle()));
    world.people().forEach(person -> TextRules.name("display_name", person.displayName()));
    assertThat(world.scenes())
        .flatExtracting(Scene::lines)
        .allSatisfy(
            line -> {
              TextRules.body("body", line.text(), 1_000);
              Integer answers = line.answers();
              assertThat(answers == null ? 0 : answers).isNotNegative();
            });
  }

  @Test
  void theDaysOfEachRoomFollowUponEachOtherAndEndNow() {
    ZoneId zone = ZoneId.of("Europe/Berlin");
    Instant justAfterMidnight = Instant.parse("2026-03-30T22:00:30Z");
    for (Scene scene : world.scenes()) {
      List<Instant> times = scene.sittings().times(scene.lines().size(), justAfterMidnight, zone);

      assertThat(times).isSorted().doesNotHaveDuplicates();
      assertThat(times).hasSize(scene.lines().size()).last().isEqualTo(justAfterMidnight);
      assertThat(times.stream().map(time -> time.atZone(zone).toLocalDate()).distinct())
          .hasSizeGreaterThan(2);
    }
  }

  @Test
  void linesHaveAnswersTopicsEditsAndDeletions() {
    WorldScript script =
        WorldScript.parse(
            """
            # a comment
            person ada Ada L
            person ben Ben O
            direct ada ben
            ada: Shall we meet: at ten?
            ben ^1 [plans]: Yes
            ~ Yes, gladly
            ada: oops
            -
            """);

    List<WorldScript.Line> lines = script.scenes().getFirst().lines();
    assertThat(lines).hasSize(3);
    assertThat(lines.getFirst().text()).isEqualTo("Shall we meet: at ten?");
    assertThat(lines.get(1))
        .isEqualTo(new WorldScript.Line("ben", "Yes", 0, "plans", "Yes, gladly", false));
    assertThat(lines.getLast().deleted()).isTrue();
  }
}
