import type { Account, Invitation, Me, PresenceView } from "../protocol/things.ts";
import type { AccountId, RoomId } from "../protocol/values.ts";
import type { RoomPosition, Standing } from "../rules/output.ts";
import type { Change } from "./change.ts";
import { EMPTY } from "./log.ts";
import { Cell } from "./observable.ts";
import { RoomModel, type RoomSnapshot } from "./room.ts";
import type { Connection, PendingEdit, RoomState, Session } from "./views.ts";

/** The most names that are kept. */
const MOST_PEOPLE = 5_000;

/** All that a client knows, as plain data. */
export interface Snapshot {
  session: Session;
  connection: Connection;
  me?: Me;
  listed: boolean;
  rooms: readonly RoomSnapshot[];
  invitations: readonly Invitation[];
  people: readonly Account[];
  presence: readonly PresenceView[];
  online: readonly { room_id: RoomId; online: number }[];
  devices_version: number;
}

/**
 * What a client knows and shows. It is made another one by changes alone, so that it is the same in all
 * tabs that apply the same changes.
 */
export class Model {
  readonly session = new Cell<Session>({ state: "unknown" });
  readonly connection = new Cell<Connection>({ state: "stopped" });
  readonly me = new Cell<Me | undefined>(undefined);
  readonly rooms = new Cell<ReadonlyMap<RoomId, RoomState>>(new Map());
  readonly listed = new Cell(false);
  readonly invitations = new Cell<readonly Invitation[]>([]);
  readonly people = new Cell<ReadonlyMap<AccountId, Account>>(new Map());
  readonly presence = new Cell<ReadonlyMap<AccountId, PresenceView>>(new Map());
  readonly online = new Cell<ReadonlyMap<RoomId, number>>(new Map());
  readonly devices_version = new Cell(0);
  readonly #rooms = new Map<RoomId, RoomModel>();
  /** Rooms whose state changed since `rooms` was set. */
  readonly #changed = new Set<RoomId>();

  /** The account; "" where nobody is signed in. */
  get self(): AccountId {
    return this.session.value.state === "signed_in" ? this.session.value.account_id : "";
  }

