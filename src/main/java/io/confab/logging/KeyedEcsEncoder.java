package io.confab.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import co.elastic.logging.JsonUtils;
import co.elastic.logging.logback.EcsEncoder;
import org.slf4j.event.KeyValuePair;

/// Lines in the Elastic Common Schema with the keys of an event, which its own encoder leaves out.
public final class KeyedEcsEncoder extends EcsEncoder {
  @Override
  protected void addCustomFields(ILoggingEvent event, StringBuilder line) {
    if (event.getKeyValuePairs() != null) {
      event.getKeyValuePairs().forEach(pair -> add(pair, line));
    }
  }

  private static void add(KeyValuePair pair, StringBuilder line) {
    line.append('"');
    JsonUtils.quoteAsString(pair.key, line);
    line.append("\":");
    if (pair.value instanceof Number || pair.value instanceof Boolean) {
      line.append(pair.value);
    } else {
      line.append('"');
      JsonUtils.quoteAsString(String.valueOf(pair.value), line);
      line.append('"');
    }
    line.append(',');
  }
}
