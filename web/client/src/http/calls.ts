import { asConfabError, type ConfabError, readError, unreachable } from "./error.ts";
import { type AnswerOf, type Input, type Operation, type Route, ROUTES } from "./operations.ts";

/** How long a server may be silent. */
const ANSWER_MS = 20_000;
const REPEATS = 2;
const REPEATS_WHEN_MAKING = 5;
const PAUSE_MS = 500;

/** What HTTP calls need of their surroundings. */
export interface HttpEnvironment {
  fetch: typeof globalThis.fetch;
  /** Done after so many milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** A new id with at least 64 random bits, of printable ASCII. */
  newId: () => string;
}

/**
 * Makes HTTP calls at the first server that answers, then at the next. A call whose answer was lost is made
 * again only where that does no harm; what makes something has a key by which the server knows a repetition.
 */
export class HttpCalls {
  readonly #servers: readonly string[];
  readonly #environment: HttpEnvironment;
  #server = 0;

  /** @param servers origins such as `https://chat.example.org`; an empty text: where the page is from */
  constructor(servers: readonly string[], environment: HttpEnvironment) {
    this.#servers = servers;
    this.#environment = environment;
  }

  /** @param authorization value of the header; undefined for calls that need none */
  async make<K extends Operation>(
    operation: K,
    input: Input<K>,
    authorization?: string,
    signal?: AbortSignal,
  ): Promise<AnswerOf<K>> {
    const route: Route = ROUTES[operation];
    const request = this.#request(route, input as Record<string, unknown>, authorization);
    const repeats = route.making ? REPEATS_WHEN_MAKING : route.repeatable ? REPEATS : 0;
    for (let made = 0; ; made++) {
      try {
        return (await this.#once(request, signal)) as AnswerOf<K>;
      } catch (failure) {
        const error = asConfabError(failure);
        signal?.throwIfAborted();
        if (made >= repeats || !mayRepeat(route, error, made)) throw error;
        await this.#environment.sleep(PAUSE_MS * 2 ** made);
      }
    }
  }

  #request(route: Route, input: Record<string, unknown>, authorization: string | undefined): Prepared {
    const { body, ...rest } = input;
    const { path, query } = written(route.path, rest);
    const headers: Record<string, string> = { accept: "application/json" };
    if (authorization !== undefined) headers["authorization"] = authorization;
    if (route.making) headers["idempotency-key"] = this.#environment.newId();
    if (route.path === ROUTES.refreshTokens.path) headers["x-confab"] = "1";
    if (body !== undefined) headers["content-type"] = "application/json";
    return {
      path: path + query,
      init: { method: route.method, headers, ...(route.keepalive && { keepalive: true }), ...(body !== undefined && { body: JSON.stringify(body) }) },
    };
  }

  async #once(request: Prepared, signal: AbortSignal | undefined): Promise<unknown> {
    const server = this.#server;
    const silence = AbortSignal.timeout(ANSWER_MS);
    try {
      const response = await this.#environment.fetch(this.#servers[server] + request.path, {
        ...request.init,
        credentials: "same-origin",
        cache: "no-store",
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, silence]) : silence,
      });
      const text = await response.text();
      if (!response.ok) throw readError(json(text), response.status);
      if (text === "") return undefined;
      const answer = json(text);
      if (answer === undefined) throw unreachable(new Error("what came is not JSON of a Confab server"));
      return answer;
    } catch (failure) {
      const error = asConfabError(failure);
      if (error.code === "unreachable" && server === this.#server) this.#server = (server + 1) % this.#servers.length;
      throw error;
    }
  }
}

interface Prepared {
  path: string;
  init: { method: string; headers: Record<string, string>; body?: string; keepalive?: boolean };
}

/** While a server is still at the lost call that makes something, it answers `unavailable`. */
function mayRepeat(route: Route, error: ConfabError, made: number): boolean {
  return error.code === "unreachable" || (route.making === true && error.code === "unavailable" && made > 0);
}

/** What has no place in the path goes into the query. */
function written(template: string, input: Record<string, unknown>): { path: string; query: string } {
  const left = new Map(Object.entries(input));
  const path = template.replace(/\{(\w+)\}/gu, (_whole, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of left) if (value !== undefined) query.set(name, String(value));
  return { path, query: query.size === 0 ? "" : `?${query}` };
}

/** Undefined for what is no JSON. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
