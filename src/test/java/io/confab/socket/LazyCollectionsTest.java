package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LazyCollectionsTest {
  private final LazyMap<String, Integer> map = new LazyMap<>();
  private final LazySet<String> set = new LazySet<>();

  @Test
  void anEmptyMapSaysSo() {
    assertThat(map).isEmpty();
    assertThat(map.get("a")).isNull();
    assertThat(map.remove("a")).isNull();
    assertThat(map.containsKey("a")).isFalse();
    assertThat(map.getOrDefault("a", 1)).isEqualTo(1);
  }

  @Test
  void aMapKeepsWhatIsPutInItsOrder() {
    assertThat(map.put("b", 1)).isNull();
    map.put("a", 2);
    assertThat(map.put("b", 3)).isEqualTo(1);
    map.merge("a", 5, Integer::sum);
    assertThat(map).containsExactly(Map.entry("b", 3), Map.entry("a", 7));
    assertThat(map.containsKey("a")).isTrue();
  }

  @Test
  void aMapThatWasEmptiedIsAsNew() {
    map.put("a", 1);
    assertThat(map.remove("a")).isEqualTo(1);
    assertThat(map).isEmpty();
    map.clear();
    map.put("b", 2);
    assertThat(map).containsExactly(Map.entry("b", 2));
    map.clear();
    assertThat(map).isEmpty();
  }

  @Test
  void anEmptySetSaysSo() {
    assertThat(set).isEmpty();
    assertThat(set.contains("a")).isFalse();
    assertThat(set.remove("a")).isFalse();
  }

  @Test
  void aSetKeepsEachOnceInItsOrder() {
    assertThat(set.add("b")).isTrue();
    assertThat(set.add("a")).isTrue();
    assertThat(set.add("b")).isFalse();
    assertThat(set).containsExactly("b", "a");
    assertThat(set.contains("a")).isTrue();
  }

  @Test
  void aSetThatWasEmptiedIsAsNew() {
    set.add("a");
    assertThat(set.remove("a")).isTrue();
    assertThat(set).isEmpty();
    set.add("b");
    set.clear();
    assertThat(set).isEmpty();
    set.add("c");
    assertThat(set).containsExactly("c");
  }
}
