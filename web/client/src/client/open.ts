import { HttpCalls } from "../http/calls.ts";
import { ConfabError } from "../http/error.ts";
import type { Credentials } from "../http/signIn.ts";
import { EMPTY } from "../model/log.ts";
import { Model, type Snapshot } from "../model/model.ts";
import type { RoomSnapshot } from "../model/room.ts";
import type { RoomId } from "../protocol/values.ts";
import { IndexedDbStore } from "../store/indexedDb.ts";
import { ReopenedStore } from "../store/reopened.ts";
import { type Kept, type KeptRoom, type KeptSession, NO_STORE, type Store } from "../store/store.ts";
import { type Channel, type Locks, NO_CHANNEL, OwnLocks } from "../tabs/platform.ts";
import { signOutsOnly, Tabs } from "../tabs/tabs.ts";
import type { Client } from "./client.ts";
import { ConfabClient, httpPart } from "./confabClient.ts";
import { type Environment, environment } from "./environment.ts";
import { Host, isSignedOut, sessionOf } from "./host.ts";
import { attendPage } from "./page.ts";

/** How long a page waits for the browser's database before it does without: until it opens, and until it answers. */
const OPEN_MS = 3_000;
const LOAD_MS = 10_000;
const openStore = (name: string): Promise<Store> => IndexedDbStore.open(name);

/** The most bytes of messages that a browser keeps, about, unless said. */
const MOST_BYTES = 16_000_000;

export interface ClientOptions {
  /** How the account's list of devices names this one. */
  device: { name: string; platform: string };
  /** Origins such as `https://chat.example.org`, of one installation; where the page is from unless said. */
  servers?: readonly string[];
  /** Where things are kept; the browser's database unless said, and nowhere where there is none. */
  store?: Store;
  /** Called once in a browser that keeps nothing, so that the person can be told. */
  notKept?: () => void;
  /** Whether the refresh token goes into a cookie that scripts cannot read; in browsers, unless said. */
  cookie?: boolean;
  /** The most bytes of messages that are kept, about; 16 MB unless said. */
  most_bytes?: number;
  /** What connects the tabs of a profile; those of the browser unless said. */
  tabs?: { locks: Locks; channel: Channel };
  /** Surroundings other than usual. */
  environment?: Partial<Environment>;
}

/**
 * Opens the account's conversations: as they were kept, then live. Tabs of one profile share a sign-in, a
 * device and a connection; on pages without TLS, where browsers have no Web Locks, the tab that connected
 * last has it, and the others are told `displaced`. Without a browser, `servers` must be given, and each
 * client stands alone.
 */
export async function openClient(options: ClientOptions): Promise<Client> {
  const { client } = await open(options);
  if (typeof document !== "undefined") attendPage(client);
  return client;
}

/** The same, with what only this package uses. */
export async function open(options: ClientOptions): Promise<{ client: ConfabClient; tabs: Tabs; model: Model }> {
  const servers = options.servers ?? [location.origin];
  const surroundings = environment(options.environment);
  const name = `confab ${servers[0]}`;
  const store = options.store ?? (await usualStore(name, surroundings, options.notKept));
  const limit = <T>(work: Promise<T>): Promise<T> => within(LOAD_MS, surroundings.timer, work);
  const load = (): Promise<Kept> =>
    limit(store.load()).then(ownPart, (failure: unknown) => {
      surroundings.report(failure);
      return ownPart({});
    });
  const kept = await load();
  const device_id = kept.device_id ?? surroundings.newId();
  const model = new Model();
  model.load(snapshotOf(kept));
  const tab = surroundings.newId();
  const most_bytes = options.most_bytes ?? MOST_BYTES;
  let client: ConfabClient | undefined;
  const tabs: Tabs = new Tabs({
    ...(options.tabs ?? usualTabs(name)),
    name,
    tab,
    model,
    environment: surroundings,
    led: () => client?.led(),
    keep: (credentials) => keepToken(store, model, credentials),
    host: async (publish, told) => {
      const known = await load();
      // a leader without a store may have known of nobody
      if (!told() && isSignedOut(model.session.value)) model.load(snapshotOf(known));
      const own = withSession(known, model);
      if (known.session && own.session !== known.session) {
        await limit(store.clear().then(() => store.write({ session: own.session }))).catch(surroundings.report);
      }
      return new Host({ model, ...http, servers, environment: surroundings, store, kept: own, most_bytes, publish });
    },
  });
  const http = httpPart(new HttpCalls(servers, surroundings), tabs);
  if (kept.session?.refresh_token !== undefined && kept.session.ended === undefined) {
    const { account_id, device_id: named, refresh_token } = kept.session;
    tabs.restore({ account_id, device_id: named, refresh_token, access_token: "" });
  }
  client = new ConfabClient({
    ...http,
    tab,
    model,
    store,
    environment: surroundings,
    tabs,
    device: options.device,
    device_id,
    cookie: options.cookie ?? typeof document !== "undefined",
  });
  await tabs.start();
  return { client, tabs, model };
}

