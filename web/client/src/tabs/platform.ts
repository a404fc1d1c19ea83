/** The part of the browser's LockManager that is used. */
export interface Locks {
  /** @param options `steal`: at once, whoever has it; whose lock was stolen fails with an `AbortError` */
  request<T>(name: string, options: { signal?: AbortSignal; steal?: boolean }, held: () => Promise<T>): Promise<T>;
}

/** The part of a BroadcastChannel that is used. */
export interface Channel {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** Locks of a program that shares with nobody: one holder after the other, in the order of asking. */
export class OwnLocks implements Locks {
  readonly #queues = new Map<string, Promise<unknown>>();

  request<T>(name: string, options: { signal?: AbortSignal }, held: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(name) ?? Promise.resolve();
    const mine = before
      .catch(() => undefined)
      .then(() => {
        options.signal?.throwIfAborted();
        return held();
      });
    this.#queues.set(name, mine);
    return mine;
  }
}

/** A channel on which nobody else is. */
export const NO_CHANNEL: Channel = { onmessage: null, postMessage: () => undefined, close: () => undefined };
