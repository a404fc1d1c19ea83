package io.confab.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.JacksonYAMLParseException;
import java.util.Locale;

/// What is wrong with a file that is not YAML: place and cause, but no part of the file itself, for
/// that may be a secret.
final class YamlFault {
  private YamlFault() {}

  static String text(JsonProcessingException fault) {
    String where =
        fault.getLocation() == null
            ? ""
            : " at line %d, column %d"
                .formatted(fault.getLocation().getLineNr(), fault.getLocation().getColumnNr());
    String what = fault.getOriginalMessage();
    boolean isDuplicate =
        !(fault instanceof JacksonYAMLParseException) && what.startsWith("Duplicate");
    return (isDuplicate ? what.toLowerCase(Locale.ROOT) : "not valid YAML") + where;
  }
}
