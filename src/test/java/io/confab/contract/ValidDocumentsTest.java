package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The documents are what they say they are: OpenAPI 3.1 and AsyncAPI 3.0, whole and without
/// leftovers.
@Timeout(60)
class ValidDocumentsTest {
  /// What means the same in JSON Schema 2020-12, which OpenAPI 3.1 takes, and draft 07, which
  /// AsyncAPI 3.0 takes; and `discriminator`, which validates nothing.
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
          "else",
          "discriminator");

  private final Documents documents = new Documents();

  private static final Set<String> METHODS = Set.of("get", "put", "post", "patch", "delete");

  @Test
  void openapiHasTheShapeOfItsSpecification() {
    JsonNode root = documents.resolved(Documents.OPENAPI);
    only(root, "openapi", "info", "servers", "tags", "security", "paths", "components");
    assertThat(root.get("openapi").asText()).startsWith("3.1.");
    describesItself(root.get("info"));
    for (var path : root.get("paths").properties()) {
      assertThat(path.getKey()).startsWith("/");
      for (var part : path.getValue().properties()) {
        if (METHODS.contains(part.getKey())) {
          operation(part.getValue());
        } else {
          assertThat(part.getKey()).isIn("parameters", "servers", "summary", "description");
        }
      }
      path.getValue().path("parameters").forEach(ValidDocumentsTest::parameter);
    }
  }

  private static void operation(JsonNode operation) {
    only(
        operation,
        "operationId",
        "tags",
        "x-limit",
        "summary",
        "description",
        "security",
        "servers",
        "parameters",
        "requestBody",
        "responses");
    assertThat(operation.get("operationId").isTextual()).isTrue();
    operation.path("parameters").forEach(ValidDocumentsTest::parameter);
    operation.path("requestBody").path("content").forEach(c -> only(c, "schema", "examples"));
    assertThat(operation.get("responses")).isNotEmpty();
    for (var response : operation.get("responses").properties()) {
      assertThat(response.getKey()).matches("[1-5]\\d\\d|default");
      only(response.getValue(), "description", "headers", "x-codes", "content");
      assertThat(response.getValue().get("description").isTextual()).isTrue();
      response.getValue().path("content").forEach(c -> only(c, "schema", "examples"));
    }
  }

  private static void parameter(JsonNode parameter) {
    only(parameter, "name", "in", "required", "description", "schema");
    assertThat(parameter.get("in").asText()).isIn("path", "query", "header", "cookie");
    assertThat(parameter.path("required").asBoolean())
        .as("a parameter of the path is required: %s", parameter)
        .isEqualTo(parameter.get("in").asText().equals("path") || parameter.has("required"));
    assertThat(parameter.get("schema").isObject()).isTrue();
  }

  @Test
  void asyncapiHasTheShapeOfItsSpecification() {
    JsonNode root = documents.resolved(Documents.ASYNCAPI);
    only(
        root,
        "asyncapi",
        "info",
        "defaultContentType",
        "servers",
        "channels",
        "operations",
        "components");
    assertThat(root.get("asyncapi").asText()).isEqualTo("3.1.0");
    describesItself(root.get("info"));
    for (JsonNode channel : root.get("channels")) {
      only(channel, "address", "messages", "bindings", "description", "x-close-codes");
      for (JsonNode message : channel.get("messages")) {
        only(message, "name", "title", "summary", "description", "payload", "examples");
        assertThat(message.get("payload").isObject()).isTrue();
      }
    }
    for (JsonNode operation : root.get("operations")) {
      only(operation, "action", "channel", "messages", "reply", "title", "summary", "description");
      assertThat(operation.get("action").asText()).isIn("send", "receive");
      only(operation.path("reply"), "channel", "messages", "address");
    }
  }

  private static void describesItself(JsonNode info) {
    only(info, "title", "version", "description", "license");
    assertThat(info.get("title").isTextual()).isTrue();
    assertThat(info.get("version").isTextual()).isTrue();
  }

  private static void only(JsonNode object, String... fields) {
    Set<String> stated = new TreeSet<>();
    object.fieldNames().forEachRemaining(stated::add);
    assertThat(stated).isSubsetOf(fields);
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