async function usualStore(name: string, { report, timer }: Environment, notKept?: () => void): Promise<Store> {
  if (typeof indexedDB === "undefined") return NO_STORE;
  try {
    const opened = await within(OPEN_MS, timer, openStore(name), (late) => late.close());
    const store = new ReopenedStore(opened, () => openStore(name));
    await within(LOAD_MS, timer, store.load());
    return store;
  } catch (failure) {
    report(failure); // a browser that keeps nothing still chats
    notKept?.();
    return NO_STORE;
  }
}

/** Fails where it takes longer: a browser's database may answer nothing at all. @param late gets what comes later */
async function within<T>(ms: number, timer: Environment["timer"], work: Promise<T>, late?: (done: T) => void): Promise<T> {
  let isLate = false;
  let stop = (): void => undefined;
  const end = new Promise<never>((_, fail) => {
    stop = timer(() => {
      isLate = true;
      fail(new ConfabError({ code: "not_kept", message: "the database does not answer", retryable: false }));
    }, ms);
  });
  work.then(
    (done) => isLate && late?.(done),
    () => undefined, // told by the race
  );
  return Promise.race([work, end]).finally(stop);
}

function usualTabs(name: string): { locks: Locks; channel: Channel } {
  if (typeof document === "undefined") return { locks: new OwnLocks(), channel: NO_CHANNEL };
  const channel = new BroadcastChannel(name) as Channel;
  // Web Locks are for pages of a secure origin alone
  return "locks" in navigator ? { locks: navigator.locks, channel } : { locks: new OwnLocks(), channel: signOutsOnly(channel) };
}

/** What is kept without a session was written after somebody had signed out: it is nobody's. */
function ownPart(kept: Partial<Kept>): Kept {
  return kept.session ? (kept as Kept) : { ...kept, rooms: [], sends: [], people: [] };
}

/** Where nothing could be kept, the sign-in is known from another tab; what is kept may be of an earlier one. */
function withSession(kept: Kept, model: Model): Kept {
  const session = model.session.value;
  if (session.state !== "signed_in" || kept.disowned || kept.session?.account_id === session.account_id) return kept;
  const { account_id, device_id, handle } = session;
  return { ...kept, session: { account_id, device_id, handle }, rooms: [], sends: [], people: [] };
}

/** A refresh token that is in no cookie is kept before it is used. */
async function keepToken(store: Store, model: Model, credentials: Credentials): Promise<void> {
  const { account_id, device_id, refresh_token } = credentials;
  const session = model.session.value;
  if (refresh_token === undefined || session.state !== "signed_in") return;
  const next: KeptSession = { account_id, device_id, handle: session.handle, refresh_token };
  await store.write({ session: next });
}

/** What an earlier run kept, as it is shown at first. */
function snapshotOf(kept: Kept): Snapshot {
  const rooms = new Map<RoomId, KeptRoom>(kept.rooms.map((room) => [room.room_id, room]));
  for (const { room_id } of kept.sends) {
    if (!rooms.has(room_id)) rooms.set(room_id, { room_id, draft: "", used_at: 0 });
  }
  const session = sessionOf(kept.session);
  const isOf = session.state === "signed_in" && kept.live_at !== undefined;
  return {
    session,
    connection: { state: "stopped", ...(isOf && { lost_at: kept.live_at! }) },
    listed: kept.rooms.length > 0,
    rooms: [...rooms.values()].map((room) => roomSnapshot(room, kept)),
    invitations: [],
    people: kept.people,
    presence: [],
    online: [],
    devices_version: 0,
  };
}

function roomSnapshot(room: KeptRoom, kept: Kept): RoomSnapshot {
  const { room_id, position, state, draft } = room;
  return {
    room_id,
    draft,
    ...(position && { position }),
    ...(state && { state }),
    counted: state?.room.seq ?? 0,
    log: EMPTY,
    pending: kept.sends.filter((send) => send.room_id === room_id).map(({ order: _order, ...send }) => send),
    edits: room.edits ?? [],
    receipts: { delivered_seq: 0, read_seq: 0 },
    markers: [],
  };
}
