package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.HashedPassword;
import io.confab.account.PasswordProof;
import io.confab.protocol.Secret;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What messages of the bus are made of: hashes of passwords, and what shows that somebody knows
/// one, but no password.
class PasswordlessBusTest {
  /// Every secret that crosses the bus. Whoever adds one says here that it is no password. The
  /// contents are answers, which hold codes of invitations at most.
  private static final List<String> TOKENS =
      List.of(
          "Again.content",
          "Approach.refreshToken",
          "DeleteInvite.name",
          "Identify.token",
          "IdentifyDevice.token",
          "JoinByInvite.code",
          "KeepAnswer.content",
          "MadeBot.token",
          "NewInvite.code",
          "Read.token",
          "RedeemTicket.ticket",
          "Refresh.refreshToken",
          "Renew.accessToken",
          "SignOut.refreshToken",
          "Ticket.ticket",
          "Tokens.accessToken",
          "Tokens.refreshToken");

  private static final Pattern PASSWORD = Pattern.compile("(?i).*(pass|pwd|proof).*|old|fresh");

  private static Stream<RecordComponent> components() {
    Set<Class<?>> seen = new HashSet<>();
    MainRecords.assignableTo(BusMessage.class).forEach(type -> walk(type, seen));
    return seen.stream()
        .filter(Class::isRecord)
        .flatMap(type -> Arrays.stream(type.getRecordComponents()));
  }

  /// All types that are reached from a message.
  private static void walk(Type type, Set<Class<?>> seen) {
    if (type instanceof ParameterizedType generic) {
      Arrays.stream(generic.getActualTypeArguments()).forEach(argument -> walk(argument, seen));
    } else if (type instanceof Class<?> plain && seen.add(plain)) {
      if (plain.isSealed()) {
        Arrays.stream(plain.getPermittedSubclasses()).forEach(kind -> walk(kind, seen));
      }
      if (plain.isRecord()) {
        Arrays.stream(plain.getRecordComponents())
            .forEach(component -> walk(component.getGenericType(), seen));
      }
    }
  }

  @Test
  void everySecretOnTheBusIsAToken() {
    assertThat(
            components()
                .filter(component -> component.getType() == Secret.class)
                .map(PasswordlessBusTest::name))
        .containsExactlyInAnyOrderElementsOf(TOKENS);
  }

  @Test
  void whatIsCalledAPasswordIsAHashOrAProof() {
    List<RecordComponent> passwords =
        components()
            .filter(component -> PASSWORD.matcher(component.getName()).matches())
            .filter(component -> !TOKENS.contains(name(component)))
            .toList();
    assertThat(passwords).hasSizeGreaterThanOrEqualTo(5);
    assertThat(passwords)
        .allSatisfy(
            component ->
                assertThat(component.getType())
                    .as(name(component))
                    .isIn(HashedPassword.class, PasswordProof.class));
  }

  private static String name(RecordComponent component) {
    return component.getDeclaringRecord().getSimpleName() + "." + component.getName();
  }
}
