package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whom a device tells its key, in a room where it has the registration 5.
@Timeout(120)
class RoomDevicesTest {
  private final RoomDevices devices = new RoomDevices("ann-1", "room", 5);

  private void are(long... registrations) {
    JsonArray told = new JsonArray();
    for (long each : registrations) {
      told.add(new JsonObject().put("registration_id", each));
    }
    devices.are(told);
  }

  private List<Long> without() {
    return devices.without().stream().map(each -> each.getLong("registration_id")).toList();
  }

  @Test
  void allOthersAreToldAKeyOnce() {
    are(12, 5, 7);
    assertThat(devices.numbers()).isEqualTo("5,7,12");
    assertThat(devices.digest()).hasSize(16);
    String key = devices.nextKey();
    assertThat(without()).containsExactly(7L, 12L);
    devices.have(key, List.of(7L, 12L));
    assertThat(devices.nextKey()).isEqualTo(key);
    assertThat(without()).isEmpty();
    are(5, 7, 12, 13);
    assertThat(devices.nextKey()).isEqualTo(key);
    assertThat(without()).containsExactly(13L);
  }

  @Test
  void whenADeviceIsGoneAllAreToldANewKey() {
    are(5, 7, 12);
    String key = devices.nextKey();
    devices.have(key, List.of(7L, 12L));
    are(5, 7);
    assertThat(devices.nextKey()).isNotEqualTo(key);
    devices.have(key, List.of(7L));
    assertThat(without()).containsExactly(7L);
  }

  @Test
  void aKeyIsUsedForSoManyLetters() {
    are(5, 7);
    String key = devices.nextKey();
    devices.have(key, List.of(7L));
    for (int i = 1; i < 20; i++) {
      assertThat(devices.nextKey()).isEqualTo(key);
    }
    assertThat(devices.nextKey()).isNotEqualTo(key);
    assertThat(without()).containsExactly(7L);
  }
}
