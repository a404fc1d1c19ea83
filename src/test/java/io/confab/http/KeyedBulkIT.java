package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.Created;
import io.confab.account.AccountCommand.CreatedAccounts;
import io.confab.account.AccountCommand.Fresh;
import io.confab.account.AccountCommand.KeepAnswer;
import io.confab.account.AccountCommand.LeaveUnanswered;
import io.confab.account.CallKey;
import io.confab.config.ConfigLoader;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is kept of calls with a key that make many accounts, of which some may fail.
@Timeout(120)
class KeyedBulkIT {
  private static final String API_KEY = "k".repeat(32);
  private static final String PATH = "/v1/admin/accounts";
  private static final long SEED = 7;

  private final ApiServer api =
      new ApiServer(
          new ConfigLoader(Map.of())
              .load(null, Map.of("http.port", "0", "api_key", API_KEY))
              .config());

  @AfterEach
  void close() {
    api.close();
  }

  private HttpResponse<String> make() {
    return api.call(
        "POST",
        PATH,
        "{\"accounts\":[{\"handle\":\"ann\"}]}".getBytes(StandardCharsets.UTF_8),
        "authorization",
        "Key " + API_KEY,
        "idempotency-key",
        "one");
  }

  @Test
  void anAnswerWithAccountsToBeTriedAgainIsNotKept() {
    api.replies(new Fresh(SEED, true)); // then the database is away

    HttpResponse<String> answer = make();

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"unavailable\"");
    assertThat(api.commands.getLast())
        .isEqualTo(new LeaveUnanswered(CallKey.of(null, "POST " + PATH, "one"), SEED, false));
  }

  @Test
  void anAnswerWithErrorsThatStayIsKept() {
    Refusal taken = new Refusal(ErrorCode.CONFLICT, "handle", "is taken");
    api.replies(new Fresh(SEED, true), new CreatedAccounts(List.of(Created.refused(taken))));

    assertThat(make().statusCode()).isEqualTo(200);
    assertThat(api.commands.getLast()).isInstanceOf(KeepAnswer.class);
  }
}
