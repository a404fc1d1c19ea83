package io.confab.fault;

import io.confab.config.Config;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// The environment of a node that no rate limit holds up.
public final class WithoutLimits {
  private static final String MANY = "1000000/s burst 1000000";

  private WithoutLimits() {}

  public static Map<String, String> variables() {
    Map<String, String> variables =
        Arrays.stream(Config.Rates.class.getRecordComponents())
            .map(RecordComponent::getName)
            .map(name -> name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT))
            .collect(Collectors.toMap(name -> "CONFAB_RATES_" + name, _ -> MANY));
    variables.put("CONFAB_ACCOUNTS_ACCESS_TOKEN_TTL", "1h");
    return variables;
  }
}
