package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The documents are what they say they are: OpenAPI 3.1 and AsyncAPI 3.0, whole and without
/// leftovers.
@Timeout(60)
class ValidDocumentsTest {
  /// What means the same in JSON Schema 2020-12, which OpenAPI 3.1 takes, and draft 07, which
  /// AsyncAPI 3.0 takes.
  private static final Set<String> KEYWORDS =
      Set.of(
          "type",
          "format",
          "const",
          "enum",
          "default",
          "description",
          "required",
          "properties",
          "additionalProperties",
          "items",
          "minItems",
          "maxItems",
          "minLength",
          "maxLength",
          "pattern",
          "minimum",
          "maximum",
          "allOf",
          "oneOf",
          "not",
          "if",
          "then",
          "else");

  private final Documents documents = new Documents();

  @ParameterizedTest
  @CsvSource({
    "openapi.yaml, openapi-3.1.schema.json, DRAFT_2020_12",
    "asyncapi.yaml, asyncapi-3.0.schema.json, DRAFT_7",
  })
  void aDocumentIsValidBySpecification(String file, String schema, SpecificationVersion dialect)
      throws IOException {
    try (InputStream in = getClass().getResourceAsStream(schema)) {
      Schema meta =
          SchemaRegistry.withDefaultDialect(dialect)
              .getSchema(Objects.requireNonNull(in), InputFormat.JSON);

      assertThat(meta.validate(documents.source(file))).isEmpty();
      assertThat(meta.validate(broken(documents.source(file)))).isNotEmpty();
    }
  }

  private static JsonNode broken(JsonNode document) {
    var copy = document.<com.fasterxml.jackson.databind.node.ObjectNode>deepCopy();
    copy.putObject("info").put("title", 1);
    return copy;
  }

  @Test
  void everySchemaIsValidBySpecification() {
    Schema meta =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()));

    for (String file : List.of(Documents.OPENAPI, Documents.ASYNCAPI)) {
      for (var schema : documents.source(file).at("/components/schemas").properties()) {
        assertThat(meta.validate(schema.getValue())).as(schema.getKey()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Documents.OPENAPI, Documents.ASYNCAPI})
  void schemasKeepToWhatBothSpecificationsUnderstand(String file) {
    List<String> keywords = new ArrayList<>();
    documents
        .resolved(file)
        .at("/components/schemas")
        .properties()
        .forEach(schema -> collectKeywords(schema.getValue(), keywords));

    assertThat(new TreeSet<>(keywords)).isSubsetOf(KEYWORDS);
  }

  private static void collectKeywords(JsonNode schema, List<String> into) {
    for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
      into.add(keyword.getKey());
      switch (keyword.getKey()) {
        case "properties" -> keyword.getValue().forEach(p -> collectKeywords(p, into));
        case "items", "not", "if", "then", "else" -> collectKeywords(keyword.getValue(), into);
        case "allOf", "oneOf" ->
            keyword.getValue().forEach(branch -> collectKeywords(branch, into));
        default -> {}
      }
    }
  }

  @Test
  void everyReferenceLeadsSomewhereAndEveryComponentIsReferredTo() {
    documents.resolved(Documents.OPENAPI);
    documents.resolved(Documents.ASYNCAPI);

    Set<String> components = new TreeSet<>();
    for (String file : List.of(Documents.OPENAPI, Documents.ASYNCAPI)) {
      for (var kind : documents.source(file).get("components").properties()) {
        if (!kind.getKey().equals("securitySchemes")) {
          kind.getValue()
              .fieldNames()
              .forEachRemaining(
                  name -> components.add(file + "#/components/" + kind.getKey() + "/" + name));
        }
      }
    }
    assertThat(documents.referred()).containsAll(components);
  }

  @Test
  void operationsHaveNamesOfTheirOwn() {
    assertThat(Contract.HTTP.operations()).extracting(Operation::id).doesNotHaveDuplicates();
  }

  @Test
  void everyOperationOfTheSocketSaysWhichMessagesOfTheChannelItIs() {
    JsonNode asyncapi = documents.source(Documents.ASYNCAPI);
    Set<String> used = new TreeSet<>();
    for (JsonNode operation : asyncapi.get("operations")) {
      operation.get("messages").forEach(m -> used.add(last(m)));
      operation.path("reply").path("messages").forEach(m -> used.add(last(m)));
    }
    Set<String> stated = new TreeSet<>();
    asyncapi.at("/channels/socket/messages").fieldNames().forEachRemaining(stated::add);

    assertThat(used).isEqualTo(stated);
  }

  private static String last(JsonNode reference) {
    String ref = reference.get("$ref").asText();
    return ref.substring(ref.lastIndexOf('/') + 1);
  }
}
