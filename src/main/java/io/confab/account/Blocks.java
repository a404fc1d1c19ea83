package io.confab.account;

import io.confab.account.AccountCommand.Blocked;
import io.confab.bus.Done;
import io.confab.feed.AccountSignal;
import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whom people block. Each call signals that others may see less of the account, or more, also one
/// that changes nothing: it may repeat one whose answer was lost.
public final class Blocks {
  private final AnnouncedTransactions transactions;
  private final BlockStore store;

  public Blocks(AnnouncedTransactions transactions, BlockStore store) {
    this.transactions = transactions;
    this.store = store;
  }

  Future<List<Blocked>> list(AccountId account, @Nullable AccountId after, int limit) {
    return store.list(account, after, limit);
  }

  /// Refusals: `invalid_field`, `not_found`, `conflict` for more than an account may block.
  Future<Blocked> block(AccountId account, AccountId blocked) {
    if (blocked.equals(account)) {
      throw Refusal.invalidField("account_id", "is the caller");
    }
    return transactions.run(
        transaction ->
            store
                .insert(transaction, account, blocked)
                .map(
                    inserted ->
                        switch (inserted) {
                          case DONE -> changed(new Blocked(blocked), account);
                          case NO_SUCH_ACCOUNT -> throw AccountRules.noSuchAccount();
                          case FULL ->
                              throw new Refusal(
                                  ErrorCode.CONFLICT, null, "the account blocks as many as it may");
                        }));
  }

  Future<Done> unblock(AccountId account, AccountId blocked) {
    return transactions.run(
        transaction ->
            store.delete(transaction, account, blocked).map(_ -> changed(Done.DONE, account)));
  }

  private static <T> Outcome<T> changed(T answer, AccountId account) {
    return Outcome.signalling(answer, new AccountSignal.VisibilityChanged(account));
  }
}
