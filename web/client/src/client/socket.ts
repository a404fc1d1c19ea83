import type { ClientFrame, ServerFrame } from "../protocol/frames.ts";
import type { Environment, SocketLike } from "./environment.ts";

const PROTOCOL = "confab.v1";

/** What a socket tells. After `drop` it tells nothing. */
export interface SocketEvents {
  opened(): void;
  unopened(): void;
  frame(frame: ServerFrame): void;
  closed(code: number): void;
}

/** One WebSocket after the other; only the last one is heard. */
export class LiveSocket {
  readonly #environment: Environment;
  readonly #events: SocketEvents;
  #socket: SocketLike | undefined;

  constructor(environment: Environment, events: SocketEvents) {
    this.#environment = environment;
    this.#events = events;
  }

  /** @param server its origin, of http or https */
  open(server: string): void {
    this.drop();
    let socket: SocketLike;
    try {
      socket = this.#environment.socket(`${server.replace(/^http/u, "ws")}/v1/socket`, PROTOCOL);
    } catch (failure) {
      this.#environment.report(failure);
      this.#events.unopened();
      return;
    }
    this.#socket = socket;
    let isOpen = false;
    const ifMine = (work: () => void): void => {
      if (this.#socket === socket) work();
    };
    socket.onopen = () =>
      ifMine(() => {
        isOpen = true;
        this.#events.opened();
      });
    socket.onmessage = ({ data }) => ifMine(() => this.#received(data));
    socket.onerror = () => undefined; // a close follows
    socket.onclose = ({ code }) =>
      ifMine(() => {
        this.#socket = undefined;
        if (isOpen) this.#events.closed(code);
        else this.#events.unopened();
      });
  }

  /** What is no JSON object is none of a server's: the connection is given up. */
  #received(data: unknown): void {
    let frame: unknown;
    try {
      frame = JSON.parse(String(data));
    } catch {
      frame = undefined;
    }
    if (typeof frame === "object" && frame !== null) {
      this.#events.frame(frame as ServerFrame);
    } else {
      this.drop();
      this.#events.closed(1006);
    }
  }

  write(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    // `bye` is answered by the server's own close; a socket that is left alone still closes
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.onerror = () => undefined;
    socket.close(1000);
  }
}
