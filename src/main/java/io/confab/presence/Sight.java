package io.confab.presence;

import io.confab.protocol.AccountId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.PresenceView;
import org.jspecify.annotations.Nullable;

/// What one account may know of another, and what the database knows of that one. The one place
/// where it is decided what is shown.
///
/// @param presence whether it may know that the other is there
/// @param lastSeen the same of when it was there last
/// @param seenAt when that was, in milliseconds since 1970; null: never
/// @param text what the other says of itself; empty: nothing
/// @param textVersion rises with each change of the text
public record Sight(
    boolean presence, boolean lastSeen, @Nullable Long seenAt, String text, long textVersion) {
  /// Of one who hides, and of one who is not there.
  public static final Sight NOTHING = new Sight(false, false, null, "", 0);

  private static final Sight PRESENCE = new Sight(true, false, null, "", 0);
  private static final Sight WHOLE = new Sight(true, true, null, "", 0);

  /// The same without what the database knows of the other: one of three, for whoever keeps many.
  public Sight bare() {
    if (!presence) {
      return NOTHING;
    }
    return lastSeen ? WHOLE : PRESENCE;
  }

  /// Whether nothing is kept back.
  public boolean isWhole() {
    return presence && lastSeen;
  }

  /// What is shown of the other, if it is this.
  ///
  /// @param seen when it was there last; null: never
  public PresenceView view(
      AccountId account, PresenceStatus status, @Nullable Long seen, String says) {
    return presence
        ? new PresenceView(
            account,
            status,
            status.isPresent() || !lastSeen ? null : seen,
            says.isEmpty() ? null : says)
        : PresenceView.hidden(account);
  }
}
