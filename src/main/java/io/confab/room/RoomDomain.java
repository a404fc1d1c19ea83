package io.confab.room;

import io.confab.account.AccountLifecycle;
import io.confab.config.Config;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.retention.Rule;
import io.confab.retention.Swept;
import io.confab.room.MembershipStore.Answer;
import io.confab.room.MembershipStore.Question;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/// The rooms of a node, put together.
public record RoomDomain(RoomHandler handler) {
  /// How many connects may wait for where their rooms stand.
  private static final int MOST_WAITING = 20_000;

  /// How the memberships of a removed account end.
  public static AccountLifecycle.Memberships memberships(Database database, RoomChanges changes) {
    return new EndedAccounts(new RoomStore(database), changes);
  }

  /// What goes when it is over.
  public static List<Rule> retention(Database database, Config.Retention config) {
    return List.of(
        new Rule(Swept.INVITATIONS, new InvitationStore(database)::forgetEnded),
        new Rule(Swept.MUTES, MuteStore::forgetOver),
        new Rule(
            Swept.AUDIT,
            (transaction, most) -> AuditStore.forgetOld(transaction, config.audit(), most)));
  }

  /// @param pace of the reads when many connect
  public static RoomDomain create(
      Database database, RoomChanges changes, Config.Limits limits, BatchedRead.Pace pace) {
    RoomStores stores = RoomStores.of(database);
    MembershipStore memberships = new MembershipStore(database);
    BatchedRead<Question, Map<Question, Answer>> reads =
        new BatchedRead<>(MOST_WAITING, memberships::read, pace);
    SecureRandom random = new SecureRandom();
    return new RoomDomain(
        new RoomHandler(
            stores,
            new RoomCreation(stores, changes, limits.membersPerCall(), random),
            new RoomActions(stores, changes, random),
            question -> reads.read(List.of(question)).map(all -> all.get(question))));
  }
}
