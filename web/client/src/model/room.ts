import type { ListedRoom, Member, Message, MessageDeleted, Room, RoomEvent, Sealed } from "../protocol/things.ts";
import { isTombstone } from "../protocol/things.ts";
import type { AccountId, RoomId, Seq } from "../protocol/values.ts";
import type { RoomPosition, Signal, Standing, Stored, Update } from "../rules/output.ts";
import { stateRev } from "../rules/shown.ts";
import * as logs from "./log.ts";
import { changedMembers } from "./members.ts";
import { applyUpdate, counts, deletionOf, latest, mentions } from "./messages.ts";
import { Cell } from "./observable.ts";
import { changedRoom } from "./settings.ts";
import type {
  LogMessage,
  MemberMarker,
  NoSeat,
  PendingEdit,
  PendingSend,
  Receipts,
  RoomLog,
  RoomState,
  RoomUpdate,
} from "./views.ts";

const NO_RECEIPTS: Receipts = { delivered_seq: 0, read_seq: 0 };

/** All that is known of a room, as plain data. */
export interface RoomSnapshot {
  room_id: RoomId;
  position?: RoomPosition;
  state?: RoomState;
  draft: string;
  /** Up to which message `unread` counts. */
  counted: Seq;
  log: RoomLog;
  pending: readonly PendingSend[];
  edits: readonly PendingEdit[];
  receipts: Receipts;
  markers: readonly MemberMarker[];
}

type Uncounted = Pick<RoomState, "room" | "read_seq" | "unread_from" | "unread" | "mentions">;

/** Where what is unread begins. */
function firstUnread(state: Pick<RoomState, "read_seq" | "unread_from">): Seq {
  return Math.min(state.read_seq + 1, state.unread_from ?? Infinity);
}

/** One room of the model. */
export class RoomModel {
  readonly room_id: RoomId;
  readonly state = new Cell<RoomState | undefined>(undefined);
  readonly log = new Cell<RoomLog>(logs.EMPTY);
  readonly pending = new Cell<readonly PendingSend[]>([]);
  readonly edits = new Cell<ReadonlyMap<Seq, PendingEdit>>(new Map());
  readonly receipts = new Cell<Receipts>(NO_RECEIPTS);
  readonly markers = new Cell<ReadonlyMap<AccountId, MemberMarker>>(new Map());
  readonly members = new Cell<ReadonlyMap<AccountId, Member> | undefined>(undefined);
  position: RoomPosition | undefined;
  draft = "";
  #seat: Standing | undefined;
  #noSeat: NoSeat | undefined;
  /** The most messages in the log. */
  most = logs.MOST_UNSEEN;
  #counted: Seq = 0;
  readonly #self: () => AccountId;
  readonly #listeners = new Set<(update: RoomUpdate) => void>();

  /** @param self the account, "" where nobody is signed in */
  constructor(room_id: RoomId, self: () => AccountId) {
    this.room_id = room_id;
    this.#self = self;
  }

  listen(listener: (update: RoomUpdate) => void): () => void {
    const mine = (update: RoomUpdate): void => listener(update);
    this.#listeners.add(mine);
    return () => this.#listeners.delete(mine);
  }

