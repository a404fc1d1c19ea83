import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Account, Client, Connection, Invitation, Me, Observable, PresenceView, RoomState, Session } from "@confab/client";
import { Burst } from "./burst.ts";
import { forgets } from "./forget.ts";

/** What every part of the page draws from. Values are never changed, only replaced. */
const shown = {
  session: signal<Session>({ state: "unknown" }),
  connection: signal<Connection>({ state: "connecting" }),
  me: signal<Me | undefined>(undefined),
  rooms: signal<ReadonlyMap<string, RoomState>>(new Map()),
  listed: signal(false),
  invitations: signal<readonly Invitation[]>([]),
  people: signal<ReadonlyMap<string, Account>>(new Map()),
  presence: signal<ReadonlyMap<string, PresenceView>>(new Map()),
  online: signal<ReadonlyMap<string, number>>(new Map()),
  devices_version: signal(0),
};

type Shown = { readonly [K in keyof typeof shown]: ReadonlySignal<(typeof shown)[K]["value"]> };
export const { session, connection, me, rooms, listed, invitations, people, presence, online, devices_version } = shown as Shown;

/** Whom the account has blocked. */
export const blocked = signal<ReadonlySet<string>>(new Set());

let current: Client | undefined;

/** The client behind the page. */
export function client(): Client {
  return current!;
}

const BURST_MS = 100;
const BURSTING: ReadonlySet<keyof typeof shown> = new Set(["rooms", "people", "presence", "online"] as const);

/** Draws from this client from now on. */
export function showClient(from: Client): void {
  current = from;
  batch(() => {
    for (const name of Object.keys(shown) as (keyof typeof shown)[]) {
      const observable = from[name] as Observable<unknown>;
      const target = shown[name] as { value: unknown };
      target.value = observable.value;
      const take = () => {
        if (name === "rooms") noteNew(from.rooms.value, from.listed.value);
        target.value = observable.value;
      };
      // In a storm of messages the list need not be drawn for each of them.
      const burst = BURSTING.has(name) ? new Burst(BURST_MS, take) : undefined;
      observable.subscribe(burst ? () => burst.ask() : take);
    }
  });
}

let whole = false;

function noteNew(next: ReadonlyMap<string, RoomState>, listed: boolean): void {
  const now = shown.rooms.peek();
  if (whole) for (const id of next.keys()) if (!now.has(id)) came.set(id, Date.now());
  whole = listed && next.size > 0;
}

/** An observable as a signal, while somebody looks at it. */
export function followed<T>(observable: Observable<T>): { value: ReadonlySignal<T>; end: () => void } {
  const value = signal(observable.value);
  const end = observable.subscribe((next) => {
    value.value = next;
  });
  return { value, end };
}

/** The rooms as they are listed: where something happened last first, archived ones last. */
export const ordered = computed(() =>
  [...rooms.value.values()].sort(
    (a, b) =>
      Number(a.room.archived_at !== undefined) - Number(b.room.archived_at !== undefined) ||
      lastAt(b) - lastAt(a) ||
      (a.room.room_id < b.room.room_id ? -1 : 1),
  ),
);

/** When rooms came that have no message yet; those that were there before have none. */
const came = new Map<string, number>();

/** When something happened in a room last, as far as it is known. */
export function lastAt(state: RoomState): number {
  return state.last_message?.ts ?? came.get(state.room.room_id) ?? 0;
}

forgets(() => {
  blocked.value = new Set();
  came.clear();
  whole = false;
});

/** Somebody, as far as they are known; who is not is asked for. */
export function personOf(id: string): Account {
  return people.value.get(id) ?? current?.person(id) ?? { account_id: id, handle: "", display_name: "…" };
}

export function nameOf(id: string): string {
  return personOf(id).display_name;
}

export function selfId(): string {
  const now = session.value;
  return now.state === "signed_in" ? now.account_id : "";
}

/** What a room is called: its name or, of a direct one, the other one's. */
export function titleOf(room: RoomState["room"]): string {
  return room.type === "direct" ? nameOf(room.peer_id) : room.name;
}

export const live = computed(() => connection.value.state === "live");

/** What the server's clock says now. */
export function serverNow(): number {
  return Date.now() + (connection.value.server_ahead_ms ?? 0);
}

/** A time of the server's as this machine's clock has it. */
export function localTime(ts: number): number {
  return ts - (connection.value.server_ahead_ms ?? 0);
}

/** How somebody is seen; while there is no connection, nobody is known to be there. */
export function statusOf(id: string): "online" | "away" | "offline" {
  return live.value ? (presence.value.get(id)?.status ?? "offline") : "offline";
}

/** Whether the account rules in a room, and so may do what admins do. */
export function rules(room: RoomState["room"] | undefined): boolean {
  return room !== undefined && room.type !== "direct" && (room.role === "owner" || room.role === "admin");
}
