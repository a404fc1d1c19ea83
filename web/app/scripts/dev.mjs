// Serves the client for development, built anew at each change, and passes /v1 on to a node:
//   npm run dev --workspace @confab/app -- [--port 8090] [--node http://127.0.0.1:8080]
import { createReadStream, watch } from "node:fs";
import { stat } from "node:fs/promises";
import http from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./build.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const option = (name, usual) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : process.argv[at + 1];
};
const port = Number(option("port", "8090"));
const node = new URL(option("node", "http://127.0.0.1:8080"));
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};
// What the server says, so that a violation shows here first.
const CSP = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

function passOn(request) {
  const headers = { ...request.headers, host: node.host };
  // The page's address is this server's, which the node does not know; without an origin it asks no further.
  delete headers.origin;
  return http.request({ host: node.hostname, port: node.port, path: request.url, method: request.method, headers });
}

const server = http.createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  if (path.startsWith("/v1/")) {
    const up = passOn(request);
    up.on("response", (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    up.on("error", () => response.destroy());
    request.pipe(up);
    return;
  }
  const file = join(root, "dist", normalize(path === "/" ? "/index.html" : path));
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "content-security-policy": CSP,
    "cache-control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
  });
  createReadStream(file).pipe(response);
});

server.on("upgrade", (request, socket, head) => {
  const up = passOn(request);
  up.on("upgrade", (answer, upSocket, upHead) => {
    const lines = answer.rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${answer.rawHeaders[i + 1]}`] : []));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
    upSocket.write(head);
    socket.write(upHead);
    upSocket.pipe(socket).pipe(upSocket);
    upSocket.on("error", () => socket.destroy());
    socket.on("error", () => upSocket.destroy());
  });
  up.on("response", () => socket.destroy());
  up.on("error", () => socket.destroy());
  up.end();
});

async function rebuild() {
  try {
    const sizes = await bundle({ minify: false, sourcemap: "linked" });
    console.log(`built: ${sizes.first_load_script_gzip} bytes compressed, not minified`);
  } catch (error) {
    console.error(error.message);
  }
}

await rebuild();
if (!process.argv.includes("--once")) {
  let timer;
  for (const folder of ["src", "styles", "static", "../client/src"]) {
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(rebuild, 100);
    });
  }
}
server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port} (node: ${node.origin})`));
