// Bundles the web client into dist/: hashed files under assets/, index.html and sw.js that name them.
import { build } from "esbuild";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { minify } from "terser";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const FIRST_LOAD_BYTES = 60_000;

/** What esbuild is told, for the build and for the development server alike. */
export const options = {
  absWorkingDir: root,
  entryPoints: { app: "src/main.tsx" },
  outdir: "dist/assets",
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  metafile: true,
  legalComments: "none",
  charset: "utf8",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  publicPath: "/assets/",
  logLevel: "warning",
};

/** Builds into dist/ and answers the sizes of what a first visit loads. */
export async function bundle(changes = {}) {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const icons = await drawIcons();
  const result = await build({ ...options, ...changes, define: { __ICONS__: JSON.stringify(icons) } });
  const outputs = result.metafile.outputs;
  if (changes.minify !== false) await tighten(Object.keys(outputs).filter((name) => name.endsWith(".js")));
  const entry = Object.keys(outputs).find((name) => outputs[name].entryPoint === "src/main.tsx");
  const css = outputs[entry].cssBundle;
  const first = [entry];
  for (let i = 0; i < first.length; i++) {
    for (const { kind, path } of outputs[first[i]].imports) {
      if (kind === "import-statement" && !first.includes(path)) first.push(path);
    }
  }
  const address = (file) => "/" + file.slice("dist/".length);
  let html = await readFile(join(root, "src/index.html"), "utf8");
  html = html
    .replace("%STYLE%", address(css))
    .replace("%ICON%", `${icons}none.svg`)
    .replace("%SCRIPT%", address(entry))
    .replace("%PRELOADS%", first.slice(1).map((f) => `<link rel="modulepreload" href="${address(f)}">`).join(""));
  await writeFile(join(dist, "index.html"), html);
  const manifest = (await readFile(join(root, "static/manifest.webmanifest"), "utf8")).replaceAll("%ICON%", `${icons}none.svg`);
  await writeFile(join(dist, "manifest.webmanifest"), manifest);
  await worker(html);

  let bytes = 0;
  for (const file of first) bytes += gzipSync(await readFile(join(root, file)), { level: 9 }).length;
  const sizes = {
    first_load_script_gzip: bytes,
    first_load_style_gzip: gzipSync(await readFile(join(root, css)), { level: 9 }).length,
    files: first.map(address),
  };
  await writeFile(join(dist, "build.json"), JSON.stringify(sizes, null, 2) + "\n");
  return sizes;
}

/** Makes scripts smaller by another fortieth, once compressed; names that modules give each other stay. */
async function tighten(files) {
  for (const file of files) {
    const path = join(root, file);
    const { code } = await minify(await readFile(path, "utf8"), { module: true, compress: { passes: 2 } });
    await writeFile(path, code);
  }
}

/**
 * The icon, and what it is with a number on it: pages may load no image that is not a file.
 * Answers what their addresses begin with; a mark and `.svg` follow.
 */
async function drawIcons() {
  const plain = await readFile(join(root, "static/icon.svg"), "utf8");
  const drawn = new Map();
  drawn.set("none", plain);
  for (const [kind, ground, ink] of [["mentions", "#c02a1f", "#fff"], ["unread", "#e3a73b", "#221500"]]) {
    for (const count of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "more"]) {
      const text = count === "more" ? "9+" : count;
      const sign =
        `<circle cx="44" cy="20" r="20" fill="${ground}"/>` +
        `<text x="44" y="30" font-family="sans-serif" font-size="${text.length > 1 ? 24 : 30}" font-weight="700" fill="${ink}" text-anchor="middle">${text}</text>`;
      drawn.set(`${kind}-${count}`, plain.replace("</svg>", sign + "</svg>"));
    }
  }
  const hash = createHash("sha256").update([...drawn.values()].join()).digest("hex").slice(0, 8).toUpperCase();
  await mkdir(join(dist, "assets"), { recursive: true });
  for (const [mark, content] of drawn) await writeFile(join(dist, "assets", `icon-${hash}-${mark}.svg`), content);
  return `/assets/icon-${hash}-`;
}

/** The service worker knows every file of this build by name; its own content changes with them. */
async function worker(html) {
  const files = (await readdir(join(dist, "assets"))).filter((f) => !f.endsWith(".map")).sort().map((f) => `/assets/${f}`);
  const version = createHash("sha256").update(html + files.join()).digest("hex").slice(0, 16);
  const source = await readFile(join(root, "static/sw.js"), "utf8");
  await writeFile(
    join(dist, "sw.js"),
    source.replace("%VERSION%", version).replace('["%FILES%"]', JSON.stringify(["/", ...files])),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = await bundle();
  console.log(`web client: ${sizes.first_load_script_gzip} bytes of compressed script at first load`);
  if (sizes.first_load_script_gzip > FIRST_LOAD_BYTES) {
    console.error(`that is more than ${FIRST_LOAD_BYTES}`);
    process.exit(1);
  }
}
