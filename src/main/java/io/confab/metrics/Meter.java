package io.confab.metrics;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The one table of meters: the name as Prometheus shows it, what it counts, its label if any.
public enum Meter {
  CONNECTIONS_OPEN(
      Kind.GAUGE, "confab_connections_open", "Connections of clients open on this node"),
  CONNECTIONS_REFUSED(
      Kind.COUNTER,
      "confab_connections_refused_total",
      "Connections closed when they were accepted; total: too many, address: too many of one, rate:"
          + " too often",
      "bound"),
  SOCKETS_OPEN(Kind.GAUGE, "confab_sockets_open", "WebSockets open on this node"),
  SOCKETS_CLOSED(
      Kind.COUNTER,
      "confab_sockets_closed_total",
      "WebSockets closed by this node, by close code",
      "code"),
  FRAMES_IN(Kind.COUNTER, "confab_frames_in_total", "Frames received from clients"),
  FRAMES_OUT(Kind.COUNTER, "confab_frames_out_total", "Frames handed to sockets for writing"),
  SENDS_ACKNOWLEDGED(
      Kind.COUNTER,
      "confab_sends_acknowledged_total",
      "Sends acknowledged after their commit; duplicate: recognised as a retry",
      "duplicate"),
  SENDS_REFUSED(
      Kind.COUNTER, "confab_sends_refused_total", "Sends refused, by code of the error", "code"),
  SEND_TIME(
      Kind.HISTOGRAM,
      "confab_send_seconds",
      "Time from a send to its acknowledgement, on the node that its sender is connected to"),
  CHANGES_ACKNOWLEDGED(
      Kind.COUNTER,
      "confab_changes_acknowledged_total",
      "Edits and deletions of messages acknowledged after their commit, retries included"),
  CHANGES_REFUSED(
      Kind.COUNTER,
      "confab_changes_refused_total",
      "Edits and deletions of messages refused, by code of the error",
      "code"),
  GROUP_ROWS(Kind.DISTRIBUTION, "confab_group_rows", "Messages stored by one group commit"),
  APPEND_TIME(
      Kind.TIMER, "confab_append_seconds", "Time of one group commit, from its call to its answer"),
  EVENTS_FANNED_OUT(
      Kind.COUNTER, "confab_events_fanned_out_total", "Room events and signals handed to sessions"),
  DELIVERY_TIME(
      Kind.HISTOGRAM,
      "confab_delivery_seconds",
      "Time from storing a message, by PostgreSQL's clock, to handing it to the sessions of an"
          + " event loop"),
  GAP_FILLS(
      Kind.COUNTER,
      "confab_gap_fills_total",
      "Times that a feed read missing events from PostgreSQL"),
  PUBLICATIONS_DROPPED(
      Kind.COUNTER,
      "confab_publications_dropped_total",
      "Redis publications dropped; forged: not from a node; unsent: Redis away",
      "reason"),
  DIGESTS_PUBLISHED(
      Kind.COUNTER, "confab_digests_published_total", "Digests published for the other nodes"),
  DIGESTS_MISSED(
      Kind.COUNTER, "confab_digests_missed_total", "Digests of other nodes that did not arrive"),
  COMPARISONS(
      Kind.COUNTER,
      "confab_comparisons_total",
      "Times that all followed rooms and all sessions were compared with PostgreSQL",
      "reason"),
  RECENT_WINDOW_READS(
      Kind.COUNTER,
      "confab_recent_window_reads_total",
      "Pages of missed events asked of the recent window; hit: answered by it; miss: read from"
          + " PostgreSQL",
      "result"),
  ACCOUNTS_PRESENT(
      Kind.GAUGE, "confab_accounts_present", "Accounts that are there by sessions on this node"),
  PRESENCE_TRANSITIONS(
      Kind.COUNTER,
      "confab_presence_transitions_total",
      "Accounts that came, went or changed their status, by words that came to this node"),
  PRESENCE_FRAMES(
      Kind.COUNTER,
      "confab_presence_frames_total",
      "Frames by which sessions were told who is there, and how many"),
  SEATS_INSIDE(
      Kind.GAUGE,
      "confab_seats_inside",
      "Accounts inside rooms with a capacity, shown by the node that looks after all of them"),
  SEATS_OFFERED(
      Kind.GAUGE, "confab_seats_offered", "Seats kept for accounts without a session, shown there"),
  SEATS_WAITING(Kind.GAUGE, "confab_seats_waiting", "Accounts that wait for a seat, shown there"),
  SEATS_PAUSED(
      Kind.GAUGE,
      "confab_seats_paused",
      "1 while nobody is let in because seats may have been lost or Redis or PostgreSQL is away,"
          + " else 0"),
  SEAT_WAIT_TIME(
      Kind.TIMER, "confab_seat_wait_seconds", "Time that an account waited before it was inside"),
  KEYS_CLAIMED(
      Kind.COUNTER,
      "confab_keys_claimed_total",
      "Keys of devices asked for; fallback: no one-time key was left; none: nor that; limited: asked"
          + " for too often",
      "outcome"),
  KEYS_LOW(
      Kind.COUNTER,
      "confab_keys_low_total",
      "Times that a device was to hear that it has few one-time keys left"),
  RATE_LIMITED(
      Kind.COUNTER,
      "confab_rate_limited_total",
      "Requests refused because a rate limit was reached, by limit",
      "limit"),
  HTTP_REQUESTS(
      Kind.COUNTER,
      "confab_http_requests_total",
      "HTTP requests answered, by class of status such as 2xx",
      "status"),
  HTTP_TIME(
      Kind.HISTOGRAM,
      "confab_http_seconds",
      "Time from the head of an HTTP request to its answer, of which a long one is only begun"),
  CERTIFICATE_EXPIRES(
      Kind.GAUGE,
      "confab_certificate_expires_seconds",
      "When the listener's certificate ends, in seconds since 1970; absent without TLS"),
  ISOLATIONS(
      Kind.COUNTER,
      "confab_isolations_total",
      "Times that this node closed its sockets because it reached neither PostgreSQL nor a peer"),
  UNREAD_DRIFT(
      Kind.COUNTER,
      "confab_unread_drift_total",
      "Unread counts that were found to differ from the messages: a bug"),
  QUEUES_OPEN(
      Kind.GAUGE,
      "confab_queues_open",
      "Sessions on this node that have come for what waits for their devices"),
  ENVELOPES_DELIVERED(
      Kind.COUNTER,
      "confab_envelopes_delivered_total",
      "Envelopes handed to sockets for writing; live: as they were announced; read: from their"
          + " queues",
      "way"),
  ENVELOPES_EXPIRED(
      Kind.COUNTER,
      "confab_envelopes_expired_total",
      "Sends of sealed rooms that this node ended because their time was over"),
  ENVELOPES_FAILED(
      Kind.COUNTER,
      "confab_envelopes_failed_total",
      "Messages of sealed rooms that no device of somebody can get any more, each once for everybody",
      "reason"),
  QUEUE_DRAIN_TIME(
      Kind.TIMER,
      "confab_queue_drain_seconds",
      "Time from opening a queue until all is sent that there was then"),
  QUEUE_ACKS(
      Kind.COUNTER,
      "confab_queue_acks_total",
      "Queues acknowledged further, each counted once a call"),
  ACK_TIME(
      Kind.TIMER,
      "confab_queue_ack_seconds",
      "Time of one call that stores what devices acknowledge"),
  WAKES(Kind.COUNTER, "confab_wakes_total", "Devices to be woken for what waits for them"),
  DEAD_LETTERS(
      Kind.COUNTER,
      "confab_dead_letters_total",
      "Envelopes of sealed rooms that could not be stored, or not be read by their devices"),
  SECURITY_EVENTS(
      Kind.COUNTER,
      "confab_security_events_total",
      "What the security log tells, those without a line of their own too",
      "event"),
  STORAGE_FAILURES(
      Kind.COUNTER,
      "confab_storage_failures_total",
      "Statements that PostgreSQL refused because its disk is full or fails"),
  ROWS_REMOVED(
      Kind.COUNTER,
      "confab_rows_removed_total",
      "Rows that this node removed because they were over",
      "rule"),
  SWEPT(
      Kind.GAUGE,
      "confab_swept_seconds",
      "When all rows that were over had been removed last, by any node, in seconds since 1970"),
  WRITERS_WAITING(
      Kind.GAUGE, "confab_writers_waiting", "Sends, edits and deletions that wait for a writer"),
  DIRECT_MEMORY_USED(
      Kind.GAUGE,
      "confab_direct_memory_used_bytes",
      "Memory outside of the heap that buffers take, most of it for connections"),
  DIRECT_MEMORY_MOST(
      Kind.GAUGE,
      "confab_direct_memory_max_bytes",
      "What it may be; who asks for more ends the node with exit code 3"),
  DEPENDENCY_UP(
      Kind.GAUGE,
      "confab_dependency_up",
      "1 if it answers, as /health/ready sees it at the time of the scrape, else 0; node: 0 while"
          + " it stops",
      "dependency"),
  PEERS(Kind.GAUGE, "confab_peers", "Other nodes that this node knows of; absent without cluster"),
  BUILD_INFO(Kind.GAUGE, "confab_build_info", "Always 1; its label is the version", "version"),
  LOOP_TASKS(
      Kind.GAUGE, "confab_loop_tasks", "Tasks that wait for their turn on an event loop", "loop"),
  POOL_WAITING(
      Kind.GAUGE,
      "confab_pool_waiting",
      "Requests that wait for a connection or a thread of a pool",
      "pool"),
  POOL_IN_USE(
      Kind.GAUGE, "confab_pool_in_use", "Connections or threads of a pool that are in use", "pool"),
  POOL_WAIT_TIME(
      Kind.TIMER,
      "confab_pool_wait_seconds",
      "Time that a request waited for a connection or a thread of a pool",
      "pool"),
  BUS_RECEIVED(
      Kind.COUNTER,
      "confab_bus_received_total",
      "Commands and announcements that came by the event bus; remote: from another node",
      "side");

  /// What a meter measures with.
  public enum Kind {
    COUNTER,
    GAUGE,
    DISTRIBUTION,
    HISTOGRAM,
    TIMER
  }

  private final Kind kind;
  private final String title;
  private final String help;
  private final @Nullable String label;

  Meter(Kind kind, String title, String help) {
    this(kind, title, help, null);
  }

  Meter(Kind kind, String title, String help, @Nullable String label) {
    this.kind = kind;
    this.title = title;
    this.help = help;
    this.label = label;
  }

  public Kind kind() {
    return kind;
  }

  /// The name in Prometheus; it begins with `confab_`.
  public String title() {
    return title;
  }

  public String help() {
    return help;
  }

  public Optional<String> label() {
    return Optional.ofNullable(label);
  }
}
