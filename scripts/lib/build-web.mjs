// Builds the web client into the folder of the jar's resources: build-web.mjs WEB FOLDER STAMP
//
// Nothing is done while everything below WEB that is not itself made there is as it was when STAMP was written.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { constants, gzipSync } from "node:zlib";

const [web, folder, stamp] = process.argv.slice(2);
const dist = join(web, "app", "dist");
const MADE = new Set(["node_modules", "dist", "target"]);
/** What the build writes for its own use. */
const UNSERVED = /^build\.json$|\.map$/;
/** Below this share of a file its gzip is worth a second copy. */
const WORTH = 0.9;

/** All files below a folder, by their paths, without those that are made there. */
function below(top, left = () => true) {
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(top, join(entry.parentPath, entry.name)).split(sep))
    .filter((path) => left(path))
    .map((path) => path.join("/"))
    .sort();
}

function digest() {
  const hash = createHash("sha256");
  const own = new URL(import.meta.url);
  hash.update(readFileSync(own)).update(process.version);
  for (const path of below(web, (parts) => !parts.some((part) => MADE.has(part)))) {
    const content = readFileSync(join(web, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function npm(...args) {
  const run = spawnSync("npm", args, { cwd: web, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
  if (run.status !== 0) {
    process.stderr.write(`${run.stdout ?? ""}${run.stderr ?? ""}`);
    console.error(`The web client could not be built: npm ${args.join(" ")} failed in web/.`);
    process.exit(1);
  }
}

/** Whether what package-lock.json names is installed: npm writes a lock file of its own beside it then. */
function isInstalled() {
  const installed = join(web, "node_modules", ".package-lock.json");
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(web, "package-lock.json")).mtimeMs;
}

function install() {
  npm("ci", "--no-audit", "--no-fund");
  const now = new Date();
  utimesSync(join(web, "node_modules", ".package-lock.json"), now, now);
}

function copy(path) {
  const content = readFileSync(join(dist, path));
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  const gzip = gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
  if (gzip.length < content.length * WORTH) writeFileSync(target + ".gz", gzip);
}

const state = digest();
if (existsSync(stamp) && existsSync(join(folder, "files.txt")) && readFileSync(stamp, "utf8") === state) process.exit(0);
rmSync(stamp, { force: true });
if (!isInstalled()) install();
npm("run", "build");
rmSync(folder, { recursive: true, force: true });
const files = below(dist).filter((path) => !UNSERVED.test(path));
files.forEach(copy);
writeFileSync(join(folder, "files.txt"), files.map((path) => path + "\n").join(""));
mkdirSync(dirname(stamp), { recursive: true });
writeFileSync(stamp, state);
console.log(`The web client is built: ${files.length} files.`);
