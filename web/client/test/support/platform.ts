import type { Channel, Locks } from "../../src/tabs/platform.ts";

interface Waiting {
  tab: string;
  grant: () => void;
  /** The lock was taken away. */
  robbed: (why: Error) => void;
}

/** What the tabs of one browser profile share; a tab can be killed as browsers do it, without a word. */
export class Profile {
  readonly #held = new Map<string, Waiting>();
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #channels = new Map<string, Set<{ tab: string; channel: Channel }>>();
  readonly #dead = new Set<string>();
  readonly #deaf = new Set<string>();
  /** What tabs that are suspended are told when they wake. */
  readonly #asleep = new Map<string, (() => void)[]>();
  cookie: string | undefined;

  locks(tab: string): Locks {
    return {
      request: <T>(name: string, options: { signal?: AbortSignal; steal?: boolean }, held: () => Promise<T>): Promise<T> =>
        new Promise((done, failed) => {
          const mine: Waiting = { tab, grant: () => undefined, robbed: failed };
          this.#acquire(name, mine, options)
            .then(held)
            .then(done, failed)
            .finally(() => this.#release(name, mine));
        }),
    };
  }

  #acquire(name: string, waiting: Waiting, { signal, steal }: { signal?: AbortSignal; steal?: boolean }): Promise<void> {
    return new Promise((granted, refused) => {
      waiting.grant = granted;
      const queue = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, steal ? [waiting, ...queue] : [...queue, waiting]);
      const holder = steal ? this.#held.get(name) : undefined;
      if (holder) {
        this.#held.delete(name);
        const rob = (): void => holder.robbed(new DOMException("stolen", "AbortError"));
        const asleep = this.#asleep.get(holder.tab);
        if (asleep) asleep.push(rob);
        else rob();
      }
      signal?.addEventListener("abort", () => {
        this.#waiting.set(name, (this.#waiting.get(name) ?? []).filter((each) => each !== waiting));
        refused(signal.reason as Error);
      });
      this.#next(name);
    });
  }

  #release(name: string, mine: Waiting): void {
    if (this.#held.get(name) !== mine) return;
    this.#held.delete(name);
    this.#next(name);
  }

  #next(name: string): void {
    if (this.#held.has(name)) return;
    const queue = (this.#waiting.get(name) ?? []).filter((each) => !this.#dead.has(each.tab));
    const first = queue.shift();
    this.#waiting.set(name, queue);
    if (!first) return;
    this.#held.set(name, first);
    first.grant();
  }

  channel(tab: string, name: string): Channel {
    const others = this.#channels.get(name) ?? new Set();
    this.#channels.set(name, others);
    const channel: Channel = {
      onmessage: null,
      postMessage: (message) => {
        if (this.#dead.has(tab)) return;
        const data = structuredClone(message);
        for (const other of others) {
          if (other.channel === channel) continue;
          const hear = (): void => other.channel.onmessage?.({ data: structuredClone(data) });
          setImmediate(() => {
            if (this.#dead.has(other.tab) || this.#deaf.has(other.tab)) return;
            const asleep = this.#asleep.get(other.tab);
            if (asleep) asleep.push(hear);
            else hear();
          });
        }
      },
      close: () => void [...others].filter((other) => other.channel === channel).forEach((other) => others.delete(other)),
    };
    others.add({ tab, channel });
    return channel;
  }

  isDead(tab: string): boolean {
    return this.#dead.has(tab);
  }

  /** A tab hears nothing from others, until the answer is called. */
  deafen(tab: string): () => void {
    this.#deaf.add(tab);
    return () => this.#deaf.delete(tab);
  }

  /** A browser suspends a tab, with its locks, until the answer is called: it hears nothing, and all of it then. */
  suspend(tab: string): () => void {
    this.#asleep.set(tab, []);
    return () => {
      const missed = this.#asleep.get(tab) ?? [];
      this.#asleep.delete(tab);
      for (const work of missed) setImmediate(work);
    };
  }

  isAsleep(tab: string): boolean {
    return this.#asleep.has(tab);
  }

  kill(tab: string): void {
    this.#dead.add(tab);
    for (const [name, holder] of [...this.#held]) if (holder.tab === tab) this.#release(name, holder);
  }
}
