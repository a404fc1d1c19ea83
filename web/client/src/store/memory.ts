import { newer, tombstone } from "../model/messages.ts";
import type { Account, Message } from "../protocol/things.ts";
import type { AccountId, ClientId, DeviceId, RoomId, Seq } from "../protocol/values.ts";
import { type Batch, type Kept, type KeptOwed, type KeptRoom, type KeptSend, type KeptSession, ownsAnew, type Store } from "./store.ts";

/** Keeps everything for as long as the program runs: for programs without a browser, and for tests. */
export class MemoryStore implements Store {
  #device_id: DeviceId | undefined;
  #session: KeptSession | undefined;
  #owed: KeptOwed | undefined;
  #live_at: number | undefined;
  #disowned = false;
  readonly #rooms = new Map<RoomId, KeptRoom>();
  readonly #messages = new Map<RoomId, Map<Seq, Message>>();
  readonly #sends = new Map<ClientId, KeptSend>();
  readonly #people = new Map<AccountId, Account>();

  async load(): Promise<Kept> {
    const ofMachine = {
      ...(this.#device_id !== undefined && { device_id: this.#device_id }),
      ...(this.#owed && { owed: this.#owed }),
    };
    if (this.#disowned) return structuredClone({ ...ofMachine, disowned: true, rooms: [], sends: [], people: [] });
    return structuredClone({
      ...ofMachine,
      ...(this.#session && { session: this.#session }),
      ...(this.#live_at !== undefined && { live_at: this.#live_at }),
      rooms: [...this.#rooms.values()],
      sends: [...this.#sends.values()].sort((a, b) => a.order - b.order),
      people: [...this.#people.values()],
    });
  }

  async messages(room_id: RoomId): Promise<Message[]> {
    const messages = this.#disowned ? [] : [...(this.#messages.get(room_id)?.values() ?? [])];
    return structuredClone(messages.sort((a, b) => a.seq - b.seq));
  }

  async write(given: Batch): Promise<void> {
    const batch = structuredClone(given);
    if (this.#disowned && ownsAnew(batch)) this.#forget();
    if (batch.device_id !== undefined) this.#device_id = batch.device_id;
    if (batch.cleared) for (const kept of [this.#rooms, this.#messages, this.#people]) kept.clear();
    if ("session" in batch) this.#session = batch.session;
    if ("owed" in batch) this.#owed = batch.owed;
    if (batch.live_at !== undefined) this.#live_at = batch.live_at;
    for (const room_id of batch.forgotten ?? []) {
      this.#rooms.delete(room_id);
      this.#messages.delete(room_id);
    }
    for (const { room_id, below } of batch.cut ?? []) {
      const room = this.#room(room_id);
      for (const seq of room.keys()) if (seq < below) room.delete(seq);
    }
    for (const message of batch.messages ?? []) this.#room(message.room_id).set(message.seq, message);
    for (const message of batch.edits ?? []) {
      const kept = this.#room(message.room_id).get(message.seq);
      if (kept) this.#room(message.room_id).set(message.seq, newer(kept, message));
    }
    for (const event of batch.deletions ?? []) {
      const kept = this.#room(event.room_id).get(event.seq);
      if (kept) this.#room(event.room_id).set(event.seq, tombstone(kept, { ...event, deleted_at: event.ts }));
    }
    for (const room of batch.rooms ?? []) this.#rooms.set(room.room_id, room);
    for (const send of batch.sends ?? []) this.#sends.set(send.client_id, send);
    for (const client_id of batch.settled ?? []) this.#sends.delete(client_id);
    for (const account of batch.people ?? []) this.#people.set(account.account_id, account);
  }

  #room(room_id: RoomId): Map<Seq, Message> {
    let room = this.#messages.get(room_id);
    if (!room) this.#messages.set(room_id, (room = new Map()));
    return room;
  }

  disown(): void {
    this.#disowned = true;
  }

  async clear(): Promise<void> {
    this.#forget();
  }

  #forget(): void {
    this.#disowned = false;
    this.#session = this.#live_at = undefined;
    for (const kept of [this.#rooms, this.#messages, this.#sends, this.#people]) kept.clear();
  }

  close(): void {
    // nothing is open
  }
}
