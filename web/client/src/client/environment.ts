import type { HttpEnvironment } from "../http/calls.ts";

/** What the client needs of a WebSocket. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string): void;
  close(code?: number): void;
}

/** What a client needs of its surroundings: the clock, chance, the network. */
export interface Environment extends HttpEnvironment {
  /** Opens a WebSocket. */
  socket: (url: string, protocol: string) => SocketLike;
  /** Milliseconds of a clock that only goes forward. */
  now: () => number;
  /** Milliseconds since 1970, by this machine's clock. */
  time: () => number;
  /** From 0 to 1. */
  random: () => number;
  /** Calls once, after so many milliseconds. @returns what prevents it */
  timer: (work: () => void, ms: number) => () => void;
  /** Whether somebody may be looking. */
  visible: () => boolean;
  /** Where faults of this package, or of a listener, are told. */
  report: (fault: unknown) => void;
}

/** The surroundings of a browser, or of Node 22 and later; older Node needs a `WebSocket` given. */
export function environment(given: Partial<Environment> = {}): Environment {
  return {
    fetch: (input, init) => globalThis.fetch(input, init),
    socket: (url, protocol) => new WebSocket(url, protocol) as unknown as SocketLike,
    now: () => performance.now(),
    time: () => Date.now(),
    random: () => Math.random(),
    newId,
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    timer: (work, ms) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    visible: () => typeof document === "undefined" || !document.hidden,
    report: (fault) => console.error(fault),
    ...given,
  };
}

/** 128 random bits. `crypto.randomUUID` is not there on pages without TLS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
