package io.confab.chaos;

/// What the nemesis can do, and how often it does it in the mixed run against the others.
enum FaultKind {
  NODE_KILLED(48),
  NODE_FROZEN(1),
  NODE_FROZEN_IN_A_CHANGE(1),
  NODE_ALONE(1),
  OTHER_NODES_KILLED(1),
  REDIS_KILLED(15),
  REDIS_AWAY_FOR_LONG(1),
  REDIS_FROZEN(1),
  REDIS_FLUSHED(1),
  REDIS_SUBSCRIBERS_CUT(1),
  POSTGRES_KILLED(10),
  POSTGRES_BACKEND_KILLED(1),
  POSTGRES_FROZEN(1),
  DISK_FULL(1),
  ROOM_LOCKED(1),
  CLIENTS_RESET(1),
  CLIENTS_CUT_AT_A_BYTE(1),
  CLIENTS_IN_A_BLACK_HOLE(1),
  CLIENTS_NOT_ANSWERED(1),
  CLIENTS_NOT_HEARD(1),
  REDIS_WAY_RESET(1),
  REDIS_WAY_CUT_AT_A_BYTE(1),
  REDIS_WAY_IN_A_BLACK_HOLE(1),
  REDIS_WAY_NOT_ANSWERED(1),
  REDIS_WAY_SILENT(1),
  POSTGRES_WAY_RESET(1),
  POSTGRES_WAY_CUT_AT_A_BYTE(1),
  POSTGRES_WAY_STILL(1),
  POSTGRES_WAY_SILENT(1),
  POSTGRES_WAY_CUT_IN_A_LOCK(1),
  PUBLICATIONS_DROPPED(1),
  ACKS_DROPPED(1),
  CLUSTER_CUT(1);

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
