// Bundles the tests, which are TypeScript, and runs them with Node's own runner. Arguments choose files by a part of their name.
import { build } from "esbuild";
import { spawn } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = join(root, "dist/test");
// --node: those against a running node, whose address CONFAB_SERVER says.
const ofNode = process.argv.includes("--node");
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

const files = (await readdir(join(root, "test"), { recursive: true }))
  .filter((file) => file.endsWith(ofNode ? ".it.ts" : ".test.ts") && (wanted.length === 0 || wanted.some((part) => file.includes(part))))
  .sort();
if (files.length === 0) {
  console.error("no test file is called like that");
  process.exit(1);
}
await rm(built, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: files.map((file) => join("test", file)),
  outdir: built,
  outbase: "test",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  define: { ROOT: JSON.stringify(root) },
  logLevel: "warning",
});
const tests = files.map((file) => join(built, file.replace(/\.ts$/u, ".mjs")));
// Node 20 has a WebSocket only where it is asked for
const socket = ofNode && typeof WebSocket === "undefined" ? ["--experimental-websocket"] : [];
const run = spawn(process.execPath, ["--enable-source-maps", ...socket, "--test", ...tests], { stdio: "inherit" });
run.on("exit", (code) => process.exit(code ?? 1));
