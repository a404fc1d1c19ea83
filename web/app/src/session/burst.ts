/** Does something at once, and then, while it is asked for again and again, only so often. */
export class Burst {
  readonly #ms: number;
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #again = false;

  constructor(ms: number, act: () => void) {
    this.#ms = ms;
    this.#act = act;
  }

  /** Asks for it: done now, or when its time has come. */
  ask(): void {
    if (this.#timer !== undefined) {
      this.#again = true;
      return;
    }
    this.#wait();
    this.#act();
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#again) return;
      this.#again = false;
      this.#wait();
      this.#act();
    }, this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#again = false;
  }
}
