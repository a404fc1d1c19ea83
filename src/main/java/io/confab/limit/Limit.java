package io.confab.limit;

import io.confab.config.Config;
import io.confab.config.Rate;
import io.confab.protocol.WireName;
import java.util.function.Function;

/// Every rate limit, in one table: what is counted, for whom, at which rate, and whether the nodes
/// count together.
public enum Limit implements WireName {
  /// Messages sent.
  SENDS(Who.ACCOUNT, 25, Config.Rates::sends),
  /// Messages stored in one room, of all of its members.
  ROOM_SENDS(Who.ROOM, 200, Config.Rates::roomSends),
  /// Edits and deletions of messages.
  CHANGES(Who.ACCOUNT, 25, Config.Rates::changes),
  /// Typing begun, repeated and ended.
  TYPING(Who.ACCOUNT, 10, Config.Rates::typing),
  /// Messages marked as received, read or unread.
  MARKERS(Who.ACCOUNT, 25, Config.Rates::markers),
  /// Presence watched or said.
  PRESENCE(Who.ACCOUNT, 10, Config.Rates::presence),
  /// Rooms created.
  ROOMS(Who.ACCOUNT, 10, Config.Rates::rooms),
  /// Rooms joined, invitations tried, seats asked for and given up.
  JOINS(Who.ACCOUNT, 10, Config.Rates::joins),
  /// Members added and removed, roles and rooms changed.
  MEMBERS(Who.ACCOUNT, 10, Config.Rates::members),
  /// Pages and lists read.
  READS(Who.ACCOUNT, 50, Config.Rates::reads),
  /// Rooms exported.
  EXPORTS(Who.ACCOUNT, 1, Config.Rates::exports),
  /// Changes of one's display name and of the names of one's devices.
  RENAMES(Who.ACCOUNT, 1, Config.Rates::renames),
  /// Other calls that change something.
  WRITES(Who.ACCOUNT, 10, Config.Rates::writes),
  /// Keys and vaults stored.
  KEY_UPLOADS(Who.ACCOUNT, 10, Config.Rates::keyUploads),
  /// Changes of an identity, and devices that begin to have keys.
  IDENTITIES(Who.ACCOUNT, 1, Config.Rates::identities),
  /// Accounts whose keys are asked for.
  KEY_QUERIES(Who.ACCOUNT, 100, Config.Rates::keyQueries),
  /// Devices of which a key is claimed.
  KEY_CLAIMS(Who.ACCOUNT, 50, Config.Rates::keyClaims),
  /// Calls of administrators.
  ADMIN(Who.ADDRESS, 10, Config.Rates::admin),
  /// Tickets issued.
  TICKETS(Who.ACCOUNT, 10, Config.Rates::tickets),
  /// Sessions begun.
  HELLOS(Who.ACCOUNT, 10, Config.Rates::hellos),
  /// `resume` frames.
  RESUMES(Who.ACCOUNT, 10, Config.Rates::resumes),
  /// Frames of one device.
  FRAMES(Who.DEVICE, Config.Rates::frames),
  /// Accounts created by sign-up.
  SIGN_UPS(Who.ADDRESS, 1, Config.Rates::signUps),
  /// Tries to sign in.
  SIGN_INS(Who.ADDRESS, 10, Config.Rates::signIns),
  /// Failed tries to sign in; for IPv6 by /48 network.
  FAILED_SIGN_INS(Who.ADDRESS, 1, Config.Rates::failedSignIns),
  /// Failed tries to sign in to one account from where nobody signed in to it before.
  HANDLE_SIGN_INS(Who.HANDLE, 1, Config.Rates::handleSignIns),
  /// Refresh tokens traded.
  REFRESHES(Who.ADDRESS, 50, Config.Rates::refreshes),
  /// HTTP requests of any kind.
  REQUESTS(Who.ADDRESS, Config.Rates::requests),
  /// Connections opened.
  CONNECTIONS(Who.ADDRESS, Config.Rates::connections),
  /// Sockets opened.
  UPGRADES(Who.ADDRESS, Config.Rates::upgrades);

  /// For whom it is counted.
  public enum Who implements WireName {
    ACCOUNT,
    DEVICE,
    /// An IPv4 address, or the /64 network of an IPv6 address.
    ADDRESS,
    ROOM,
    HANDLE
  }

  private final Who who;
  private final int chunk;

  /// Reads the rate from the configuration.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Function<Config.Rates, Rate> rate;

  /// Counted by each node alone.
  Limit(Who who, Function<Config.Rates, Rate> rate) {
    this(who, 0, rate);
  }

  /// Counted by all nodes together.
  Limit(Who who, int chunk, Function<Config.Rates, Rate> rate) {
    this.who = who;
    this.chunk = chunk;
    this.rate = rate;
  }

  public Who who() {
    return who;
  }

  Rate rate(Config.Rates rates) {
    return rate.apply(rates);
  }

  /// Whether all nodes count together.
  boolean isShared() {
    return chunk > 0;
  }

  /// A node reports to the others after so many.
  int chunk() {
    return chunk;
  }
}
