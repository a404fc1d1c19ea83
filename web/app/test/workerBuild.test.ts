import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mock, test } from "node:test";
import { runInNewContext } from "node:vm";

const SOURCE = readFileSync(join(process.env["APP_ROOT"]!, "static/sw.js"), "utf8");

/** The worker of the build `now`, in a browser that keeps the one before, too. */
function worker(fetch: () => Promise<unknown>) {
  const listeners = new Map<string, (event: unknown) => void>();
  const builds = new Map(["confab-before", "confab-now"].map((name) => [name, { match: async () => name }]));
  const caches = {
    open: async (name: string) => builds.get(name),
    match: async () => "confab-before",
  };
  const self = { addEventListener: (name: string, listener: () => void) => listeners.set(name, listener), location: { origin: "https://c" } };
  runInNewContext(SOURCE.replace("%VERSION%", "now"), { self, caches, fetch, URL, setTimeout, Promise });
  return (): Promise<unknown> => {
    let answer: Promise<unknown> | undefined;
    const request = { url: "https://c/", method: "GET", mode: "navigate" };
    listeners.get("fetch")!({ request, respondWith: (page: Promise<unknown>) => (answer = page) });
    return answer!;
  };
}

test("the page comes from the server, and else from the present build", async () => {
  const page = { ok: true };
  assert.equal(await worker(async () => page)(), page);
  assert.equal(await worker(() => Promise.reject(new Error("away")))(), "confab-now");
  assert.equal(await worker(async () => ({ ok: false }))(), "confab-now");
});

test("a server that does not answer soon is not waited for", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const opened = worker(() => new Promise(() => {}))();
    await new Promise(setImmediate);
    mock.timers.tick(3000);
    assert.equal(await opened, "confab-now");
  } finally {
    mock.timers.reset();
  }
});