  #tell(update: RoomUpdate): void {
    for (const listener of [...this.#listeners]) listener(update);
  }

  /** The last message that is known to be in the room, but for sealed ones, which no page has. */
  get newest(): Seq {
    const seen = this.log.value.messages.findLast((message) => !message.provisional)?.seq ?? 0;
    const { seq, encryption } = this.state.value?.room ?? { seq: 0 };
    return Math.min(Math.max(this.position?.seq ?? seq, seen), (encryption?.from_seq ?? Infinity) - 1);
  }

  /** As the server lists it. What was told since, by higher numbers, stays. */
  listed(listed: ListedRoom): void {
    const { read_seq, unread_from, unread, mentions: mentioned, last_message, ...room } = listed;
    const old = this.state.value;
    const marks = { read_seq: Math.max(read_seq, old?.read_seq ?? 0), ...(unread_from !== undefined && { unread_from }) };
    const last = last_message && old?.last_message ? latest(old.last_message, last_message) : (last_message ?? old?.last_message);
    this.#set(
      this.#recounted({
        room: old && old.room.rev > room.rev ? old.room : (room as Room),
        ...marks,
        ...this.#withLater({ unread, mentions: mentioned }, listed.seq, firstUnread(marks)),
        ...(last && { last_message: last }),
      }),
    );
  }

  /** Numbers that count messages up to one, with the later ones that came already and are not read. */
  #withLater(counted: Pick<RoomState, "unread" | "mentions">, to: Seq, from: Seq): Pick<RoomState, "unread" | "mentions"> {
    const all = this.log.value.messages.filter((message) => message.seq > to && !message.provisional);
    this.#counted = Math.max(to, all.at(-1)?.seq ?? 0);
    const later = all.filter((message) => message.seq >= from && this.#counts(message));
    const mentioning = later.filter((message) => mentions(message, this.#self()));
    return { unread: counted.unread + later.length, mentions: counted.mentions + mentioning.length };
  }

  /** A membership began, or the room is told anew. */
  told(room: Room): void {
    const old = this.state.value;
    if (!old) {
      this.#counted = room.seq;
      this.#set({ room, read_seq: room.seq, unread: 0, mentions: 0 });
    } else if (room.rev >= old.room.rev) {
      this.#set({ ...old, room });
    }
  }

  /** What was written and not sent is dropped. */
  forgetUnsent(): void {
    this.pending.set([]);
    this.edits.set(new Map());
    this.draft = "";
  }

  /** Nobody looks at it any more: its log holds only what it did before. */
  shrink(): void {
    this.most = logs.MOST_UNSEEN;
    this.log.set(logs.shortened(this.log.value, this.most));
    this.members.set(undefined);
  }

  removed(reason: Extract<RoomUpdate, { kind: "removed" }>["reason"]): void {
    this.position = undefined;
    this.#seat = undefined;
    this.state.set(undefined);
    this.log.set(logs.EMPTY);
    this.members.set(undefined);
    this.markers.set(new Map());
    this.receipts.set(NO_RECEIPTS);
    this.#noSeat = undefined;
    this.#tell({ kind: "removed", room_id: this.room_id, reason });
  }

  update(update: Update): void {
    switch (update.kind) {
      case "said":
        return this.#said(update.message);
      case "edited":
        return this.#edited(update.message);
      case "deleted":
        return this.#deleted(update.event);
      case "event":
        return this.#event(update.event);
      case "reset":
        return this.#reset(update.page.messages, update.page.has_older, update.gap);
    }
  }

  #said(message: Message): void {
    this.log.set(logs.said(this.log.value, message, this.most));
    if (message.sender_id === this.#self()) this.settled(message.client_id);
    const state = this.state.value;
    if (state) {
      const { seq, rev } = message;
      const room = { ...state.room, seq: Math.max(seq, state.room.seq), rev: Math.max(rev, state.room.rev) };
      const counted = message.seq > this.#counted && this.#counts(message) && message.seq > state.read_seq;
      this.#counted = Math.max(this.#counted, message.seq);
      this.#set(
        this.#recounted({
          ...state,
          room,
          unread: state.unread + (counted ? 1 : 0),
          mentions: state.mentions + (counted && mentions(message, this.#self()) ? 1 : 0),
          last_message: state.last_message ? latest(state.last_message, message) : message,
          typing: state.typing.filter((who) => who !== message.sender_id),
        }),
      );
    }
    this.#tell({ kind: "said", message });
  }

  #edited(message: Message): void {
    this.#change(message.seq, { kind: "edited", message });
  }

  #deleted(event: MessageDeleted): void {
    const { room_id, seq, rev, ts: deleted_at, deleted_by } = event;
    this.#change(seq, { kind: "deleted", room_id, seq, rev, deleted_at, deleted_by });
  }

  #change(seq: Seq, update: RoomUpdate): void {
    this.log.set(logs.changed(this.log.value, seq, (message) => applyUpdate(message, update)));
    const state = this.state.value;
    if (state) {
      const last = state.last_message;
      const isLast = last?.seq === seq;
      this.#set(this.#recounted({ ...state, ...(isLast && { last_message: applyUpdate(last, update) }) }));
    }
    this.#tell(update);
  }

  #event(event: Extract<Update, { kind: "event" }>["event"]): void {
    const state = this.state.value;
    if (state && event.rev > state.room.rev) {
      this.#set({
        ...state,
        room: changedRoom(state.room, event as RoomEvent, this.#self()),
        ...(event.kind === "sealed" && this.#countedSealed(state, event)),
      });
    }
    const members = this.members.value;
    if (members) this.members.set(changedMembers(members, event));
    this.#tell({ kind: "event", event });
  }

  /** What is sealed counts like any other message. */
  #countedSealed(state: RoomState, { seq, actor_id }: Sealed): Pick<RoomState, "unread"> {
    const counts = seq > this.#counted && seq > state.read_seq && actor_id !== this.#self();
    this.#counted = Math.max(this.#counted, seq);
    return { unread: state.unread + (counts ? 1 : 0) };
  }

  #reset(messages: readonly Message[], has_older: boolean, gap: boolean): void {
    this.log.set(logs.begun(this.log.value, messages, has_older, gap));
    for (const message of messages) if (message.sender_id === this.#self()) this.settled(message.client_id);
    const last = messages.at(-1);
    const state = this.state.value;
    if (last && state) {
      this.#set(
        this.#recounted({
          ...state,
          room: { ...state.room, seq: Math.max(state.room.seq, last.seq) },
          last_message: state.last_message ? latest(state.last_message, last) : last,
        }),
      );
    }
    this.#tell({ kind: "reset", room_id: this.room_id, messages, gap });
  }

  page(page: { messages: readonly Message[]; has_older: boolean; has_newer: boolean }): void {
    this.log.set(logs.joined(this.log.value, page, this.newest));
    if (this.state.value) this.#set(this.#recounted(this.state.value));
  }

  signal(signal: Signal): void {
    switch (signal.kind) {
      case "marker":
        return this.#marker(signal);
      case "delivered":
      case "read":
        return this.#receipt(signal.kind, signal.seq);
      case "seat_inside":
      case "seat_waiting":
      case "seat_offer":
        return this.#sit(signal);
      case "seat_lost":
        return this.#sit(undefined, { reason: signal.reason });
      case "not_entered":
        return this.#sit(undefined, { error: signal.error });
      case "unread": {
        const state = this.state.value;
        if (state) this.#set(this.#recounted({ ...state, ...this.#withLater(signal, signal.seq, firstUnread(state)) }));
        return;
      }
      case "typing": {
        const state = this.state.value;
        if (!state) return;
        const others = state.typing.filter((who) => who !== signal.account_id);
        this.#set({ ...state, typing: signal.typing ? [...others, signal.account_id] : others });
      }
    }
  }

  nobodyTypes(): void {
    const state = this.state.value;
    if (state && state.typing.length > 0) this.#set({ ...state, typing: [] });
  }

  #sit(seat: Standing | undefined, without?: NoSeat): void {
    this.#seat = seat;
    this.#noSeat = without;
    if (this.state.value) this.#set(this.state.value);
  }

  #marker(marker: Extract<Signal, { kind: "marker" }>): void {
    const { account_id, read_seq, delivered_seq, unread_from } = marker;
    if (account_id === this.#self()) {
      const state = this.state.value;
      if (!state) return;
      const { unread_from: _old, ...rest } = state;
      const next = { ...rest, read_seq: Math.max(state.read_seq, read_seq ?? 0), ...(unread_from !== undefined && { unread_from }) };
      this.#set(this.#recounted(next));
      return;
    }
    const old = this.markers.value.get(account_id);
    const highest = (a: Seq | undefined, b: Seq | undefined): Seq | undefined =>
      a === undefined ? b : b === undefined ? a : Math.max(a, b);
    const read = highest(old?.read_seq, read_seq);
    const delivered = highest(old?.delivered_seq, delivered_seq);
    const next: MemberMarker = {
      account_id,
      ...(read !== undefined && { read_seq: read }),
      ...(delivered !== undefined && { delivered_seq: delivered }),
    };
    this.markers.set(new Map(this.markers.value).set(account_id, next));
  }

  #receipt(kind: "delivered" | "read", seq: Seq): void {
    const { delivered_seq, read_seq } = this.receipts.value;
    const read = kind === "read" ? Math.max(read_seq, seq) : read_seq;
    const delivered = Math.max(delivered_seq, seq);
    if (read !== read_seq || delivered !== delivered_seq) this.receipts.set({ delivered_seq: delivered, read_seq: read });
  }

  /** The account has read up to here, on this machine: what is left is counted where all of it is known. */
  read(seq: Seq): void {
    const state = this.state.value;
    if (!state || (seq <= state.read_seq && (state.unread_from === undefined || seq < state.unread_from))) return;
    const { unread_from, ...rest } = state;
    const stays = unread_from !== undefined && seq < unread_from;
    const next = { ...rest, read_seq: Math.max(state.read_seq, seq), ...(stays && { unread_from }) };
    this.#set(this.#recounted(next));
  }

  /** Where all that may be unread is known, it is counted; else the numbers stay. */
  #recounted<S extends Uncounted>(state: S): S {
    const from = firstUnread(state);
    const newest = Math.max(state.room.seq, this.#counted);
    const { messages } = this.log.value;
    const first = messages[0]?.seq ?? Infinity;
    const last = messages.findLast((message) => !message.provisional)?.seq ?? 0;
    if (from <= newest && (first > from || last < newest)) return state;
    const left = messages.filter((message) => message.seq >= from && this.#counts(message));
    return { ...state, unread: left.length, mentions: left.filter((message) => mentions(message, this.#self())).length };
  }

  #counts(message: LogMessage): boolean {
    return counts(message, this.#self());
  }

  /** A send that waits or failed. */
  waits(send: PendingSend): void {
    const at = this.pending.value.findIndex((each) => each.client_id === send.client_id);
    this.#setPending(at < 0 ? [...this.pending.value, send] : this.pending.value.with(at, send));
  }

  /** A send has its place: it stands there until its message comes. */
  stored(stored: Stored): void {
    const send = this.pending.value.find((each) => each.client_id === stored.client_id);
    this.settled(stored.client_id);
    if (!send) return;
    const { room_id, client_id, seq, rev, ts } = stored;
    const { body, reply_to, topic } = send;
    const message: LogMessage = {
      room_id,
      seq,
      rev,
      sender_id: this.#self(),
      client_id,
      msg_type: "text",
      body,
      ts,
      ...(reply_to !== undefined && { reply_to }),
      ...(topic !== undefined && { topic }),
      provisional: true,
    };
    this.log.set(logs.said(this.log.value, message, this.most));
    this.#tell({ kind: "stored", message });
  }

  settled(client_id: string): void {
    const left = this.pending.value.filter((send) => send.client_id !== client_id);
    if (left.length !== this.pending.value.length) this.#setPending(left);
  }

  #setPending(pending: readonly PendingSend[]): void {
    this.pending.set(pending);
    const state = this.state.value;
    if (state && state.pending !== pending.length) this.#set(state);
  }

  editing(edit: PendingEdit): void {
    this.edits.set(new Map(this.edits.value).set(edit.seq, edit));
  }

  /** A later one of the same message stays. */
  editSettled(edit: PendingEdit): void {
    if (this.edits.value.get(edit.seq)?.client_id !== edit.client_id) return;
    const left = new Map(this.edits.value);
    left.delete(edit.seq);
    this.edits.set(left);
  }

  setDraft(text: string): void {
    this.draft = text;
    const state = this.state.value;
    if (state && state.draft !== text) this.#set(state);
  }

  /** What the room keeps beside what the server says comes in by itself. */
  #set({ seat: _, no_seat: __, ...state }: Omit<RoomState, "typing" | "draft" | "pending"> & { typing?: readonly AccountId[] }): void {
    this.state.set({
      ...state,
      ...(this.#seat && { seat: this.#seat }),
      ...(this.#noSeat && { no_seat: this.#noSeat }),
      typing: state.typing ?? this.state.value?.typing ?? [],
      draft: this.draft,
      pending: this.pending.value.length,
    });
  }

  snapshot(): RoomSnapshot {
    return {
      room_id: this.room_id,
      ...(this.position && { position: this.position }),
      ...(this.state.value && { state: this.state.value }),
      draft: this.draft,
      counted: this.#counted,
      log: this.log.value,
      pending: this.pending.value,
      edits: [...this.edits.value.values()],
      receipts: this.receipts.value,
      markers: [...this.markers.value.values()],
    };
  }

  /** Takes over what another one knows, and tells what is new in it. */
  load(snapshot: RoomSnapshot): void {
    const before = this.log.value;
    const last = before.messages.at(-1)?.seq ?? this.newest;
    this.position = snapshot.position;
    this.draft = snapshot.draft;
    this.#counted = snapshot.counted;
    const isAnew = last > 0 && logs.isBeyond(before.generation, last, snapshot.log);
    this.log.set(isAnew ? snapshot.log : logs.joined(snapshot.log, { ...before, has_newer: false }, this.newest));
    this.pending.set(snapshot.pending);
    this.edits.set(new Map(snapshot.edits.map((edit) => [edit.seq, edit])));
    this.receipts.set(snapshot.receipts);
    this.markers.set(new Map(snapshot.markers.map((marker) => [marker.account_id, marker])));
    this.#seat = snapshot.state?.seat;
    this.#noSeat = snapshot.state?.no_seat;
    if (snapshot.state) this.#set(snapshot.state);
    else this.state.set(undefined);
    if (isAnew) {
      this.#tell({ kind: "reset", room_id: this.room_id, messages: snapshot.log.messages, gap: true });
    } else {
      this.#tellNews(before, last > 0 ? last : Infinity, snapshot.log);
    }
  }

  #tellNews(before: RoomLog, last: Seq, after: RoomLog): void {
    const known = new Map(before.messages.map((message) => [message.seq, message]));
    for (const message of after.messages) {
      const old = known.get(message.seq);
      if (!old && message.seq <= last) continue;
      if (!old || (old.provisional && !message.provisional)) {
        this.#tell({ kind: message.provisional ? "stored" : "said", message });
      } else if (stateRev(message) > stateRev(old)) {
        this.#tell(isTombstone(message) ? deletionOf(message) : { kind: "edited", message });
      }
    }
  }
}
