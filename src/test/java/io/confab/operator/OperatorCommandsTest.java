package io.confab.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.Refusal;
import io.confab.security.SecurityLog;
import io.confab.testing.LogLines;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the security log tells of commands of operators.
@Timeout(30)
class OperatorCommandsTest {
  private static ObjectNode body(String handle) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("handle", handle)
        .put("password", "correct horse");
  }

  private static List<String> told(ManagementCommand command, JsonNode body) throws Exception {
    try (LogLines log = new LogLines("security")) {
      ManagementCommand told =
          Objects.requireNonNull(
              OperatorCommands.told(Map.of("do", command), new SecurityLog(_ -> {})).get("do"));
      Future<JsonNode> answer = told.run(body);
      assertThat(answer.isComplete()).isTrue();
      return log.lines();
    }
  }

  @Test
  void aLineNamesTheAccountAndWhatBecameOfTheCommand() throws Exception {
    assertThat(told(body -> Future.succeededFuture(body), body("Ada")))
        .containsExactly("INFO operator_command address=local command=do handle=ada");
    assertThat(told(_ -> Future.failedFuture(Refusal.invalidField("handle", "no")), body("ada")))
        .containsExactly(
            "INFO operator_command address=local command=do handle=ada refused=invalid_field");
    assertThat(
            told(
                _ -> {
                  throw new IllegalStateException("a bug");
                },
                JsonNodeFactory.instance.objectNode()))
        .containsExactly("INFO operator_command address=local command=do refused=internal");
  }

  @Test
  void whatCannotBeAHandleIsNotTold() throws Exception {
    for (String typed : List.of("a\u001b[31mda", "ada\n", "a".repeat(33), "my password")) {
      assertThat(told(body -> Future.succeededFuture(body), body(typed)))
          .containsExactly("INFO operator_command address=local command=do");
    }
  }
}
