import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfabApi } from "../../src/http/api.ts";
import { HttpCalls } from "../../src/http/calls.ts";
import { asConfabError, readError } from "../../src/http/error.ts";
import { type Credentials, SignIn } from "../../src/http/signIn.ts";
import { OwnLocks } from "../../src/tabs/platform.ts";

interface Request {
  url: string;
  method: string;
  headers: Headers;
  body: unknown;
}

/** Answers requests with these, in turn; the last one again and again. */
function calls(answers: (Response | "lost")[], servers = ["http://one"]) {
  const requests: Request[] = [];
  const pauses: number[] = [];
  const http = new HttpCalls(servers, {
    fetch: async (input, init) => {
      const body = init?.body ? (JSON.parse(String(init.body)) as unknown) : undefined;
      requests.push({ url: String(input), method: init?.method ?? "", headers: new Headers(init?.headers), body });
      const answer = answers[Math.min(requests.length, answers.length) - 1]!;
      if (answer === "lost") throw new TypeError("fetch failed");
      return answer.clone();
    },
    sleep: async (ms) => void pauses.push(ms),
    newId: () => `key-${requests.length}`,
  });
  return { http, requests, pauses };
}

const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });
const refusal = (status: number, code: string, more: object = {}): Response =>
  json({ error: { code, message: "why", retryable: false, request_id: "r", ...more } }, status);

test("path, query and body are written as the document says", async () => {
  const { http, requests } = calls([json({})]);
  await http.make("putMember", { room_id: "a/b", account_id: "c d", body: { role: "admin" } }, "Bearer t");
  await http.make("readHistory", { room_id: "r", before: 5, limit: 10 });
  await http.make("findChannels", { query: "a&b" });
  assert.equal(requests[0]?.url, "http://one/v1/rooms/a%2Fb/members/c%20d");
  assert.equal(requests[0]?.method, "PUT");
  assert.deepEqual(requests[0]?.body, { role: "admin" });
  assert.equal(requests[0]?.headers.get("authorization"), "Bearer t");
  assert.equal(requests[0]?.headers.get("content-type"), "application/json");
  assert.equal(requests[1]?.url, "http://one/v1/rooms/r/messages?before=5&limit=10");
  assert.equal(requests[1]?.headers.has("content-type"), false);
  assert.equal(requests[2]?.url, "http://one/v1/channels?query=a%26b");
});

test("a call whose answer was lost is made again where that does no harm, at the next server", async () => {
  const { http, requests } = calls(["lost", json({ account_id: "a" })], ["http://one", "http://two"]);
  assert.deepEqual(await http.make("readMe", {}), { account_id: "a" });
  assert.deepEqual(requests.map((each) => each.url), ["http://one/v1/me", "http://two/v1/me"]);
});

test("what makes something has one key in all its tries", async () => {
  const { http, requests } = calls(["lost", refusal(503, "unavailable", { retryable: true }), json({ room_id: "r" }, 201)]);
  await http.make("createRoom", { body: { type: "channel", name: "Tea" } });
  assert.equal(requests.length, 3);
  assert.equal(new Set(requests.map((each) => each.headers.get("idempotency-key"))).size, 1);
});

test("a call that may do harm twice is made once", async () => {
  const { http, requests } = calls(["lost"]);
  await assert.rejects(http.make("changePassword", { body: { old: "a", new: "b" } }), { code: "unreachable", retryable: true });
  assert.equal(requests.length, 1);
});

test("refusals are told with all that the server says", async () => {
  const { http } = calls([refusal(429, "slow_mode", { field: "body", retryable: true, retry_after_ms: 1500 })]);
  await assert.rejects(http.make("readMe", {}), {
    name: "ConfabError",
    code: "slow_mode",
    field: "body",
    retryable: true,
    retry_after_ms: 1500,
    status: 429,
    request_id: "r",
    message: "why",
  });
});

test("what a proxy answers is no refusal of ours", async () => {
  assert.equal(readError(undefined, 502).code, "unavailable");
  assert.equal(readError(undefined, 502).retryable, true);
  assert.equal(readError("<html>", 404).code, "internal");
  const { http } = calls([new Response("<html>", { status: 200 })]);
  await assert.rejects(http.make("readMe", {}), { code: "unreachable" });
});

