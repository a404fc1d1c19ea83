import { ConfabError } from "../http/error.ts";
import type { Change } from "../model/change.ts";
import { type Model, roomOf } from "../model/model.ts";
import type { PendingSend, RoomState } from "../model/views.ts";
import type { Account, Message, MessageDeleted } from "../protocol/things.ts";
import type { AccountId, ClientId, RoomId, Seq } from "../protocol/values.ts";
import type { Update } from "../rules/output.ts";
import type { Batch, Kept, KeptRoom, KeptSend, Store } from "./store.ts";

const FLUSH_MS = 400;
/** A write that takes longer is given up. */
const WRITE_MS = 10_000;
/** The most messages that are kept of a room; then so many are left. */
const MOST_MESSAGES = 300;
const KEPT_MESSAGES = 200;
/** The most names that are kept. */
const MOST_PEOPLE = 5_000;
/** What a message takes besides its body, about. */
const HEAD_BYTES = 250;

export interface KeeperOptions {
  /** The most bytes of messages, about; beyond it goes what was opened longest ago. */
  most_bytes: number;
  now: () => number;
  /** @returns what prevents it */
  later: (work: () => void, ms: number) => () => void;
  /** What could not be kept is told here; the client goes on without. */
  failed: (failure: unknown) => void;
}

/** Writes what changes into the store: sends at once, the rest together, positions with their messages. */
export class Keeper {
  readonly #store: Store;
  readonly #model: Model;
  readonly #options: KeeperOptions;
  readonly #rooms = new Map<RoomId, KeptRoom>();
  readonly #people = new Set<AccountId>();
  readonly #orders = new Map<ClientId, number>();
  #order = 0;
  readonly #dirty = new Set<RoomId>();
  readonly #forgotten = new Set<RoomId>();
  readonly #cuts = new Map<RoomId, Seq>();
  readonly #messages = new Map<string, Message>();
  #edits: Message[] = [];
  #deletions: MessageDeleted[] = [];
  readonly #sends = new Map<ClientId, KeptSend>();
  readonly #settled = new Set<ClientId>();
  #names: Account[] = [];
  #flushing: Promise<void> = Promise.resolve();
  #due = false;
  /** Whether what is to be written must not wait. */
  #urgent = false;
  /** When the connection was live last, and the same where it is not written yet. */
  #lost_at: number | undefined;
  #live_at: number | undefined;
  #ended = false;

  constructor(store: Store, model: Model, kept: Kept, options: KeeperOptions) {
    this.#store = store;
    this.#model = model;
    this.#options = options;
    this.#lost_at = kept.live_at;
    for (const room of kept.rooms) this.#rooms.set(room.room_id, room);
    for (const account of kept.people) this.#people.add(account.account_id);
    for (const send of kept.sends) {
      this.#orders.set(send.client_id, send.order);
      this.#order = Math.max(this.#order, send.order);
    }
    for (const position of model.positions()) {
      const known = this.#rooms.get(position.room_id)?.position;
      if (known?.rev !== position.rev || known.epoch !== position.epoch) this.#likeModel(position.room_id);
    }
  }

