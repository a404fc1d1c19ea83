import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mock, test } from "node:test";

type Answer = { ok: boolean; from: string };
const KEPT: Answer = { ok: true, from: "cache" };
const SERVED: Answer = { ok: true, from: "server" };
const never = new Promise<never>(() => undefined);
const source = readFileSync(join(process.env["APP_ROOT"]!, "static/sw.js"), "utf8");

/** What the service worker answers a page that asks for an address, within ten seconds. */
async function asked(path: string, cache: () => Promise<Answer | undefined>, server: () => Promise<Answer>): Promise<string> {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const heard = new Map<string, (event: unknown) => void>();
    const self = { location: { origin: "http://a" }, addEventListener: (kind: string, listener: (event: unknown) => void) => heard.set(kind, listener) };
    new Function("self", "caches", "fetch", source)(self, { match: cache, open: async () => ({ match: cache }) }, server);
    let answer = "nothing";
    heard.get("fetch")!({
      request: { method: "GET", url: `http://a${path}`, mode: path === "/" ? "navigate" : "no-cors" },
      respondWith: (answered: Promise<Answer>) => answered.then(({ from }) => (answer = from), () => (answer = "failure")),
    });
    for (let s = 0; s < 10 && answer === "nothing"; s++) {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      mock.timers.tick(1_000);
    }
    return answer;
  } finally {
    mock.timers.reset();
  }
}

const kept = async () => KEPT;
const none = async () => undefined;
const broken = () => Promise.reject(new Error("the cache is broken"));
const silent = () => never;
const served = async () => SERVED;
const away = () => Promise.reject(new TypeError("fetch failed"));

test("files come out of the cache, whatever becomes of the server, and from the server whatever becomes of the cache", async () => {
  const file = (cache: () => Promise<Answer | undefined>, server: () => Promise<Answer>) => asked("/assets/a.js", cache, server);
  assert.deepEqual([await file(kept, served), await file(kept, away), await file(kept, silent)], ["cache", "cache", "cache"]);
  assert.deepEqual([await file(none, served), await file(broken, served), await file(silent, served)], ["server", "server", "server"]);
  assert.deepEqual([await file(none, away), await file(broken, away)], ["failure", "failure"]);
});

test("the page comes from the server, and out of the cache where that is away or slow", async () => {
  const page = (cache: () => Promise<Answer | undefined>, server: () => Promise<Answer>) => asked("/", cache, server);
  assert.deepEqual([await page(kept, served), await page(kept, away), await page(kept, silent)], ["server", "cache", "cache"]);
  assert.equal(await page(kept, async () => ({ ok: false, from: "a proxy" })), "cache");
  assert.deepEqual([await page(none, served), await page(broken, served), await page(silent, served)], ["server", "server", "server"]);
  assert.deepEqual([await page(none, away), await page(broken, away)], ["failure", "failure"]);
});

test("a cache that answers late is waited for where there is nothing else", async () => {
  const late = () => new Promise<Answer>((done) => setTimeout(() => done(KEPT), 5_000));
  assert.deepEqual([await asked("/assets/a.js", late, away), await asked("/", late, away)], ["cache", "cache"]);
});
