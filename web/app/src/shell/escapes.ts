/** What Esc does, newest first: the first that answers true has done it. */
class Escapes {
  readonly #all: (() => boolean)[] = [];

  add(one: () => boolean): () => void {
    this.#all.unshift(one);
    return () => {
      const at = this.#all.indexOf(one);
      if (at >= 0) this.#all.splice(at, 1);
    };
  }

  press(): boolean {
    return this.#all.some((one) => one());
  }
}

export const escapes = new Escapes();
