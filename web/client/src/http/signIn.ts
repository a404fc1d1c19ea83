import type { Tokens } from "../protocol/things.ts";
import type { HttpCalls } from "./calls.ts";
import { ConfabError } from "./error.ts";

/** The tokens of a sign-in. The refresh token is absent where a cookie that scripts cannot read has it. */
export interface Credentials {
  account_id: string;
  device_id: string;
  /** Empty where none was got yet. */
  access_token: string;
  refresh_token?: string;
}

/** A sign-in that ended here and that no server was told of. */
export type Owed = Omit<Credentials, "access_token">;

/** Where a sign-in is shared by several tabs or programs. */
export interface SharedSignIn {
  /** What is known of it by now, perhaps renewed by another one. */
  current(): Promise<Credentials | undefined>;
  /** Called before anybody uses them. */
  keep(credentials: Credentials): Promise<void>;
  /** A server says that it is no more. */
  over(): void;
  /** Does this while nobody else does. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The sign-in of a program: how it is kept and renewed. A refresh token that comes after its successor was
 * used looks stolen to the server, so only one renewal is under way at a time, among all tabs, and its
 * tokens are kept before anybody uses them.
 */
export class SignIn {
  readonly #calls: HttpCalls;
  readonly #shared: SharedSignIn;
  #renewal: Promise<Credentials> | undefined;

  constructor(calls: HttpCalls, shared: SharedSignIn) {
    this.#calls = calls;
    this.#shared = shared;
  }

  /** With an access token; fails as `unauthorized` when nobody is signed in. */
  async current(): Promise<Credentials> {
    const kept = await this.#kept();
    return kept.access_token === "" ? this.renew("") : kept;
  }

  /** Makes a call in the account's name, once more with new tokens where a server refused the old. */
  async call<T>(call: (authorization: string) => Promise<T>): Promise<T> {
    const kept = await this.current();
    try {
      return await call(bearer(kept));
    } catch (failure) {
      if (!(failure instanceof ConfabError) || failure.status !== 401) throw failure;
      return call(bearer(await this.renew(kept.access_token)));
    }
  }

  /** Tokens in place of those that a server refused; fails as `unauthorized` when the sign-in is over. */
  renew(refused: string): Promise<Credentials> {
    this.#renewal ??= this.#shared
      .alone(() => this.#renewAlone(refused))
      .catch((failure: unknown) => {
        if (failure instanceof ConfabError && failure.code === "unauthorized") this.#shared.over();
        throw failure;
      })
      .finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #renewAlone(refused: string): Promise<Credentials> {
    const kept = await this.#kept();
    if (kept.access_token !== "" && kept.access_token !== refused) return kept; // somebody else was quicker
    const tokens = await this.#refresh(kept);
    const now = await this.#kept(); // perhaps nobody is signed in any more
    if (!isOf(tokens, now)) throw signedOut("the cookie is of another sign-in");
    if (now.access_token !== kept.access_token) return now; // this one was suspended meanwhile
    return this.accept(tokens);
  }

  async #refresh({ refresh_token }: Owed): Promise<Tokens> {
    try {
      return await this.#calls.make("refreshTokens", { body: refresh_token === undefined ? {} : { refresh_token } });
    } catch (failure) {
      throw refresh_token === undefined && isOfNone(failure) ? signedOut("the cookie is gone") : failure;
    }
  }

  /**
   * Tells a server that a sign-in is over; done, too, where it is by now, or another one took its place.
   *
   * @param renewed keeps what the sign-in is known by from now on
   */
  async end(owed: Owed, renewed: (owed: Owed) => Promise<void>): Promise<void> {
    await this.#shared.alone(async () => {
      const tokens = await this.#refresh(owed);
      if (!isOf(tokens, owed)) return;
      const { account_id, device_id, refresh_token } = tokens;
      if (refresh_token !== undefined) await renewed({ account_id, device_id, refresh_token });
      await this.#calls.make("signOut", {}, bearer(tokens));
    });
  }

  /** Keeps the tokens that a server gave. */
  async accept(tokens: Tokens): Promise<Credentials> {
    const { account_id, device_id, access_token, refresh_token } = tokens;
    const credentials = { account_id, device_id, access_token, ...(refresh_token !== undefined && { refresh_token }) };
    await this.#shared.keep(credentials);
    return credentials;
  }

  async #kept(): Promise<Credentials> {
    const kept = await this.#shared.current();
    if (!kept) throw signedOut("nobody is signed in");
    return kept;
  }
}

function signedOut(message: string): ConfabError {
  return new ConfabError({ code: "unauthorized", message, retryable: false });
}

/** What a server says of a call that no cookie came with: it misses the token, and will for ever. */
function isOfNone(failure: unknown): boolean {
  return failure instanceof ConfabError && failure.code === "invalid_field" && failure.field === "refresh_token";
}

/** Cookies know no ports: what came may be of another installation, or of whoever signed in since. */
function isOf(tokens: Tokens, known: Owed): boolean {
  return tokens.account_id === known.account_id && tokens.device_id === known.device_id;
}

function bearer(credentials: { access_token: string }): string {
  return `Bearer ${credentials.access_token}`;
}
