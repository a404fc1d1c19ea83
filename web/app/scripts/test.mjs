// Bundles the unit tests and runs them by Node's test runner.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = await mkdtemp(join(tmpdir(), "confab-app-test-"));
try {
  const tests = (await readdir(join(root, "test"))).filter((name) => /\.test\.tsx?$/.test(name));
  await build({
    absWorkingDir: root,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: ["node20"],
    jsx: "automatic",
    jsxImportSource: "preact",
    sourcemap: "inline",
    loader: { ".svg": "text" },
    logLevel: "warning",
  });
  const files = tests.map((name) => join(out, name.replace(/\.tsx?$/, ".mjs")));
  const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], {
    stdio: "inherit",
    env: { ...process.env, TZ: "Europe/Berlin", APP_ROOT: root },
  });
  process.exitCode = run.status ?? 1;
} finally {
  await rm(out, { recursive: true, force: true });
}
