import { signal } from "@preact/signals";
import type { RoomView } from "@confab/client";
import { heldLine, type Held } from "./lines.ts";

/** After a failure, a message is asked for again no sooner. */
const PAUSE_MS = 10_000;

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
    this.#known.value = new Map(this.#known.peek()).set(line.seq, line);
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
