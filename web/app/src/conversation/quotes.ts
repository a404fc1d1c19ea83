import { signal } from "@preact/signals";
import type { RoomView } from "@confab/client";
import { heldLine, type Held } from "./lines.ts";

/** After a failure, a message is asked for again no sooner. */
const PAUSE_MS = 10_000;
/** So many are known at once. */
const MOST = 200;

/** Messages that others reply to and that are not in the page; each is read once. */
export class Quotes {
  readonly #view: RoomView;
  readonly #self: string;
  readonly #known = signal<ReadonlyMap<number, Held>>(new Map());
  readonly #asked = new Set<number>();

  constructor(view: RoomView, self: string) {
    this.#view = view;
    this.#self = self;
  }

  /** What is known of it; it is asked for where that is nothing. */
  get(seq: number): Held | undefined {
    const known = this.#known.value.get(seq);
    if (!known && !this.#asked.has(seq)) {
      this.#asked.add(seq);
      this.#ask(seq);
    }
    return known;
  }

  /** A message was edited or deleted. */
  changed(line: Held): void {
    if (this.#known.peek().has(line.seq)) this.#keep(line);
  }

  #keep(line: Held): void {
    const known = new Map(this.#known.peek());
    known.delete(line.seq); // so that it is the last one to go
    known.set(line.seq, line);
    for (const seq of known.keys()) {
      if (known.size <= MOST) break;
      known.delete(seq);
      this.#asked.delete(seq);
    }
    this.#known.value = known;
  }

  #ask(seq: number): void {
    this.#view.history({ around: seq, limit: 1 }).then(
      ({ messages }) => {
        const message = messages.find((one) => one.seq === seq);
        if (message) this.#keep(heldLine(message, this.#self));
      },
      () => setTimeout(() => this.#asked.delete(seq), PAUSE_MS),
    );
  }
}