  /** Changes that the model has taken. */
  note(changes: readonly Change[]): void {
    for (const change of changes) this.#note(change);
    if (this.#sends.size > 0 || this.#settled.size > 0 || this.#urgent) void this.flush();
    else if (this.#isDirty) this.#later();
  }

  get #isDirty(): boolean {
    return this.#dirty.size + this.#forgotten.size + this.#names.length > 0 || this.#live_at !== undefined;
  }

  #later(): void {
    if (this.#due) return;
    this.#due = true;
    this.#options.later(() => {
      this.#due = false;
      void this.flush();
    }, FLUSH_MS);
  }

  #note(change: Change): void {
    switch (change.kind) {
      case "listed":
        for (const room of change.rooms) this.#dirty.add(room.room_id);
        return;
      case "room":
        this.#dirty.add(change.room.room_id);
        return;
      case "removed":
        return this.#forget(change.room_id);
      case "positions":
        for (const position of change.positions) this.#dirty.add(position.room_id);
        return;
      case "update":
        return this.#update(change.update);
      case "page":
        this.#used(change.room_id);
        return this.#likeModel(change.room_id, change.page.messages);
      case "signal":
        if (change.signal.kind !== "typing") this.#dirty.add(change.signal.room_id);
        return;
      case "read":
        return this.#used(change.room_id);
      case "draft":
        this.#dirty.add(change.room_id);
        return;
      case "editing":
      case "edit_settled":
        this.#room(change.edit.room_id);
        this.#urgent = true;
        return;
      case "pending":
        return this.#send(change.send);
      case "stored":
        return this.#settle(change.stored.client_id);
      case "discarded":
        return this.#settle(change.client_id);
      case "people":
        return this.#named(change.accounts);
      case "connection":
        return this.#lost(change.connection.lost_at);
    }
  }

  #lost(at: number | undefined): void {
    if (at !== undefined && at !== this.#lost_at) this.#live_at = this.#lost_at = at;
  }

  #room(room_id: RoomId): KeptRoom {
    let room = this.#rooms.get(room_id);
    if (!room) this.#rooms.set(room_id, (room = { room_id, draft: "", used_at: 0 }));
    this.#forgotten.delete(room_id);
    this.#dirty.add(room_id);
    return room;
  }

  #used(room_id: RoomId): void {
    this.#room(room_id).used_at = this.#options.now();
  }

  #forget(room_id: RoomId): void {
    this.#drop(room_id);
    this.#rooms.delete(room_id);
    this.#dirty.delete(room_id);
    this.#forgotten.add(room_id);
  }

  /** Lets go of a room's messages. */
  #drop(room_id: RoomId): void {
    for (const [key, message] of this.#messages) if (message.room_id === room_id) this.#messages.delete(key);
    this.#edits = this.#edits.filter((message) => message.room_id !== room_id);
    this.#deletions = this.#deletions.filter((event) => event.room_id !== room_id);
    this.#cuts.set(room_id, Infinity);
    const room = this.#rooms.get(room_id);
    if (room) delete room.log;
  }

  #update(update: Update): void {
    const room = this.#room(roomOf(update));
    switch (update.kind) {
      case "said":
        if (update.message.sender_id === this.#model.self) this.#settle(update.message.client_id);
        return this.#said(room, update.message);
      case "edited":
        if (isKept(room, update.message.seq)) this.#edits.push(update.message);
        return;
      case "deleted":
        if (isKept(room, update.event.seq)) this.#deletions.push(update.event);
        return;
      case "reset":
        for (const message of update.page.messages) {
          if (message.sender_id === this.#model.self) this.#settle(message.client_id);
        }
        this.#drop(room.room_id);
        return this.#likeModel(room.room_id);
    }
  }

  #said(room: KeptRoom, message: Message): void {
    if (room.log && message.seq > room.log.to + 1) this.#drop(room.room_id);
    room.log ??= { from: message.seq, to: message.seq - 1, has_older: message.seq > 1, bytes: 0 };
    if (message.seq < room.log.from) return;
    room.log.to = Math.max(room.log.to, message.seq);
    this.#put(room, message);
    this.#trim(room);
  }

  #put(room: KeptRoom, message: Message): void {
    const { provisional: _provisional, ...kept } = message as Message & { provisional?: true };
    this.#messages.set(`${message.room_id}/${message.seq}`, kept as Message);
    room.log!.bytes += HEAD_BYTES + ("body" in message ? 2 * message.body.length : 0);
    this.#dirty.add(room.room_id);
  }

  #trim(room: KeptRoom): void {
    const log = room.log!;
    const count = log.to - log.from + 1;
    if (count <= MOST_MESSAGES) return;
    log.bytes *= KEPT_MESSAGES / count;
    log.from = log.to - KEPT_MESSAGES + 1;
    log.has_older = true;
    this.#cut(room.room_id, log.from);
  }

  #cut(room_id: RoomId, below: Seq): void {
    this.#cuts.set(room_id, Math.max(this.#cuts.get(room_id) ?? 0, below));
    for (const [key, message] of this.#messages) {
      if (message.room_id === room_id && message.seq < below) this.#messages.delete(key);
    }
  }

  /** Keeps what the model has of a room's log; `news`: what of it may have changed, all unless said. */
  #likeModel(room_id: RoomId, news?: readonly Message[]): void {
    const { messages, has_older } = this.#model.room(room_id).log.value;
    const settled = messages.filter((message) => !message.provisional);
    const [first, last] = [settled[0]?.seq, settled.at(-1)?.seq];
    if (first === undefined || last === undefined) return;
    const room = this.#room(room_id);
    if (room.log && (first > room.log.to + 1 || last < room.log.from - 1)) this.#drop(room_id);
    const before = room.log;
    if (!before) room.log = { from: first, to: last, has_older, bytes: 0 };
    else if (first < before.from) room.log = { ...before, from: first, has_older };
    room.log!.to = Math.max(room.log!.to, last);
    const changed = new Set(news?.map((message) => message.seq));
    for (const message of settled) {
      const isNew = !before || message.seq < before.from || message.seq > before.to;
      if (isNew || !news || changed.has(message.seq)) this.#put(room, message);
    }
    this.#trim(room);
  }

  #send(send: PendingSend): void {
    const { client_id, room_id, body, reply_to, topic, made_at, state, error } = send;
    const order = this.#orders.get(client_id) ?? ++this.#order;
    this.#orders.set(client_id, order);
    this.#settled.delete(client_id);
    this.#sends.set(client_id, {
      client_id,
      room_id,
      body,
      made_at,
      state,
      order,
      ...(reply_to !== undefined && { reply_to }),
      ...(topic !== undefined && { topic }),
      ...(error && state === "failed" && { error }),
    });
  }

  /** Sends in the order in which they were made; those that are not known here last. */
  inOrder<T extends { client_id: ClientId }>(sends: readonly T[]): T[] {
    const order = (send: T): number => this.#orders.get(send.client_id) ?? Infinity;
    return [...sends].sort((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
  }

  #settle(client_id: ClientId): void {
    if (!this.#orders.delete(client_id)) return;
    this.#sends.delete(client_id);
    this.#settled.add(client_id);
  }

  #named(accounts: readonly Account[]): void {
    for (const account of accounts) {
      if (!this.#people.has(account.account_id) && this.#people.size >= MOST_PEOPLE) continue;
      this.#people.add(account.account_id);
      this.#names.push({ account_id: account.account_id, handle: account.handle, display_name: account.display_name });
    }
  }

  /** Writes what is not written yet; done when everything noted before is. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write()).catch(this.#options.failed);
    return this.#flushing;
  }

  /** Writes nothing any more; done when what is under way is. */
  end(): Promise<void> {
    this.#ended = true;
    return this.#flushing;
  }

  async #write(): Promise<void> {
    if (this.#ended) return;
    this.#bound(this.#options.most_bytes);
    const batch = this.#batch();
    if (!batch) return;
    try {
      await this.#written(batch);
    } catch (failure) {
      // perhaps there is no room: without the messages there may be
      this.#bound(0);
      const { messages: _messages, edits: _edits, deletions: _deletions, ...rest } = batch;
      const rooms = rest.rooms?.map(({ log: _log, ...room }) => room) ?? [];
      const cut = rooms.map(({ room_id }) => ({ room_id, below: Infinity }));
      if (!this.#ended) await this.#written({ ...rest, rooms, cut }).catch(() => this.#options.failed(failure));
    }
  }

  /** One write that never ends must not keep later ones from being tried. */
  #written(batch: Batch): Promise<void> {
    return new Promise((done, failed) => {
      const late = new ConfabError({ code: "not_kept", message: "the store does not answer", retryable: false });
      const stop = this.#options.later(() => failed(late), WRITE_MS);
      this.#store.write(batch).then(done, failed).finally(stop);
    });
  }

  #bound(most: number): void {
    let bytes = 0;
    for (const room of this.#rooms.values()) bytes += room.log?.bytes ?? 0;
    if (bytes <= most) return;
    for (const room of [...this.#rooms.values()].sort((a, b) => a.used_at - b.used_at)) {
      if (bytes <= most) return;
      if (!room.log) continue;
      bytes -= room.log.bytes;
      this.#drop(room.room_id);
      this.#dirty.add(room.room_id);
    }
  }

  /** What is to be written; it counts as written then. */
  #batch(): Batch | undefined {
    if (this.#model.connection.value.state === "live") this.#live_at = this.#options.now();
    if (!this.#isDirty && this.#sends.size === 0 && this.#settled.size === 0) return undefined;
    const batch: Batch = {
      rooms: [...this.#dirty].map((room_id) => this.#present(room_id)),
      forgotten: [...this.#forgotten],
      cut: [...this.#cuts].map(([room_id, below]) => ({ room_id, below })),
      messages: [...this.#messages.values()],
      edits: this.#edits,
      deletions: this.#deletions,
      sends: [...this.#sends.values()],
      settled: [...this.#settled],
      people: this.#names,
      ...(this.#live_at !== undefined && { live_at: this.#live_at }),
    };
    this.#edits = [];
    this.#deletions = [];
    this.#names = [];
    this.#urgent = false;
    this.#live_at = undefined;
    for (const written of [this.#dirty, this.#forgotten, this.#cuts, this.#messages, this.#sends, this.#settled]) {
      written.clear();
    }
    return batch;
  }

  #present(room_id: RoomId): KeptRoom {
    const room = this.#room(room_id);
    const { state, position, draft, edits } = this.#model.room(room_id);
    const { state: _state, position: _position, edits: _edits, ...rest } = room;
    const present: KeptRoom = {
      ...rest,
      draft,
      ...(state.value && { state: keptState(state.value) }),
      ...(position && { position }),
      ...(edits.value.size > 0 && { edits: [...edits.value.values()] }),
    };
    this.#rooms.set(room_id, present);
    return { ...present };
  }
}

/** What holds no longer than a connection is left out. */
function keptState({ seat: _seat, no_seat: _noSeat, ...state }: RoomState): RoomState {
  return { ...state, typing: [], pending: 0 };
}

function isKept(room: KeptRoom, seq: Seq): boolean {
  return room.log !== undefined && seq >= room.log.from && seq <= room.log.to;
}
