import { open } from "../../src/client/open.ts";
import type { Client } from "../../src/client/client.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import type { Store } from "../../src/store/store.ts";
import { OwnLocks } from "../../src/tabs/platform.ts";
import { signOutsOnly } from "../../src/tabs/tabs.ts";
import { Clock, randomOf } from "./clock.ts";
import { Profile } from "./platform.ts";
import { FakeServer } from "./server.ts";

export interface Tab {
  client: Client;
  tab: string;
  isLeader: () => boolean;
  /** The page is looked at again, or the network is back. */
  wake: () => void;
  /** The page may be gone in a moment. */
  leave: () => Promise<void>;
}

interface TabOptions {
  /** Whether the browser has no Web Locks. */
  unlocked?: boolean;
  cookie?: boolean;
  visible?: () => boolean;
  /** Whether the browser runs none of its timers. */
  slow?: () => boolean;
}

/** A server, browser profiles, and the clock of all of them. */
export class World {
  readonly clock = new Clock();
  readonly server = new FakeServer(this.clock);
  readonly faults: unknown[] = [];
  readonly #random: () => number;
  #ids = 0;

  constructor(seed = 1) {
    this.#random = randomOf(seed);
  }

  /** Opens a tab of a profile. */
  async tab(profile: Profile, store: Store, more: TabOptions = {}): Promise<Tab> {
    const tab = `tab-${++this.#ids}`;
    const alive = <A extends unknown[]>(work: (...given: A) => void) => (...given: A): void => {
      if (!profile.isDead(tab) && !profile.isAsleep(tab) && !more.slow?.()) work(...given);
    };
    const opening = open({
      device: { name: "Test", platform: "test" },
      servers: ["http://fake"],
      store,
      cookie: more.cookie ?? true,
      tabs: more.unlocked
        ? { locks: new OwnLocks(), channel: signOutsOnly(profile.channel(tab, "confab")) }
        : { locks: profile.locks(tab), channel: profile.channel(tab, "confab") },
      environment: {
        fetch: this.server.fetch(profile),
        socket: (url, protocol) => {
          const socket = this.server.socket(url, protocol);
          this.#sockets.set(tab, [...(this.#sockets.get(tab) ?? []), socket]);
          return socket;
        },
        now: () => this.clock.now,
        time: () => this.clock.now,
        random: this.#random,
        timer: (work, ms) => this.clock.timer(alive(work), ms),
        sleep: this.clock.sleep,
        visible: () => more.visible?.() ?? true,
        newId: () => `${tab}-${++this.#ids}`,
        report: (fault) => this.faults.push(fault),
      },
    });
    let opened: Awaited<typeof opening> | undefined;
    void opening.then((done) => (opened = done));
    await this.clock.until(() => opened !== undefined, "a tab opens");
    const { client, tabs } = opened!;
    return { client, tab, isLeader: () => tabs.isLeader, wake: () => client.wake(), leave: () => client.keepUnsent() };
  }

  readonly #sockets = new Map<string, { close(): void }[]>();

  /** A tab is gone as when the browser ends it: its socket closes, its locks are free, it says nothing. */
  kill(profile: Profile, tab: string): void {
    for (const socket of this.#sockets.get(tab) ?? []) {
      (socket as unknown as { onmessage: null }).onmessage = null;
      (socket as unknown as { onclose: null }).onclose = null;
      socket.close();
    }
    profile.kill(tab);
  }

  /** A profile of somebody who is signed in, with one tab. */
  async person(handle: string): Promise<Tab & { profile: Profile; store: Store; account_id: string }> {
    const account_id = this.server.account(handle);
    const profile = new Profile();
    const store = new MemoryStore();
    const tab = await this.tab(profile, store);
    return { ...tab, profile, store, account_id };
  }

  async signIn(client: Client, handle: string): Promise<void> {
    await this.done(client.signIn(handle, "secret99"));
    await this.clock.until(() => client.connection.value.state === "live" && client.listed.value, "it is live");
  }

  /** Lets time pass until a promise is done. */
  async done<T>(promise: Promise<T>): Promise<T> {
    let state = "";
    promise.then(
      () => (state = "done"),
      () => (state = "failed"),
    );
    await this.clock.until(() => state !== "", "a promise is settled", 120_000);
    return promise;
  }
}

/** The bodies of a room's log, `†` for tombstones. */
export function bodies(client: Client, room_id: string): string[] {
  return client.room(room_id).log.value.messages.map((message) => ("body" in message ? message.body : "†"));
}
