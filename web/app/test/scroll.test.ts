import assert from "node:assert/strict";
import { test } from "node:test";
import { Stillness } from "../src/log/scroll.ts";

const VIEW = 600;
const MESSAGE = 30;

/** A scroller as the browser lays it out: messages of one height, and a line below them while newer ones are known of. */
class Scroller {
  readonly clientHeight = VIEW;
  first: number;
  last: number;
  edge = 0;
  #scrollTop = 0;

  constructor(first: number, last: number) {
    this.first = first;
    this.last = last;
  }

  get scrollHeight(): number {
    return (this.last - this.first + 1) * MESSAGE + this.edge;
  }

  get scrollTop(): number {
    return Math.max(0, Math.min(this.#scrollTop, this.scrollHeight - VIEW));
  }

  set scrollTop(to: number) {
    this.#scrollTop = to;
    this.#scrollTop = this.scrollTop;
  }

  get below(): number {
    return this.scrollHeight - this.scrollTop - VIEW;
  }

  getBoundingClientRect() {
    return { top: 0, bottom: VIEW };
  }

  /** Where a message begins, from the top of the view. */
  topOf(seq: number): number {
    return (seq - this.first) * MESSAGE - this.scrollTop;
  }

  querySelectorAll() {
    const has = (seq: number) => seq >= this.first && seq <= this.last;
    const boxOf = (seq: number) => ({ top: this.topOf(seq), bottom: this.topOf(seq) + MESSAGE });
    return Array.from({ length: this.last - this.first + 1 }, (_, i) => {
      const seq = this.first + i;
      return { get isConnected() { return has(seq); }, getBoundingClientRect: () => boxOf(seq) };
    });
  }
}

function held(first: number, last: number): { scroller: Scroller; stillness: Stillness } {
  const scroller = new Scroller(first, last);
  return { scroller, stillness: new Stillness(scroller as unknown as HTMLElement) };
}

test("who is at the end of the room follows it", () => {
  const { scroller, stillness } = held(1, 60);
  scroller.scrollTop = Infinity;
  stillness.remember(true);
  scroller.last = 61;
  stillness.restore(true, false);
  assert.equal(scroller.below, 0);
});

test("who has come to the end of what is here before the last page stays where they are", () => {
  const { scroller, stillness } = held(41, 100);
  scroller.edge = 48;
  scroller.scrollTop = Infinity;
  stillness.remember(false);
  const top = scroller.topOf(90);
  scroller.last = 140;
  scroller.edge = 0;
  stillness.restore(true, false);
  assert.equal(scroller.topOf(90), top);
});

test("who is at the end of the room follows nothing that leaves it", () => {
  const { scroller, stillness } = held(1, 60);
  scroller.scrollTop = Infinity;
  stillness.remember(true);
  const top = scroller.topOf(50);
  scroller.edge = 48;
  stillness.restore(false, false);
  assert.equal(scroller.topOf(50), top);
});

test("what comes and goes above moves nothing", () => {
  const { scroller, stillness } = held(101, 200);
  scroller.scrollTop = 900;
  stillness.remember(true);
  const top = scroller.topOf(140);
  scroller.first = 1;
  stillness.restore(true, false);
  assert.equal(scroller.topOf(140), top);
  stillness.remember(true);
  scroller.first = 81;
  stillness.restore(true, false);
  assert.equal(scroller.topOf(140), top);
});

test("what the reader scrolled meanwhile stays", () => {
  const { scroller, stillness } = held(1, 60);
  scroller.scrollTop = Infinity;
  stillness.remember(true);
  scroller.scrollTop -= 400;
  const top = scroller.topOf(30);
  scroller.last = 61;
  stillness.restore(true, true);
  assert.equal(scroller.topOf(30), top);
});
