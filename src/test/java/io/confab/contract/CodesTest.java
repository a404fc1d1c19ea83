package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.CloseCode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.MessageType;
import io.confab.protocol.Role;
import io.confab.protocol.RoomType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every code and every word of a closed set is the same in code and documents.
@Timeout(60)
class CodesTest {
  private final Documents documents = new Documents();
  private final ProtocolText protocol = new ProtocolText();

  @Test
  void theErrorCodesAreThoseOfTheDocuments() {
    assertThat(words("ErrorCode")).isEqualTo(wires(ErrorCode.values(), ErrorCode::wire));
    assertThat(protocol.table("Codes of errors").stream().map(row -> row.subList(0, 3)))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ErrorCode.values())
                .map(
                    c ->
                        List.of(
                            "`" + c.wire() + "`",
                            Integer.toString(c.httpStatus()),
                            c.retryable() ? "yes" : "no"))
                .toList());
  }

  @Test
  void anAnswerWithAStatusHasACodeOfThatStatus() {
    for (Operation operation : Contract.HTTP.operations()) {
      operation
          .responses()
          .forEach(
              (status, response) -> {
                for (String code : response.codes()) {
                  assertThat(ErrorCode.valueOf(code.toUpperCase(Locale.ROOT)).httpStatus())
                      .as("%s %s", operation.id(), code)
                      .isEqualTo(status);
                }
              });
    }
  }

  @Test
  void theCloseCodesAreThoseOfTheDocuments() {
    JsonNode asyncapi = documents.source(Documents.ASYNCAPI);

    assertThat(
            elements(asyncapi.at("/channels/socket/x-close-codes"))
                .map(
                    c ->
                        row(
                            c.get("code").asInt(),
                            c.get("resume").asBoolean(),
                            c.get("spread").asBoolean())))
        .isEqualTo(rows());
    assertThat(protocol.table("Closing").stream().map(row -> row.subList(0, 3))).isEqualTo(rows());
    assertThat(
            elements(asyncapi.at("/components/schemas/Goodbye/properties/code/enum"))
                .map(JsonNode::asInt))
        .isEqualTo(
            Arrays.stream(CloseCode.values())
                .map(CloseCode::code)
                .filter(code -> code != CloseCode.NORMAL.code())
                .toList());
  }

  private static List<List<String>> rows() {
    return Arrays.stream(CloseCode.values())
        .map(c -> row(c.code(), c.resume(), c.spread()))
        .toList();
  }

  private static List<String> row(int code, boolean resume, boolean spread) {
    String after = spread ? "≤ 5 s" : resume ? "0" : "";
    return List.of(Integer.toString(code), resume ? "yes" : "no", after);
  }

  @Test
  void otherWordsAreThoseOfTheCode() {
    assertThat(words("Role")).isEqualTo(wires(Role.values(), Role::wire));
    assertThat(words("RoomType")).isEqualTo(wires(RoomType.values(), RoomType::wire));
    assertThat(words("LeaveReason")).isEqualTo(wires(LeaveReason.values(), LeaveReason::wire));
    assertThat(words("History")).isEqualTo(wires(HistoryRule.values(), HistoryRule::wire));
    assertThat(words("MessageType")).isEqualTo(wires(MessageType.values(), MessageType::wire));
  }

  private List<String> words(String schema) {
    return elements(
            documents.source(Documents.OPENAPI).at("/components/schemas/" + schema + "/enum"))
        .map(JsonNode::asText)
        .toList();
  }

  private static <T> List<String> wires(T[] values, java.util.function.Function<T, String> wire) {
    List<String> wires = new ArrayList<>();
    for (T value : values) {
      wires.add(wire.apply(value));
    }
    return wires;
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
