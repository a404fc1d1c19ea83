/** Something that has a value now and tells when it has another one. Values are never changed in place. */
export interface Observable<T> {
  readonly value: T;
  /**
   * Calls `listener` with each new value, not with the present one. Listeners are called in the order in
   * which they came, and must not throw.
   *
   * @returns what ends the subscription
   */
  subscribe(listener: (value: T) => void): () => void;
}

/** An observable whose value its owner sets. */
export class Cell<T> implements Observable<T> {
  #value: T;
  readonly #listeners = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  /** Tells nobody where it is the value already. */
  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener(value);
  }

  subscribe(listener: (value: T) => void): () => void {
    const mine = (value: T): void => listener(value);
    this.#listeners.add(mine);
    return () => this.#listeners.delete(mine);
  }
}
