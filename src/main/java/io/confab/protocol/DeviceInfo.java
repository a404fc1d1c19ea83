package io.confab.protocol;

import org.jspecify.annotations.Nullable;

/// What a client says of its device.
public record DeviceInfo(@Nullable DeviceId deviceId, String name, String platform) {

  /// Reads `{device_id?, name, platform}`.
  public static DeviceInfo read(Fields fields) {
    String id = fields.optionalText("device_id");
    DeviceInfo device =
        new DeviceInfo(
            id == null ? null : new DeviceId(TextRules.clientMade(fields.path("device_id"), id)),
            TextRules.name(fields.path("name"), fields.text("name")),
            TextRules.name(fields.path("platform"), fields.text("platform")));
    fields.end();
    return device;
  }
}
