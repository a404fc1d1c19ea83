package io.confab.message;

import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A group of drafts column by column, as arguments that SQL unnests.
final class DraftColumns {
  private final Long[] rooms;
  private final Long[] senders;
  private final String[] clients;
  private final UUID[] keys;
  private final Long[] hashes;
  private final String[] types;
  private final String[] bodies;
  private final @Nullable Long[] replies;
  private final @Nullable String[] topics;

  /// Null as long as no draft mentions anybody.
  private @Nullable String @Nullable [] names;

  /// Null as long as no sender is inside.
  private Boolean @Nullable [] seated;

  private DraftColumns(int size) {
    rooms = new Long[size];
    senders = new Long[size];
    clients = new String[size];
    keys = new UUID[size];
    hashes = new Long[size];
    types = new String[size];
    bodies = new String[size];
    replies = new Long[size];
    topics = new String[size];
  }

  static DraftColumns of(List<Draft> group) {
    DraftColumns columns = new DraftColumns(group.size());
    for (int i = 0; i < group.size(); i++) {
      columns.put(i, group.get(i));
    }
    return columns;
  }

  private void put(int i, Draft draft) {
    SendKey key = SendKey.of(draft);
    rooms[i] = draft.roomId().value();
    senders[i] = draft.senderId().value();
    clients[i] = draft.clientId().value();
    keys[i] = key.clientKey();
    hashes[i] = key.contentHash();
    types[i] = draft.type().wire();
    bodies[i] = draft.body();
    replies[i] = draft.replyTo() == null ? null : draft.replyTo().value();
    topics[i] = draft.topic();
    String mentioned = MentionNames.in(draft.body());
    if (mentioned != null) {
      names = names == null ? new String[rooms.length] : names;
      names[i] = mentioned;
    }
    if (draft.seated()) {
      seated = seated == null ? outside(rooms.length) : seated;
      seated[i] = true;
    }
  }

  private static Boolean[] outside(int size) {
    Boolean[] none = new Boolean[size];
    Arrays.fill(none, false);
    return none;
  }

  /// Adds what `append_messages` takes of each row besides its place.
  Tuple appendTo(Tuple arguments) {
    return arguments
        .addValue(senders)
        .addValue(clients)
        .addValue(keys)
        .addValue(hashes)
        .addValue(types)
        .addValue(bodies)
        .addValue(replies)
        .addValue(topics)
        .addValue(names)
        .addValue(seated);
  }

  /// Room, sender, key, content.
  Tuple identities() {
    return Tuple.tuple().addValue(rooms).addValue(senders).addValue(keys).addValue(hashes);
  }
}
