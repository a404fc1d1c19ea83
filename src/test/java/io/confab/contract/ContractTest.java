package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.contract.HttpContract.Exchange;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract judges what tests see: nothing passes that the documents do not state.
@Timeout(60)
class ContractTest {
  private static final String ACCOUNT =
      "{\"account_id\":\"a\",\"handle\":\"bob\",\"display_name\":\"Bob\"}";
  private static final String ME =
      ACCOUNT.replace(
          "}",
          ",\"invites_from\":\"nobody\",\"presence_visible_to\":\"nobody\","
              + "\"last_seen_visible_to\":\"nobody\",\"private_reading\":false}");
  private static final Optional<String> JSON = Optional.of("application/json");

  @Test
  void whatTheDocumentsSayIsNoFault() {
    assertThat(faults("GET", "/v1/me", null, 200, ME)).isEmpty();
    assertThat(faults("HEAD", "/v1/me", null, 200, "")).isEmpty();
    assertThat(faults("OPTIONS", "/v1/me", null, 204, "")).isEmpty();
    assertThat(
            faults("GET", "/v1/accounts?handle=bob", null, 200, "{\"accounts\":[" + ACCOUNT + "]}"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /v1/me | 201",
        "GET | /v1/me | 410",
        "GET | /v1/me?x=1 | 200",
        "GET | /v1/mine | 200",
        "PUT | /v1/me | 200",
      })
  void anotherStatusParameterPathOrMethodIsAFault(String method, String path, int status) {
    assertThat(faults(method, path, null, status, ACCOUNT)).isNotEmpty();
  }

  @Test
  void anUndocumentedPropertyIsAFault() {
    String more = ACCOUNT.replace("}", ",\"secret\":1}");

    assertThat(faults("GET", "/v1/me", null, 200, more)).isNotEmpty();
    assertThat(faults("GET", "/v1/accounts?ids=a", null, 200, "{\"accounts\":[" + more + "]}"))
        .isNotEmpty();
  }

  @Test
  void anotherContentTypeIsAFault() {
    assertThat(
            Contract.HTTP.faults(
                new Exchange("GET", "/v1/me", null, 200, Optional.of("text/plain"), ACCOUNT)))
        .isNotEmpty();
  }

  @Test
  void aCodeWithTheStatusOfAnotherIsAFault() {
    String refusal =
        "{\"error\":{\"code\":\"conflict\",\"message\":\"m\",\"retryable\":false,"
            + "\"request_id\":\"0123456789abcdef\"}}";

    assertThat(faults("POST", "/v1/accounts", "{}", 409, refusal)).isEmpty();
    assertThat(faults("POST", "/v1/accounts", "{}", 400, refusal)).isNotEmpty();
  }

  @Test
  void aRequestThatTheDocumentRefusesMustNotBeTaken() {
    String request = "{\"handle\":\"bob\",\"password\":\"secret99\",\"more\":1}";

    assertThat(faults("POST", "/v1/accounts", request, 201, ACCOUNT)).isNotEmpty();
    assertThat(faults("POST", "/v1/accounts", null, 201, ACCOUNT)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"pong\",\"ts\":1,\"more\":1}",
        "{\"type\":\"pong\"}",
        "{\"type\":\"pong\",\"ts\":1,\"ts\":1}",
        "{\"type\":\"typing\"}",
        "{\"type\":\"room.event\",\"kind\":\"hidden\",\"room_id\":\"r\",\"rev\":1}",
        "{\"type\":\"room.event\",\"kind\":\"other\",\"room_id\":\"r\",\"rev\":1,\"epoch\":1}",
        "pong",
      })
  void aFrameThatIsNotDocumentedIsAFault(String frame) {
    assertThat(Contract.FRAMES.serverFaults(frame)).isNotEmpty();
  }

  @Test
  void anAnswerOfAnotherTypeThanItsRequestHasIsAFault() {
    String pong = "{\"type\":\"pong\",\"re\":\"1\",\"ts\":1}";

    assertThat(Contract.FRAMES.exchangeFaults("{\"type\":\"ping\",\"id\":\"1\"}", pong)).isEmpty();
    assertThat(Contract.FRAMES.exchangeFaults("{\"type\":\"resume\",\"id\":\"1\"}", pong))
        .isNotEmpty();
    assertThat(Contract.FRAMES.exchangeFaults("{\"type\":\"ping\",\"id\":\"1\",\"x\":1}", pong))
        .isNotEmpty();
  }

  @Test
  void whatWasSeenIsKeptForTheTestToFail() {
    Contract.sawFrame("{\"type\":\"pong\",\"ts\":1}");
    assertThat(Violations.take()).isEmpty();

    Contract.sawFrame("{\"type\":\"typing\"}");
    assertThat(Violations.take()).hasSize(1);
  }

  private static List<String> faults(
      String method, String path, @Nullable String request, int status, String answer) {
    return Contract.HTTP.faults(new Exchange(method, path, request, status, JSON, answer));
  }
}
