/** Within this of the end a log follows what comes. */
export const NEAR_END = 50;

/** A message that is to stay where it is while others come and go. */
interface Anchor {
  node: Element;
  /** Its lower edge, for it may lose its head to one that comes above; of one that goes beyond the view, the upper. */
  edge: "top" | "bottom";
  at: number;
}

/**
 * Holds a scroller still while what it shows changes: the end, where the reader is at the end of the room, else
 * the messages on the screen. Browsers anchor by themselves in part, and Safari does not.
 */
export class Stillness {
  readonly #scroller: HTMLElement;
  #anchors: Anchor[] = [];
  #scrolled = 0;
  #atEnd = true;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  /**
   * Remembers where things stand; before each change, and after each scrolling.
   *
   * @param whole whether the end is the end of the room; else who is there waits for more, and follows nothing
   */
  remember(whole: boolean): void {
    const scroller = this.#scroller;
    this.#scrolled = scroller.scrollTop;
    this.#atEnd = whole && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= NEAR_END;
    const frame = scroller.getBoundingClientRect();
    const nodes = messagesOf(scroller);
    this.#anchors = [];
    for (let i = firstBelow(nodes, frame.top); i < nodes.length && this.#anchors.length < 8; i++) {
      const box = nodes[i]!.getBoundingClientRect();
      if (box.top > frame.bottom) break;
      const edge = box.bottom > frame.bottom ? "top" : "bottom";
      this.#anchors.push({ node: nodes[i]!, edge, at: box[edge] });
    }
  }

  /**
   * Puts back what moved.
   *
   * @param whole whether the end is the end of the room now
   * @param late whether the reader may have scrolled since; that stays
   */
  restore(whole: boolean, late: boolean): void {
    const scroller = this.#scroller;
    const scrolled = late ? scroller.scrollTop - this.#scrolled : 0;
    // What became shorter pushes the scroller up, as if the reader had been there.
    const pushed = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 1;
    if (whole && this.#atEnd && (scrolled > -1 || pushed)) {
      scroller.scrollTop = scroller.scrollHeight;
      return;
    }
    const anchor = this.#anchors.find((one) => one.node.isConnected);
    if (!anchor) return;
    const moved = anchor.node.getBoundingClientRect()[anchor.edge] - (anchor.at - scrolled);
    if (moved !== 0) scroller.scrollTop += moved;
  }
}

export function messagesOf(scroller: Element): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>(".message")];
}

/** The first node whose lower edge is below a line. */
export function firstBelow(nodes: readonly Element[], line: number): number {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (nodes[middle]!.getBoundingClientRect().bottom > line) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The numbers of the first and the last message of which the end is on the screen. */
export function shown(scroller: HTMLElement): { first: number; last: number } | undefined {
  const frame = scroller.getBoundingClientRect();
  if (frame.height === 0) return undefined;
  const nodes = messagesOf(scroller);
  let first: number | undefined;
  let last: number | undefined;
  for (let i = firstBelow(nodes, frame.top); i < nodes.length; i++) {
    const bottom = nodes[i]!.getBoundingClientRect().bottom;
    if (bottom > frame.bottom + 1) break;
    const seq = Number(nodes[i]!.dataset["seq"]);
    if (!seq) continue;
    first ??= seq;
    last = seq;
  }
  return first === undefined ? undefined : { first, last: last! };
}
