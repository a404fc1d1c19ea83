/** A clock that a test moves. */
export class Clock {
  now = 1_000;
  #timers: { at: number; number: number; work: () => void }[] = [];
  #made = 0;

  timer = (work: () => void, ms: number): (() => void) => {
    const timer = { at: this.now + ms, number: this.#made++, work };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((each) => each !== timer));
  };

  sleep = (ms: number): Promise<void> => new Promise((done) => this.timer(done, ms));

  /** Lets time pass, and everything happen that was waiting for it. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      await settled();
      const next = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at || a.number - b.number)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.now = Math.max(this.now, next.at);
      next.work();
    }
    this.now = end;
  }

  /** Lets time pass until something is so; fails after a while of that time. */
  async until(what: () => boolean, about: string, ms = 60_000): Promise<void> {
    for (let passed = 0; !what(); passed += 10) {
      if (passed > ms) throw new Error(`never: ${about}`);
      await this.pass(10);
    }
  }
}

/** Done when no promise is left that could go on by itself. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await new Promise((done) => setImmediate(done));
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
