package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.AccountStatus;
import io.confab.account.AccountCommand.NewAccount;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountRulesTest {
  private static final AccountId ID = new AccountId(1);

  @ParameterizedTest
  @CsvSource({
    "USER,  false, false, ok,           conflict",
    "ADMIN, false, false, ok,           conflict",
    "BOT,   false, false, ok,           ok",
    "USER,  true,  false, forbidden,    forbidden",
    "BOT,   true,  false, forbidden,    forbidden",
    "USER,  false, true,  unauthorized, unauthorized",
    "BOT,   true,  true,  unauthorized, unauthorized",
    "     , false, false, unauthorized, unauthorized"
  })
  void theStatusOfAnAccountSaysWhoMaySignInAndWhoMayHaveATokenOfABot(
      @Nullable ServerRole role, boolean suspended, boolean removed, String signsIn, String bot) {
    Optional<AccountStatus> status =
        Optional.ofNullable(role).map(r -> new AccountStatus(r, suspended, removed));
    assertThat(outcome(() -> AccountRules.requireActive(status))).isEqualTo(signsIn);
    assertThat(outcome(() -> AccountRules.requireBot(status))).isEqualTo(bot);
  }

  @Test
  void anAccountShowsItsHandleUnlessItHasAName() {
    assertThat(AccountRules.make(new NewAccount("Ann", null, null, ServerRole.USER), ID))
        .isEqualTo(new Account(ID, "ann", "ann"));
    assertThat(AccountRules.make(new NewAccount("ann", "Ann Lee", null, ServerRole.BOT), ID))
        .isEqualTo(new Account(ID, "ann", "Ann Lee"));
  }

  @ParameterizedTest
  @CsvSource({
    "a b, Ann,  correct horse, USER,  handle",
    "ann, '',   correct horse, USER,  display_name",
    "a b, '',   correct horse, BOT,   handle",
    "ann, '',   correct horse, BOT,   password",
    "ann, Ann,  correct horse, BOT,   password"
  })
  void whatDoesNotFitIsNamed(
      String handle, String name, String password, ServerRole role, String field) {
    NewAccount asked = new NewAccount(handle, name, new HashedPassword(password), role);
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> AccountRules.make(asked, ID));
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refusal.field()).contains(field);
  }

  private static String outcome(Supplier<?> decision) {
    try {
      assertThat(decision.get()).isNotNull();
      return "ok";
    } catch (Refusal refusal) {
      return refusal.code().wire();
    }
  }
}