  room(room_id: RoomId): RoomModel {
    let room = this.#rooms.get(room_id);
    if (!room) {
      room = new RoomModel(room_id, () => this.self);
      room.state.subscribe(() => this.#changed.add(room_id));
      this.#rooms.set(room_id, room);
    }
    return room;
  }

  /** Where the client stands; the rooms with the latest messages first. */
  positions(): RoomPosition[] {
    return [...this.#rooms.values()]
      .filter((room) => room.position !== undefined)
      .sort((a, b) => (b.state.value?.last_message?.ts ?? 0) - (a.state.value?.last_message?.ts ?? 0))
      .map((room) => room.position!);
  }

  /** Where the account is inside, or waits. */
  standings(): Standing[] {
    return [...this.rooms.value.values()].flatMap((room) => room.seat ?? []);
  }

  /** Rooms in which a send waits or failed. */
  pendingRooms(): RoomModel[] {
    return [...this.#rooms.values()].filter((room) => room.pending.value.length > 0);
  }

  /** Rooms with a draft, or with edits that are not settled. */
  unsentRooms(): RoomModel[] {
    return [...this.#rooms.values()].filter((room) => room.draft !== "" || room.edits.value.size > 0);
  }

  /** Edits and deletions that are not settled. */
  edits(): PendingEdit[] {
    return [...this.#rooms.values()].flatMap((room) => [...room.edits.value.values()]);
  }

  apply(changes: readonly Change[]): void {
    for (const change of changes) this.#apply(change);
    this.#commit();
  }

  #commit(): void {
    if (this.#changed.size === 0) return;
    const rooms = new Map(this.rooms.value);
    for (const room_id of this.#changed) {
      const state = this.#rooms.get(room_id)?.state.value;
      if (state) rooms.set(room_id, state);
      else rooms.delete(room_id);
    }
    this.#changed.clear();
    this.rooms.set(rooms);
  }

  #apply(change: Change): void {
    switch (change.kind) {
      case "session":
        return this.session.set(change.session);
      case "connection":
        // without a connection nobody would be told that it is over
        if (change.connection.state !== "live") for (const room of this.#rooms.values()) room.nobodyTypes();
        return this.connection.set(change.connection);
      case "me":
        return this.me.set(change.me);
      case "listed": {
        const named = new Set(change.rooms.map((room) => room.room_id));
        for (const [room_id, room] of this.#rooms) {
          if (room.state.value && !room.position && !named.has(room_id)) room.state.set(undefined);
        }
        for (const room of change.rooms) this.room(room.room_id).listed(room);
        return this.listed.set(true);
      }
      case "room":
        return this.room(change.room.room_id).told(change.room);
      case "removed":
        return this.room(change.room_id).removed(change.reason);
      case "positions":
        for (const position of change.positions) this.room(position.room_id).position = position;
        return;
      case "update":
        return this.room(roomOf(change.update)).update(change.update);
      case "page":
        return this.room(change.room_id).page(change.page);
      case "signal":
        return this.room(change.signal.room_id).signal(change.signal);
      case "read":
        return this.room(change.room_id).read(change.seq);
      case "pending":
        return this.room(change.send.room_id).waits(change.send);
      case "stored":
        return this.room(change.stored.room_id).stored(change.stored);
      case "discarded":
        return this.room(change.room_id).settled(change.client_id);
      case "editing":
        return this.room(change.edit.room_id).editing(change.edit);
      case "edit_settled":
        return this.room(change.edit.room_id).editSettled(change.edit);
      case "draft":
        return this.room(change.room_id).setDraft(change.text);
      case "presence":
        return this.#presence(change);
      case "invitations":
        return this.invitations.set(change.invitations);
      case "people":
        return this.#people(change.accounts);
      case "renamed":
        return this.#renamed(change.account_id, change.display_name);
      case "devices":
        return this.devices_version.set(change.version);
      case "cleared":
        return this.#clear(change.unsent ?? false);
    }
  }

  #presence(change: Extract<Change, { kind: "presence" }>): void {
    const { whole } = change;
    if (whole || change.accounts.length > 0) {
      const presence = new Map(whole ? [] : this.presence.value);
      for (const account of change.accounts) presence.set(account.account_id, account);
      this.presence.set(presence);
    }
    if (whole || change.rooms.length > 0) {
      const online = new Map(whole ? [] : this.online.value);
      for (const room of change.rooms) online.set(room.room_id, room.online);
      this.online.set(online);
    }
  }

  #people(accounts: readonly Account[]): void {
    const people = new Map(this.people.value);
    for (const { account_id, handle, display_name } of accounts) {
      people.delete(account_id); // so that it is the last one to go
      people.set(account_id, { account_id, handle, display_name });
    }
    for (const account_id of people.keys()) {
      if (people.size <= MOST_PEOPLE) break;
      people.delete(account_id);
    }
    this.people.set(people);
  }

  #renamed(account_id: AccountId, display_name: string): void {
    const known = this.people.value.get(account_id);
    if (known) this.people.set(new Map(this.people.value).set(account_id, { ...known, display_name }));
    const me = this.me.value;
    if (me?.account_id === account_id) this.me.set({ ...me, display_name });
  }

  #clear(unsent: boolean): void {
    for (const room of this.#rooms.values()) {
      if (!unsent) room.forgetUnsent();
      if (room.state.value || room.log.value !== EMPTY) room.removed("left");
    }
    this.#commit();
    this.me.set(undefined);
    this.listed.set(false);
    this.invitations.set([]);
    this.people.set(new Map());
    this.presence.set(new Map());
    this.online.set(new Map());
  }

  snapshot(): Snapshot {
    return {
      session: this.session.value,
      connection: this.connection.value,
      ...(this.me.value && { me: this.me.value }),
      listed: this.listed.value,
      rooms: [...this.#rooms.values()].map((room) => room.snapshot()),
      invitations: this.invitations.value,
      people: [...this.people.value.values()],
      presence: [...this.presence.value.values()],
      online: [...this.online.value].map(([room_id, online]) => ({ room_id, online })),
      devices_version: this.devices_version.value,
    };
  }

  /** Takes over what another one knows, and tells what is new in it. */
  load(snapshot: Snapshot): void {
    this.session.set(snapshot.session);
    const named = new Set(snapshot.rooms.map((room) => room.room_id));
    for (const [room_id, room] of this.#rooms) if (!named.has(room_id) && room.state.value) room.removed("gone");
    for (const room of snapshot.rooms) this.room(room.room_id).load(room);
    this.#commit();
    this.me.set(snapshot.me);
    this.listed.set(snapshot.listed);
    this.invitations.set(snapshot.invitations);
    this.people.set(new Map(snapshot.people.map((account) => [account.account_id, account])));
    this.presence.set(new Map(snapshot.presence.map((account) => [account.account_id, account])));
    this.online.set(new Map(snapshot.online.map(({ room_id, online }) => [room_id, online])));
    this.devices_version.set(snapshot.devices_version);
    this.connection.set(snapshot.connection);
  }
}

/** The room that an update is about. */
export function roomOf(update: Extract<Change, { kind: "update" }>["update"]): RoomId {
  switch (update.kind) {
    case "said":
    case "edited":
      return update.message.room_id;
    case "deleted":
    case "event":
      return update.event.room_id;
    case "reset":
      return update.room_id;
  }
}
