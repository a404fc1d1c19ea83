const LONG_MS = 500;
/** A finger that rests moves less. */
const STILL_PX = 10;

type Pressed = Pick<PointerEvent, "clientX" | "clientY" | "target">;

/**
 * A finger that stays where it is for half a second. Safari tells of none; where browsers do, by asking for a
 * context menu, that is taken for one too.
 */
export class LongPress {
  readonly #act: (at: Pressed) => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #from: Pressed | undefined;
  /** The press was one: what the browser makes of its end is not meant for what appeared under the finger. */
  #done = false;

  /** @param act what a press does; answers whether it did anything */
  constructor(act: (at: Pressed) => boolean) {
    this.#act = act;
  }

  down = (event: PointerEvent): void => {
    this.end();
    this.#done = false;
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    const from = { clientX: event.clientX, clientY: event.clientY, target: event.target };
    this.#from = from;
    this.#timer = setTimeout(() => {
      this.end();
      this.#done = this.#act(from);
    }, LONG_MS);
  };

  move = (event: PointerEvent): void => {
    if (this.#from && Math.hypot(event.clientX - this.#from.clientX, event.clientY - this.#from.clientY) > STILL_PX) this.end();
  };

  end = (): void => {
    clearTimeout(this.#timer);
    this.#from = undefined;
  };

  context = (event: MouseEvent): void => {
    if ((event as PointerEvent).pointerType !== "touch") return;
    const from = this.#from;
    this.end();
    if (!this.#done && from) this.#done = this.#act(from);
    if (this.#done) event.preventDefault();
  };

  click = (event: MouseEvent): void => {
    if (!this.#done) return;
    this.#done = false;
    event.preventDefault();
    event.stopPropagation();
  };
}
