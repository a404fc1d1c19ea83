package io.confab.account.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.outside.OutsideAccountStore.Found;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.TextRules;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountWishesTest {
  private final Random random = new Random(1);

  private static OutsideToken token(@Nullable String handle, @Nullable String name) {
    return new OutsideToken(new OutsideIdentity("issuer", "42"), handle, name, 0);
  }

  @Test
  void theHandleThatATokenAsksForIsTriedFirst() {
    List<String> handles = AccountWishes.handles(token("ann", null), random);
    assertThat(handles).hasSize(5).doesNotHaveDuplicates().startsWith("ann");
    assertThat(handles.subList(1, 5)).allMatch(handle -> handle.matches("u[a-z0-9]{8}"));
    assertThat(AccountWishes.handles(token(null, "Ann"), random))
        .hasSize(4)
        .allSatisfy(
            handle -> assertThat(TextRules.handle("handle", handle)).matches("u[a-z0-9]{8}"));
  }

  @Test
  void anAccountWithoutANameShowsTheHandleThatItGot() {
    assertThat(AccountWishes.displayName(token("ann", "Ann Lee"), "u1")).isEqualTo("Ann Lee");
    assertThat(AccountWishes.displayName(token("ann", null), "u1")).isEqualTo("u1");
  }

  @ParameterizedTest
  @CsvSource({
    "false, false, ok,           ok",
    "true,  false, unauthorized, forbidden",
    "false, true,  unauthorized, unauthorized",
    "true,  true,  unauthorized, unauthorized"
  })
  void anAccountThatIsNotActiveIsRefused(
      boolean suspended, boolean removed, String request, String socket) {
    Found found = new Found(new AccountId(1), suspended, removed);
    assertThat(outcome(found, ErrorCode.UNAUTHORIZED)).isEqualTo(request);
    assertThat(outcome(found, ErrorCode.FORBIDDEN)).isEqualTo(socket);
  }

  private static String outcome(Found found, ErrorCode whenSuspended) {
    try {
      found.requireActive(whenSuspended);
      return "ok";
    } catch (Refusal refusal) {
      return refusal.code().wire();
    }
  }
}
