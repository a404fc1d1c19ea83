package io.confab.chaos;

/// What the nemesis can do, and how often it does it in the mixed run against the others.
enum FaultKind {
  NODE_KILLED(20),
  NODE_FROZEN(2),
  REDIS_KILLED(6),
  REDIS_FROZEN(1),
  REDIS_FLUSHED(1),
  REDIS_SUBSCRIBERS_CUT(2),
  POSTGRES_KILLED(3),
  POSTGRES_BACKEND_KILLED(2),
  POSTGRES_FROZEN(1),
  CLIENTS_RESET(2),
  CLIENTS_CUT_AT_A_BYTE(2),
  CLIENTS_IN_A_BLACK_HOLE(1),
  CLIENTS_NOT_ANSWERED(1),
  CLIENTS_NOT_HEARD(1),
  REDIS_WAY_RESET(2),
  REDIS_WAY_CUT_AT_A_BYTE(2),
  REDIS_WAY_IN_A_BLACK_HOLE(1),
  REDIS_WAY_NOT_ANSWERED(1),
  POSTGRES_WAY_RESET(2),
  POSTGRES_WAY_CUT_AT_A_BYTE(2),
  POSTGRES_WAY_STILL(1),
  PUBLICATIONS_DROPPED(3),
  ACKS_DROPPED(3);

  private final int weight;

  FaultKind(int weight) {
    this.weight = weight;
  }

  int weight() {
    return weight;
  }

  String title() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }
}
