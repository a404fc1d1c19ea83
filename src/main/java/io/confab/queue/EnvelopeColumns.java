package io.confab.queue;

import io.confab.config.FieldHash;
import io.confab.protocol.EnvelopeFields.KeyBody;
import io.confab.protocol.RoomId;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A group of sends column by column, as `append_envelopes` takes it.
final class EnvelopeColumns {
  private static final String KIND = "envelope";

  /// Ascending, each once.
  private final Long[] rooms;

  /// Of each send, the index of its room, from 1.
  private final Integer[] slots;

  private final Long[] senders;
  private final String[] devices;
  private final String[] clients;
  private final UUID[] keys;
  private final Long[] hashes;
  private final @Nullable String[] digests;
  private final Boolean[] silents;
  private final @Nullable Integer[] lastings;
  private final @Nullable String[] payloads;
  private final List<Integer> bodySends = new ArrayList<>();
  private final List<KeyBody> bodies = new ArrayList<>();

  private EnvelopeColumns(List<EnvelopeDraft> group) {
    int size = group.size();
    rooms =
        group.stream()
            .map(EnvelopeDraft::room)
            .map(RoomId::value)
            .distinct()
            .sorted()
            .toArray(Long[]::new);
    slots = new Integer[size];
    senders = new Long[size];
    devices = new String[size];
    clients = new String[size];
    keys = new UUID[size];
    hashes = new Long[size];
    digests = new String[size];
    silents = new Boolean[size];
    lastings = new Integer[size];
    payloads = new String[size];
    for (int i = 0; i < size; i++) {
      put(i, group.get(i));
    }
  }

  static EnvelopeColumns of(List<EnvelopeDraft> group) {
    return new EnvelopeColumns(group);
  }

  private void put(int i, EnvelopeDraft draft) {
    slots[i] = Arrays.binarySearch(rooms, draft.room().value()) + 1;
    senders[i] = draft.sender().account().value();
    devices[i] = draft.sender().device().value();
    clients[i] = draft.clientId().value();
    keys[i] = draft.clientId().key();
    hashes[i] = hash(draft);
    digests[i] = draft.digest();
    silents[i] = draft.silent();
    lastings[i] = draft.expiresInS();
    payloads[i] = draft.payload();
    for (KeyBody body : draft.bodies()) {
      bodySends.add(i + 1);
      bodies.add(body);
    }
  }

  /// A retry repeats the same bytes; what the sender knows of devices is not among them.
  private static long hash(EnvelopeDraft draft) {
    Integer lasting = draft.expiresInS();
    FieldHash hash =
        new FieldHash()
            .add(KIND)
            .add(draft.room().value())
            .add(draft.silent() ? 1 : 0)
            .add(lasting == null ? -1 : lasting)
            .add(draft.payload());
    for (KeyBody body : draft.bodies()) {
      hash.add(body.registrationId().value()).add(body.body());
    }
    return hash.firstBytes();
  }

  int slot(int send) {
    return slots[send];
  }

  /// What the function takes of the sends.
  Tuple arguments() {
    return Tuple.tuple()
        .addValue(rooms)
        .addValue(slots)
        .addValue(senders)
        .addValue(devices)
        .addValue(clients)
        .addValue(keys)
        .addValue(hashes)
        .addValue(digests)
        .addValue(silents)
        .addValue(lastings)
        .addValue(payloads)
        .addValue(bodySends.toArray(Integer[]::new))
        .addValue(bodies.stream().map(body -> body.registrationId().value()).toArray(Long[]::new))
        .addValue(bodies.stream().map(body -> body.accountId().value()).toArray(Long[]::new))
        .addValue(bodies.stream().map(body -> body.deviceId().value()).toArray(String[]::new))
        .addValue(bodies.stream().map(KeyBody::body).toArray(String[]::new));
  }

  /// Room, sender, key, content.
  Tuple identities() {
    return Tuple.tuple()
        .addValue(Arrays.stream(slots).map(slot -> rooms[slot - 1]).toArray(Long[]::new))
        .addValue(senders)
        .addValue(keys)
        .addValue(hashes);
  }
}
