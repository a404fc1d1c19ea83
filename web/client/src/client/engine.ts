import type { ConfabApi } from "../http/api.ts";
import { asConfabError } from "../http/error.ts";
import type { SignIn } from "../http/signIn.ts";
import type { Change } from "../model/change.ts";
import type { Model } from "../model/model.ts";
import type { Connection, ErrorInfo, PendingSend } from "../model/views.ts";
import type { ClientFrame, ServerFrame } from "../protocol/frames.ts";
import type { ClientId, RoomId } from "../protocol/values.ts";
import type { Input } from "../rules/input.ts";
import type { Output, Outgoing } from "../rules/output.ts";
import { Rules } from "../rules/rules.ts";
import type { Environment } from "./environment.ts";
import { LiveSocket } from "./socket.ts";

/** The most bytes of bodies that may wait to be sent. */
const MOST_WAITING_BYTES = 4_000_000;
/** Within this, a welcome that was on its way explains how clocks differ. */
const AGREEING_MS = 1_000;
const REVOKED = new Set([4501, 4502]);

export interface EngineOptions {
  model: Model;
  api: ConfabApi;
  signIn: SignIn;
  servers: readonly string[];
  environment: Environment;
  /** The order in which sends were made, in whatever tab. */
  inOrder: (sends: readonly PendingSend[]) => PendingSend[];
  /** Carries out changes, here and in other tabs. */
  publish: (changes: readonly Change[]) => void;
  /** The connection is live: what is told once and not repeated is to be read. */
  live: () => void;
  /** A frame that is nothing to the rules. */
  frame: (frame: ServerFrame) => void;
  /** The sign-in is over. */
  over: (why: string) => void;
}

