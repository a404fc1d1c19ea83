package io.confab.ledger;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// Who was there at the end, and what devices were told of it.
///
/// @param statuses of the accounts with sessions; whoever has none is offline
/// @param members of each room
/// @param known by every device of every account that it watches
/// @param counted by devices that watch a room
public record FinalPresence(
    Map<String, String> statuses,
    Map<String, Set<String>> members,
    List<Known> known,
    List<Counted> counted) {
  /// Nobody looked.
  public static final FinalPresence NONE =
      new FinalPresence(Map.of(), Map.of(), List.of(), List.of());

  private static final String OFFLINE = "offline";

  /// The last word that a device was told of an account.
  ///
  /// @param viewer the device's account
  public record Known(String device, String viewer, String account, String status) {}

  /// The last number that a device was told of a room.
  public record Counted(String device, String room, long online) {}

  /// What the viewer should know: accounts show themselves to those who share a room with them.
  String status(Known each) {
    return each.viewer().equals(each.account()) || share(each.viewer(), each.account())
        ? statuses.getOrDefault(each.account(), OFFLINE)
        : OFFLINE;
  }

  private boolean share(String one, String other) {
    return members.values().stream().anyMatch(all -> all.contains(one) && all.contains(other));
  }

  long online(String room) {
    return members.getOrDefault(room, Set.of()).stream()
        .filter(member -> !statuses.getOrDefault(member, OFFLINE).equals(OFFLINE))
        .count();
  }

  /// Whether every device knows how it is.
  public boolean isKnown() {
    return known.stream().allMatch(this::isRight) && counted.stream().allMatch(this::isRight);
  }

  boolean isRight(Known each) {
    return each.status().equals(status(each));
  }

  boolean isRight(Counted each) {
    return each.online() == online(each.room());
  }
}
