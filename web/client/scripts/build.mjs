// Writes the package as others install it into dist/package: one module, its types, and what npm wants to know.
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "dist/package");
const { scripts: _scripts, devDependencies: _dev, private: _private, ...about } = JSON.parse(
  await readFile(join(root, "package.json"), "utf8"),
);

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  absWorkingDir: root,
  entryPoints: ["src/index.ts"],
  outfile: join(out, "index.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  packages: "external",
  sourcemap: true,
  legalComments: "none",
  logLevel: "warning",
});
const types = ["--noEmit", "false", "--emitDeclarationOnly", "--declaration", "--rewriteRelativeImportExtensions", "--rootDir", "src"];
execFileSync(
  process.execPath,
  [join(root, "../node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.build.json"), ...types, "--outDir", join(out, "types")],
  { stdio: "inherit" },
);
about.exports = { ".": { types: "./types/index.d.ts", default: "./index.js" }, "./package.json": "./package.json" };
about.files = ["index.js", "index.js.map", "types"];
await writeFile(join(out, "package.json"), `${JSON.stringify(about, null, 2)}\n`);
await copyFile(join(root, "README.md"), join(out, "README.md"));
await copyFile(join(root, "../../LICENSE"), join(out, "LICENSE"));
