package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import de.connect2x.trixnity.vodozemac.megolm.GroupSession;
import de.connect2x.trixnity.vodozemac.megolm.MegolmSessionConfig;
import io.confab.protocol.Opaque;
import io.confab.protocol.RoomId;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The keys with which the own device encrypts, one a room. Another one is made after some messages
/// or some time, and when somebody who has it is no longer to read.
final class SenderKeys {
  private static final String KEY = "send/";

  private final DeviceAccount own;

  SenderKeys(DeviceAccount own) {
    this.own = own;
  }

  /// @param since in milliseconds since 1970
  /// @param shared who has the key
  /// @param withLine whether some got it with a line
  private record Kept(
      String id, String pickle, long since, int messages, Set<String> shared, boolean withLine) {

    private Kept with(Set<String> others, boolean beside) {
      return new Kept(id, pickle, since, messages, others, withLine || beside);
    }
  }

  /// Makes another key where the present one may not be used for these readers.
  ///
  /// @param readers who is to read, by the names that [#got] is given later
  /// @param outlasts whether lines have lifetimes, of which the server may have known before this
  ///     device did: a key that went with a line may be gone with it
  void rotate(
      Changes changes,
      RoomId room,
      Collection<String> readers,
      Rotation rotation,
      Instant now,
      boolean outlasts) {
    boolean usable =
        find(changes, room)
            .filter(kept -> kept.messages() < rotation.messages())
            .filter(kept -> now.toEpochMilli() - kept.since() < rotation.age().toMillis())
            .filter(kept -> readers.containsAll(kept.shared()))
            .filter(kept -> !outlasts || !kept.withLine())
            .isPresent();
    if (!usable) {
      try (GroupSession made = GroupSession.Companion.invoke(MegolmSessionConfig.Companion.v1())) {
        put(
            changes,
            room,
            new Kept(
                made.getSessionId(),
                Vodozemac.pickle(made),
                now.toEpochMilli(),
                0,
                Set.of(),
                false));
      }
    }
  }

  /// Who has the key.
  Set<String> shared(Changes changes, RoomId room) {
    return find(changes, room).map(Kept::shared).orElse(Set.of());
  }

  /// Which key is used.
  String id(Changes changes, RoomId room) {
    return kept(changes, room).id();
  }

  /// The key as it is told to those who are to read from here on.
  ObjectNode share(Changes changes, RoomId room) {
    try (GroupSession session = Vodozemac.sender(kept(changes, room).pickle());
        var key = session.getSessionKey()) {
      return SealedJson.object()
          .put("algorithm", OlmNames.MEGOLM)
          .put("room_id", OlmNames.of(room))
          .put("session_id", session.getSessionId())
          .put("session_key", key.getBase64());
    }
  }

  /// Encrypts for all who have the key.
  Opaque encrypt(Changes changes, RoomId room, String plain) {
    Kept kept = kept(changes, room);
    try (GroupSession session = Vodozemac.sender(kept.pickle());
        var message = session.encrypt(plain)) {
      put(
          changes,
          room,
          new Kept(
              kept.id(),
              Vodozemac.pickle(session),
              kept.since(),
              kept.messages() + 1,
              kept.shared(),
              kept.withLine()));
      DeviceIdentity me = own.identity(changes);
      return new Opaque(
          SealedJson.write(
              SealedJson.object()
                  .put("algorithm", OlmNames.MEGOLM)
                  .put("sender_key", me.curve25519())
                  .put("device_id", me.device().value())
                  .put("session_id", session.getSessionId())
                  .put("ciphertext", message.getBase64())));
    }
  }

  /// These got a key, which may have ended meanwhile.
  ///
  /// @param withLine whether it came with a line
  void got(Changes changes, RoomId room, String id, Collection<String> readers, boolean withLine) {
    find(changes, room)
        .filter(kept -> kept.id().equals(id))
        .ifPresent(
            kept -> {
              Set<String> shared = new TreeSet<>(kept.shared());
              shared.addAll(readers);
              put(changes, room, kept.with(shared, withLine && !readers.isEmpty()));
            });
  }

  /// A key is used no more, since nobody knows who got it.
  void end(Changes changes, RoomId room, String id) {
    if (find(changes, room).filter(kept -> kept.id().equals(id)).isPresent()) {
      changes.remove(KEY + room);
    }
  }

  void endAll(Changes changes) {
    changes.keys(KEY).forEach(changes::remove);
  }

  /// A device lost what it got, so it is told all keys again.
  ///
  /// @param reader how the names of the device begin
  void lost(Changes changes, String reader) {
    for (String key : changes.keys(KEY)) {
      RoomId room = RoomId.parse(key.substring(KEY.length()));
      Kept kept = kept(changes, room);
      Set<String> shared = new TreeSet<>(kept.shared());
      if (shared.removeIf(name -> name.startsWith(reader))) {
        put(changes, room, kept.with(shared, false));
      }
    }
  }

  private static Optional<Kept> find(Changes changes, RoomId room) {
    return changes.get(KEY + room).map(json -> SealedJson.kept(json, Kept.class));
  }

  private static Kept kept(Changes changes, RoomId room) {
    return find(changes, room).orElseThrow();
  }

  private static void put(Changes changes, RoomId room, Kept kept) {
    changes.put(KEY + room, SealedJson.keep(kept));
  }
}