/**
 * Runs the rules for an account: an input, then what they decide, then a timer for when they are due. The
 * changes that one input leads to are published together.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #rules: Rules;
  readonly #socket: LiveSocket;
  readonly #inputs: Input[] = [];
  #busy = false;
  #stopTimer: (() => void) | undefined;
  #attempts = 0;
  #token = "";
  #lost_at: number | undefined;
  #ahead: number | undefined;
  #closeCode = 0;
  #abandoned = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { environment, model, servers } = options;
    this.#rules = new Rules({
      servers: servers.length,
      random: environment.random,
      positions: model.positions(),
      standings: model.standings(),
    });
    this.#lost_at = model.connection.value.lost_at;
    this.#ahead = model.connection.value.server_ahead_ms;
    this.#socket = new LiveSocket(environment, {
      opened: () => this.give({ kind: "opened" }),
      unopened: () => this.give({ kind: "unopened" }),
      frame: (frame) => this.give({ kind: "frame", frame }),
      closed: (code) => this.#closed(code),
    });
  }

  /** Gives the rules an input; one that comes while another is carried out waits for it. */
  give(input: Input): void {
    if (this.#abandoned) return;
    this.#inputs.push(input);
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let next = this.#inputs.shift(); next; next = this.#inputs.shift()) this.#take(next);
    } finally {
      this.#busy = false;
      this.#arm();
    }
  }

  #take(input: Input): void {
    const changes: Change[] = [];
    try {
      if (input.kind === "frame") this.#heard(input.frame, changes);
      for (const output of this.#rules.take(input, this.#options.environment.now())) this.#perform(output, changes);
      this.#position(input, changes);
      if (changes.length > 0) this.#options.publish(changes);
    } catch (fault) {
      this.#options.environment.report(fault);
    }
  }

  #arm(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (this.#abandoned) return;
    const { environment } = this.#options;
    const due = this.#rules.deadline - environment.now();
    if (due === Infinity) return;
    this.#stopTimer = environment.timer(() => this.give({ kind: "tick" }), Math.max(1, Math.ceil(due)));
  }

  /** Frames that say more than the rules want to know. */
  #heard(frame: ServerFrame, changes: Change[]): void {
    if (frame.type === "room.added") changes.push({ kind: "room", room: frame.room });
    else if (frame.type === "goodbye") this.#closeCode = frame.code;
    else if (frame.type === "welcome") {
      const ahead = frame.server_time - this.#options.environment.time();
      this.#ahead = Math.abs(ahead) < AGREEING_MS ? undefined : ahead;
    }
    this.#options.frame(frame);
  }

  #closed(code: number): void {
    if (code !== 1006 || this.#closeCode === 0) this.#closeCode = code;
    this.give({ kind: "closed", code });
  }

  /** Revs without anything to show move the position too. */
  #position(input: Input, changes: Change[]): void {
    const rooms = new Set(changes.flatMap(roomsOf));
    if (input.kind === "frame" && "room_id" in input.frame) rooms.add(input.frame.room_id);
    if ("ask" in input) rooms.add(input.ask.room_id);
    const positions = [...rooms].map((room_id) => this.#rules.position(room_id)).filter((each) => each !== undefined);
    if (positions.length > 0) changes.push({ kind: "positions", positions });
  }

  #perform(output: Output, changes: Change[]): void {
    switch (output.kind) {
      case "connect":
        return this.#open(output.server);
      case "frame":
        return this.#write(output.frame);
      case "hang_up":
        this.#attempts++;
        return this.#socket.drop();
      case "renew_token":
        return this.#renew();
      case "list_rooms":
        return this.#listRooms();
      case "read_history":
      case "read_events":
        return this.#read(output);
      case "state":
        return this.#state(output, changes);
      case "added": {
        const { kind: _kind, ...position } = output;
        changes.push({ kind: "positions", positions: [position] });
        return;
      }
      case "removed":
        changes.push(output);
        return;
      case "said":
      case "edited":
      case "deleted":
      case "event":
      case "reset":
        changes.push({ kind: "update", update: output });
        return;
      case "stored":
        changes.push({ kind: "stored", stored: output });
        return;
      case "delayed": {
        const { environment } = this.#options;
        const retry_at = environment.time() + output.until - environment.now();
        return this.#refused(output.client_id, { state: "waiting", error: output.error, retry_at }, changes);
      }
      case "failed":
        // one that fails because the client stopped is tried again when it connects
        if (output.error.code === "closed") return;
        return this.#refused(output.client_id, { state: "failed", error: output.error }, changes);
      default:
        changes.push({ kind: "signal", signal: output });
    }
  }

  #write(frame: ClientFrame): void {
    this.#socket.write(frame.type === "hello" ? { ...frame, token: this.#token } : frame);
  }

  /** Writes a frame of one's own, where the connection is live. */
  transmit(frame: ClientFrame): void {
    this.#socket.write(frame);
  }

  #open(server: number): void {
    const mine = ++this.#attempts;
    this.#closeCode = 0;
    this.#options.signIn.current().then(
      (credentials) => {
        if (mine !== this.#attempts) return;
        this.#token = credentials.access_token;
        this.#socket.open(this.#options.servers[server]!);
      },
      (failure: unknown) => {
        if (mine !== this.#attempts) return;
        this.give(this.#tokenFailure(failure) === "token_refused" ? { kind: "token_refused" } : { kind: "unopened" });
      },
    );
  }

  #renew(): void {
    this.#options.signIn.renew(this.#token).then(
      () => this.give({ kind: "token_renewed" }),
      (failure: unknown) => this.give({ kind: this.#tokenFailure(failure) }),
    );
  }

  #tokenFailure(failure: unknown): "token_refused" | "token_unavailable" {
    if (asConfabError(failure).code !== "unauthorized") return "token_unavailable";
    this.#closeCode = 4501;
    return "token_refused";
  }

  #listRooms(): void {
    this.#options.api.all("listRooms", {}).then(
      (rooms) => {
        if (this.#abandoned) return;
        this.give({ kind: "rooms", rooms });
        this.#options.publish([{ kind: "listed", rooms }]);
      },
      (failure: unknown) => this.give({ kind: "rooms_failed", error: asConfabError(failure).info }),
    );
  }

  #read(ask: Extract<Output, { kind: "read_history" | "read_events" }>): void {
    const { api } = this.#options;
    const read =
      ask.kind === "read_history"
        ? api.ask("readHistory", { room_id: ask.room_id }).then((page) => this.give({ kind: "history", ask, page }))
        : api
            .ask("readEvents", { room_id: ask.room_id, epoch: ask.epoch, after_rev: ask.after_rev, limit: 200 })
            .then((page) => this.give({ kind: "events", ask, page }));
    read.catch((failure: unknown) => this.give({ kind: "read_failed", ask, error: asConfabError(failure).info }));
  }

  #state(change: Extract<Output, { kind: "state" }>, changes: Change[]): void {
    const { environment, model } = this.#options;
    const before = model.connection.value.state;
    if (change.state === "live") this.#lost_at = undefined;
    else if (before === "live") this.#lost_at = environment.time();
    const connection: Connection = {
      state: change.state,
      ...(change.why !== undefined && { why: change.why }),
      ...(change.retry_in_ms !== undefined && {
        retry_in_ms: change.retry_in_ms,
        retry_at: environment.time() + change.retry_in_ms,
      }),
      ...(this.#lost_at !== undefined && { lost_at: this.#lost_at }),
      ...(this.#ahead !== undefined && { server_ahead_ms: this.#ahead }),
    };
    changes.push({ kind: "connection", connection });
    if (change.state === "connecting") this.#sendWaiting(changes);
    if (change.state === "live") this.#options.live();
    if (change.state === "stopped" && REVOKED.has(this.#closeCode)) this.#options.over(change.why ?? "");
  }

  /** What waits from an earlier run, or was given back when the client stopped. */
  #sendWaiting(changes: Change[]): void {
    const waiting = this.#options.inOrder(this.#waiting());
    for (const send of waiting) {
      if (send.error) this.#refused(send.client_id, { state: "waiting" }, changes); // it need not wait any more
      this.#inputs.push({ kind: "send", message: outgoing(send) });
    }
  }

  #waiting(): PendingSend[] {
    const { model } = this.#options;
    return model.pendingRooms().flatMap((room) => room.pending.value.filter((send) => send.state === "waiting"));
  }

  #refused(client_id: ClientId, how: Pick<PendingSend, "state" | "error" | "retry_at">, changes: Change[]): void {
    for (const room of this.#options.model.pendingRooms()) {
      const send = room.pending.value.find((each) => each.client_id === client_id);
      if (!send) continue;
      const { error: _error, retry_at: _at, ...rest } = send;
      changes.push({ kind: "pending", send: { ...rest, ...how } });
    }
  }

  /** Sends a message, once the changes that show it are published. */
  send(message: Outgoing, made_at: number): void {
    const room = this.#options.model.room(message.room_id);
    const known = room.pending.value.some((each) => each.client_id === message.client_id);
    let bytes = message.body.length;
    for (const send of this.#waiting()) if (send.client_id !== message.client_id) bytes += send.body.length;
    const send: PendingSend = { ...message, made_at, state: "waiting" };
    if (bytes > MOST_WAITING_BYTES) {
      const error: ErrorInfo = { code: "queue_full", message: "too much waits to be sent", retryable: false };
      this.#options.publish([{ kind: "pending", send: { ...send, state: "failed", error } }]);
      return;
    }
    if (!known || room.pending.value.some((each) => each.client_id === message.client_id && each.state === "waiting")) {
      this.#options.publish([{ kind: "pending", send }]);
    }
    this.give({ kind: "send", message });
  }

  /** Sends a failed message again. */
  retry(room_id: RoomId, client_id: ClientId): void {
    const send = this.#options.model.room(room_id).pending.value.find((each) => each.client_id === client_id);
    if (!send || send.state !== "failed") return;
    const { error: _error, ...rest } = send;
    this.#options.publish([{ kind: "pending", send: { ...rest, state: "waiting" } }]);
    this.give({ kind: "send", message: outgoing(send) });
  }

  /** Signs off. */
  close(): void {
    this.give({ kind: "close" });
    this.abandon();
  }

  /** Ends without a word: another tab takes over. */
  abandon(): void {
    this.#abandoned = true;
    this.#inputs.length = 0;
    this.#attempts++;
    this.#socket.drop();
    this.#stopTimer?.();
  }
}

function outgoing(send: PendingSend): Outgoing {
  const { room_id, client_id, body, reply_to, topic } = send;
  return { room_id, client_id, body, ...(reply_to !== undefined && { reply_to }), ...(topic !== undefined && { topic }) };
}

function roomsOf(change: Change): RoomId[] {
  if (change.kind !== "update") return [];
  const { update } = change;
  if (update.kind === "reset") return [update.room_id];
  return [update.kind === "deleted" || update.kind === "event" ? update.event.room_id : update.message.room_id];
}

