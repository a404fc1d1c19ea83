import { asConfabError } from "../http/error.ts";
import type { Message } from "../protocol/things.ts";
import type { RoomId } from "../protocol/values.ts";
import type { Batch, Kept, Store } from "./store.ts";

/** What a database says that the browser closed by itself: it ran out of room, or somebody cleared its data. */
const CLOSED = "InvalidStateError";

/** A store that is opened anew when it was closed beneath it, once for each call that finds it so. */
export class ReopenedStore implements Store {
  #store: Store;
  readonly #open: () => Promise<Store>;
  #opening: Promise<void> | undefined;
  #closed = false;

  constructor(store: Store, open: () => Promise<Store>) {
    this.#store = store;
    this.#open = open;
  }

  load(): Promise<Kept> {
    return this.#done((store) => store.load());
  }

  messages(room_id: RoomId): Promise<Message[]> {
    return this.#done((store) => store.messages(room_id));
  }

  write(batch: Batch): Promise<void> {
    return this.#done((store) => store.write(batch));
  }

  disown(): void {
    this.#store.disown();
  }

  clear(): Promise<void> {
    return this.#done((store) => store.clear());
  }

  close(): void {
    this.#closed = true;
    this.#store.close();
  }

  async #done<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = this.#store;
    try {
      return await work(store);
    } catch (failure) {
      if (this.#closed || !asConfabError(failure).message.startsWith(CLOSED)) throw failure;
      if (store === this.#store) await this.#reopen();
      return work(this.#store);
    }
  }

  #reopen(): Promise<void> {
    this.#opening ??= this.#open()
      .then((store) => {
        this.#store = store;
        if (this.#closed) store.close();
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }
}
