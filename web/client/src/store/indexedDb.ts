import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { ConfabError } from "../http/error.ts";
import { newer, tombstone } from "../model/messages.ts";
import type { Account, Message } from "../protocol/things.ts";
import type { RoomId, Seq } from "../protocol/values.ts";
import type { Batch, Kept, KeptRoom, KeptSend, KeptSession, Store } from "./store.ts";

const VERSION = 1;
const STORES = ["about", "rooms", "messages", "sends", "people"] as const;
/** What is forgotten when an account leaves. */
const OF_ACCOUNT = ["rooms", "messages", "sends", "people"] as const;

interface Schema extends DBSchema {
  about: { key: "device_id" | "session"; value: unknown };
  rooms: { key: string; value: KeptRoom };
  messages: { key: [string, number]; value: Message };
  sends: { key: string; value: KeptSend };
  people: { key: string; value: Account };
}

/** Keeps what a client knows in the browser's database. */
export class IndexedDbStore implements Store {
  readonly #database: IDBPDatabase<Schema>;

  private constructor(database: IDBPDatabase<Schema>) {
    this.#database = database;
  }

  /** Fails with `not_kept` where the browser has no room for it, or does not allow it. */
  static async open(name: string): Promise<IndexedDbStore> {
    try {
      const database = await openDB<Schema>(name, VERSION, {
        upgrade(fresh) {
          fresh.createObjectStore("about");
          fresh.createObjectStore("rooms", { keyPath: "room_id" });
          fresh.createObjectStore("messages", { keyPath: ["room_id", "seq"] });
          fresh.createObjectStore("sends", { keyPath: "client_id" });
          fresh.createObjectStore("people", { keyPath: "account_id" });
        },
        // a page of a newer version waits for this one
        blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
      });
      return new IndexedDbStore(database);
    } catch (failure) {
      throw notKept(failure);
    }
  }

  async load(): Promise<Kept> {
    try {
      const read = this.#database.transaction(STORES);
      const [device_id, session, rooms, sends, people] = await Promise.all([
        read.objectStore("about").get("device_id"),
        read.objectStore("about").get("session"),
        read.objectStore("rooms").getAll(),
        read.objectStore("sends").getAll(),
        read.objectStore("people").getAll(),
      ]);
      return {
        ...(device_id !== undefined && { device_id: device_id as string }),
        ...(session !== undefined && { session: session as KeptSession }),
        rooms,
        sends: sends.sort((a, b) => a.order - b.order),
        people,
      };
    } catch (failure) {
      throw notKept(failure);
    }
  }

  async messages(room_id: RoomId): Promise<Message[]> {
    try {
      return await this.#database.getAll("messages", range(room_id, Infinity));
    } catch (failure) {
      throw notKept(failure);
    }
  }

  async write(batch: Batch): Promise<void> {
    try {
      const write = this.#database.transaction(STORES, "readwrite", { durability: "relaxed" });
      const [about, rooms, messages, sends, people] = STORES.map((name) => write.objectStore(name)) as [
        ReturnType<typeof write.objectStore<"about">>,
        ReturnType<typeof write.objectStore<"rooms">>,
        ReturnType<typeof write.objectStore<"messages">>,
        ReturnType<typeof write.objectStore<"sends">>,
        ReturnType<typeof write.objectStore<"people">>,
      ];
      const asked: Promise<unknown>[] = [];
      if (batch.device_id !== undefined) asked.push(about.put(batch.device_id, "device_id"));
      if ("session" in batch) {
        asked.push(batch.session ? about.put(batch.session, "session") : about.delete("session"));
      }
      for (const room_id of batch.forgotten ?? []) {
        asked.push(rooms.delete(room_id), messages.delete(range(room_id, Infinity)));
      }
      for (const { room_id, below } of batch.cut ?? []) asked.push(messages.delete(range(room_id, below)));
      for (const message of batch.messages ?? []) asked.push(messages.put(message));
      const change = (room_id: RoomId, seq: Seq, work: (kept: Message) => Message): void => {
        asked.push(messages.get([room_id, seq]).then((kept) => kept && messages.put(work(kept))));
      };
      for (const message of batch.edits ?? []) change(message.room_id, message.seq, (kept) => newer(kept, message));
      for (const event of batch.deletions ?? []) {
        change(event.room_id, event.seq, (kept) => tombstone(kept, { ...event, deleted_at: event.ts }));
      }
      for (const room of batch.rooms ?? []) asked.push(rooms.put(room));
      for (const send of batch.sends ?? []) asked.push(sends.put(send));
      for (const client_id of batch.settled ?? []) asked.push(sends.delete(client_id));
      for (const account of batch.people ?? []) asked.push(people.put(account));
      await Promise.all([...asked, write.done]);
    } catch (failure) {
      throw notKept(failure);
    }
  }

  async clear(): Promise<void> {
    try {
      const write = this.#database.transaction(STORES, "readwrite");
      const asked = OF_ACCOUNT.map((name) => write.objectStore(name).clear());
      await Promise.all([...asked, write.objectStore("about").delete("session"), write.done]);
    } catch (failure) {
      throw notKept(failure);
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** The keys of a room's messages with a seq below one. */
function range(room_id: RoomId, below: number): IDBKeyRange {
  return IDBKeyRange.bound([room_id, 0], [room_id, below], false, true);
}

function notKept(failure: unknown): ConfabError {
  if (failure instanceof ConfabError) return failure;
  const why = failure instanceof Error ? `${failure.name}: ${failure.message}` : String(failure);
  return new ConfabError({ code: "not_kept", message: why, retryable: false });
}
