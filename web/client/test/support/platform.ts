import type { Channel, Locks } from "../../src/tabs/platform.ts";

interface Waiting {
  tab: string;
  grant: () => void;
}

/** What the tabs of one browser profile share; a tab can be killed as browsers do it, without a word. */
export class Profile {
  readonly #held = new Map<string, string>();
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #channels = new Map<string, Set<{ tab: string; channel: Channel }>>();
  readonly #dead = new Set<string>();
  readonly #deaf = new Set<string>();
  cookie: string | undefined;

  locks(tab: string): Locks {
    return {
      request: async <T>(name: string, options: { signal?: AbortSignal }, held: () => Promise<T>): Promise<T> => {
        await this.#acquire(name, tab, options.signal);
        try {
          return await held();
        } finally {
          this.#release(name, tab);
        }
      },
    };
  }

  #acquire(name: string, tab: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((granted, refused) => {
      const waiting = { tab, grant: granted };
      const queue = this.#waiting.get(name) ?? [];
      this.#waiting.set(name, [...queue, waiting]);
      signal?.addEventListener("abort", () => {
        this.#waiting.set(name, (this.#waiting.get(name) ?? []).filter((each) => each !== waiting));
        refused(signal.reason as Error);
      });
      this.#next(name);
    });
  }

  #release(name: string, tab: string): void {
    if (this.#held.get(name) !== tab) return;
    this.#held.delete(name);
    this.#next(name);
  }

  #next(name: string): void {
    if (this.#held.has(name)) return;
    const queue = (this.#waiting.get(name) ?? []).filter((each) => !this.#dead.has(each.tab));
    const first = queue.shift();
    this.#waiting.set(name, queue);
    if (!first) return;
    this.#held.set(name, first.tab);
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
          setImmediate(() => this.#dead.has(other.tab) || this.#deaf.has(other.tab) || other.channel.onmessage?.({ data: structuredClone(data) }));
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

  kill(tab: string): void {
    this.#dead.add(tab);
    for (const [name, holder] of [...this.#held]) if (holder === tab) this.#release(name, tab);
  }
}
