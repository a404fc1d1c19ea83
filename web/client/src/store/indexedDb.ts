import { ConfabError } from "../http/error.ts";
import { newer, tombstone } from "../model/messages.ts";
import type { Account, Message } from "../protocol/things.ts";
import type { RoomId, Seq } from "../protocol/values.ts";
import { type Batch, type Kept, type KeptOwed, type KeptRoom, type KeptSend, type KeptSession, ownsAnew, type Store } from "./store.ts";

const VERSION = 1;
const STORES = ["about", "rooms", "messages", "sends", "people"];
/** What is forgotten when an account leaves. */
const OF_ACCOUNT = ["rooms", "messages", "sends", "people"];

/**
 * Keeps what a client knows in the browser's database. A database answers later, and a page may be gone by then: that
 * what it has is nobody's any more stands beside it, where it is written at once.
 */
export class IndexedDbStore implements Store {
  readonly #database: IDBDatabase;
  readonly #disowned: Note;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    this.#disowned = new Note(`${database.name} disowned`);
  }

  /** Fails with `not_kept` where the browser has no room for it, or does not allow it. */
  static async open(name: string): Promise<IndexedDbStore> {
    try {
      const opening = indexedDB.open(name, VERSION);
      opening.onupgradeneeded = () => {
        const fresh = opening.result;
        fresh.createObjectStore("about");
        fresh.createObjectStore("rooms", { keyPath: "room_id" });
        fresh.createObjectStore("messages", { keyPath: ["room_id", "seq"] });
        fresh.createObjectStore("sends", { keyPath: "client_id" });
        fresh.createObjectStore("people", { keyPath: "account_id" });
      };
      const database = await answer<IDBDatabase>(opening);
      // a page of a newer version waits for this one
      database.onversionchange = () => database.close();
      return new IndexedDbStore(database);
    } catch (failure) {
      throw notKept(failure);
    }
  }

  async load(): Promise<Kept> {
    try {
      const read = this.#database.transaction(STORES);
      const about = read.objectStore("about");
      const all = <T>(name: string): Promise<T[]> => answer(read.objectStore(name).getAll());
      const [device_id, session, owed, live_at, rooms, sends, people] = await Promise.all([
        answer<string | undefined>(about.get("device_id")),
        answer<KeptSession | undefined>(about.get("session")),
        answer<KeptOwed | undefined>(about.get("owed")),
        answer<number | undefined>(about.get("live_at")),
        all<KeptRoom>("rooms"),
        all<KeptSend>("sends"),
        all<Account>("people"),
      ]);
      const ofMachine = { ...(device_id !== undefined && { device_id }), ...(owed !== undefined && { owed }) };
      if (this.#disowned.stands) return { ...ofMachine, disowned: true, rooms: [], sends: [], people: [] };
      return {
        ...ofMachine,
        ...(session !== undefined && { session }),
        ...(live_at !== undefined && { live_at }),
        rooms,
        sends: sends.sort((a, b) => a.order - b.order),
        people,
      };
    } catch (failure) {
      throw notKept(failure);
    }
  }

  async messages(room_id: RoomId): Promise<Message[]> {
    if (this.#disowned.stands) return [];
    try {
      const read = this.#database.transaction("messages").objectStore("messages");
      return await answer<Message[]>(read.getAll(range(room_id, Infinity)));
    } catch (failure) {
      throw notKept(failure);
    }
  }

  async write(batch: Batch): Promise<void> {
    const anew = ownsAnew(batch) && this.#disowned.stands;
    await this.#change("relaxed", (stores) => {
      if (anew) forget(stores);
      const { about, rooms, messages, sends, people } = stores;
      const keep = (key: string, value: unknown): unknown => (value === undefined ? about.delete(key) : about.put(value, key));
      if (batch.cleared) for (const store of [rooms, messages, people]) store.clear();
      if (batch.device_id !== undefined) keep("device_id", batch.device_id);
      if ("session" in batch) keep("session", batch.session);
      if ("owed" in batch) keep("owed", batch.owed);
      if (batch.live_at !== undefined) keep("live_at", batch.live_at);
      for (const room_id of batch.forgotten ?? []) {
        rooms.delete(room_id);
        messages.delete(range(room_id, Infinity));
      }
      for (const { room_id, below } of batch.cut ?? []) messages.delete(range(room_id, below));
      for (const message of batch.messages ?? []) messages.put(message);
      const change = (room_id: RoomId, seq: Seq, work: (kept: Message) => Message): void => {
        const asked = messages.get([room_id, seq]) as IDBRequest<Message | undefined>;
        asked.onsuccess = () => asked.result && messages.put(work(asked.result));
      };
      for (const message of batch.edits ?? []) change(message.room_id, message.seq, (kept) => newer(kept, message));
      for (const event of batch.deletions ?? []) {
        change(event.room_id, event.seq, (kept) => tombstone(kept, { ...event, deleted_at: event.ts }));
      }
      for (const room of batch.rooms ?? []) rooms.put(room);
      for (const send of batch.sends ?? []) sends.put(send);
      for (const client_id of batch.settled ?? []) sends.delete(client_id);
      for (const account of batch.people ?? []) people.put(account);
    });
    if (anew) this.#disowned.take();
  }

  disown(): void {
    this.#disowned.put();
  }

  async clear(): Promise<void> {
    await this.#change("default", forget);
    this.#disowned.take();
  }

  /** All of it, or nothing. */
  async #change(durability: IDBTransactionDurability, work: (stores: Stores) => void): Promise<void> {
    try {
      const change = this.#database.transaction(STORES, "readwrite", { durability });
      const done = new Promise<void>((complete, failed) => {
        change.oncomplete = () => complete();
        change.onabort = () => failed(change.error ?? new Error("aborted"));
      });
      try {
        work(Object.fromEntries(STORES.map((name) => [name, change.objectStore(name)])) as Stores);
      } catch (failure) {
        done.catch(() => undefined);
        change.abort();
        throw failure;
      }
      await done;
    } catch (failure) {
      throw notKept(failure);
    }
  }

  close(): void {
    this.#database.close();
  }
}

type Stores = Record<"about" | "rooms" | "messages" | "sends" | "people", IDBObjectStore> & Record<string, IDBObjectStore>;

/** A mark that stands, or does not, for all pages of an origin at once; never where nothing is kept. */
class Note {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  get stands(): boolean {
    return noted((kept) => kept.getItem(this.#name) !== null);
  }

  put(): void {
    noted((kept) => kept.setItem(this.#name, ""));
  }

  take(): void {
    noted((kept) => kept.removeItem(this.#name));
  }
}

function noted(work: (kept: Storage) => boolean | void): boolean {
  try {
    return work(localStorage) ?? false;
  } catch {
    return false; // site data is blocked, or there is no room
  }
}

function forget(stores: Stores): void {
  for (const name of OF_ACCOUNT) stores[name]!.clear();
  stores.about.delete("session");
  stores.about.delete("live_at");
}

function answer<T>(request: IDBRequest): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result as T);
    request.onerror = () => failed(request.error);
  });
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