test("an aborted call is not made again", async () => {
  const { http, requests } = calls(["lost"]);
  await assert.rejects(http.make("readMe", {}, undefined, AbortSignal.abort()));
  assert.equal(requests.length, 1);
});

/** A sign-in that is shared, as between tabs. */
function shared(kept: Credentials | undefined) {
  const locks = new OwnLocks();
  const state = { kept, saved: 0, over: 0 };
  return {
    state,
    current: async () => state.kept,
    keep: async (credentials: Credentials) => {
      state.saved++;
      state.kept = credentials;
    },
    over: () => void state.over++,
    alone: <T>(work: () => Promise<T>) => locks.request("refresh", {}, work),
  };
}

const KEPT: Credentials = { account_id: "a", device_id: "d", access_token: "old", refresh_token: "r1" };
const RENEWED = { access_token: "new", refresh_token: "r2", expires_in_s: 900, account_id: "a", device_id: "d" };

test("refused tokens are renewed once, also by two who share them, and kept before they are used", async () => {
  const together = shared(KEPT);
  const requests: string[] = [];
  const http = new HttpCalls(["http://one"], {
    fetch: async (input, init) => {
      const path = new URL(String(input)).pathname;
      const authorization = new Headers(init?.headers).get("authorization");
      requests.push(`${path} ${authorization}`);
      if (path === "/v1/tokens/refresh") return json(RENEWED);
      if (authorization === "Bearer new") assert.equal(together.state.kept?.refresh_token, "r2");
      return authorization === "Bearer new" ? json({ account_id: "a" }) : refusal(401, "token_expired");
    },
    sleep: async () => undefined,
    newId: () => "k",
  });
  const two = [1, 2].map(() => new ConfabApi(http, new SignIn(http, together)));
  await Promise.all([...two, ...two].map((api) => api.ask("readMe", {})));
  assert.equal(requests.filter((each) => each.startsWith("/v1/tokens/refresh")).length, 1);
  assert.equal(together.state.saved, 1);
});

test("a refresh by cookie has the header that other pages cannot send", async () => {
  const { http, requests } = calls([json({ ...RENEWED, refresh_token: undefined })]);
  const { refresh_token: _none, ...cookie } = KEPT;
  await new SignIn(http, shared(cookie)).renew("old");
  assert.equal(requests[0]?.headers.get("x-confab"), "1");
  assert.deepEqual(requests[0]?.body, {});
});

test("tokens of another sign-in, as a cookie of another port may bring, end this one", async () => {
  const { refresh_token: _none, ...cookie } = KEPT;
  for (const other of [{ account_id: "b" }, { device_id: "e" }]) {
    const { http } = calls([json({ ...RENEWED, ...other, refresh_token: undefined })]);
    const together = shared(cookie);
    await assert.rejects(new SignIn(http, together).renew("old"), { code: "unauthorized" });
    assert.deepEqual([together.state.saved, together.state.over], [0, 1]);
  }
});

test("nobody is asked where nobody is signed in", async () => {
  const { http, requests } = calls([json({})]);
  const api = new ConfabApi(http, new SignIn(http, shared(undefined)));
  await assert.rejects(api.ask("readMe", {}), { code: "unauthorized" });
  assert.equal(requests.length, 0);
});

test("lists are read to their end, or to a number", async () => {
  const { http, requests } = calls([
    json({ devices: [{ device_id: "1" }, { device_id: "2" }], next: "2" }),
    json({ devices: [{ device_id: "3" }] }),
  ]);
  const api = new ConfabApi(http, new SignIn(http, shared(KEPT)));
  const devices = await api.all("listDevices", {});
  assert.deepEqual(devices.map((each) => each.device_id), ["1", "2", "3"]);
  assert.equal(new URL(requests[1]!.url).searchParams.get("after"), "2");
  assert.equal((await api.all("listDevices", {}, 1)).length, 1);
});

test("any failure becomes one of ours", () => {
  assert.equal(asConfabError(new Error("x")).code, "unreachable");
  assert.deepEqual(asConfabError(readError({ error: { code: "gone", message: "m", retryable: false } }, 410)).info, {
    code: "gone",
    message: "m",
    retryable: false,
    status: 410,
  });
});
