import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { ROUTES, type Operation } from "../../src/http/operations.ts";
import { at, type Schema, typeOf } from "./types.ts";

/** The frames of the socket by their names in the document, and the types that we have of them. */
const FRAMES: Record<string, string> = {
  hello: "Hello",
  token: "Token",
  resume: "Resume",
  "message.send": "MessageSend",
  "message.edit": "MessageEdit",
  "message.delete": "MessageDelete",
  typing: "Typing",
  "typing.stop": "TypingStop",
  read: "Read",
  delivered: "Delivered",
  mark_unread: "MarkUnread",
  "presence.watch": "PresenceWatch",
  "presence.set": "PresenceSet",
  "room.enter": "RoomEnter",
  "room.exit": "RoomExit",
  "envelope.send": "EnvelopeSend",
  "queue.open": "QueueOpen",
  "queue.ack": "QueueAck",
  "queue.reject": "QueueReject",
  ping: "Ping",
  bye: "Bye",
  welcome: "Welcome",
  resumed: "Resumed",
  "message.ack": "MessageAck",
  marker: "Marker",
  unread: "Unread",
  "presence.state": "PresenceState",
  ok: "Ok",
  pong: "Pong",
  error: "ErrorFrame",
  "room.gap": "RoomGap",
  "room.added": "RoomAdded",
  "room.removed": "RoomRemoved",
  "member.typing": "MemberTyping",
  "member.typing.stop": "MemberTypingStop",
  presence: "Presence",
  "presence.count": "PresenceCount",
  "seat.inside": "SeatInsideFrame",
  "seat.waiting": "SeatWaitingFrame",
  "seat.offer": "SeatOfferFrame",
  "seat.lost": "SeatLost",
  invitation: "InvitationFrame",
  "invitation.ended": "InvitationEnded",
  "account.changed": "AccountChanged",
  "devices.changed": "DevicesChanged",
  "keys.low": "KeysLow",
  "envelope.ack": "EnvelopeAck",
  "queue.opened": "QueueOpened",
  "queue.empty": "QueueEmpty",
  "envelope.receive": "EnvelopeReceive",
  goodbye: "Goodbye",
};
/** The same of those that HTTP brings too. */
const THINGS: Record<string, string> = { "message.receive": "MessageReceive", "room.event": "RoomEvent" };

/** Calls that are not made with a sign-in, or not by a program. */
const OTHERS = new Set([
  "frontPage",
  "webPage",
  "webFile",
  "webWorker",
  "webManifest",
  "exportMessages",
  "openSocket",
  "makeBot",
  "issueTokens",
  "live",
  "ready",
  "metrics",
  "manage",
]);

interface Call {
  operationId?: string;
  security?: unknown[];
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { $ref?: string; content?: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Described extends Call {
  method: string;
  path: string;
}

function calls(): Map<string, Described> {
  const found = new Map<string, Described>();
  for (const [path, methods] of Object.entries(at("openapi.yaml", "paths") as Record<string, Record<string, Call>>)) {
    for (const [method, call] of Object.entries(methods)) {
      const id = call.operationId;
      if (id && !OTHERS.has(id)) {
        const shared = (methods["parameters"] as unknown as Call["parameters"]) ?? [];
        found.set(id, { ...call, parameters: [...shared, ...(call.parameters ?? [])], method: method.toUpperCase(), path });
      }
    }
  }
  return found;
}

function parameters(call: Call): Required<Call>["parameters"] {
  return (call.parameters ?? []).map((each) =>
    each.$ref ? (at("openapi.yaml", each.$ref.slice(2)) as Required<Call>["parameters"][0]) : each,
  );
}

test("every frame of the document has a type, and no other", () => {
  const described = Object.keys(at("asyncapi.yaml", "components/messages") as object).sort();
  assert.deepEqual(Object.keys({ ...FRAMES, ...THINGS }).sort(), described);
});

test("every call of the document has a route, with its method, path and properties", () => {
  const described = calls();
  assert.deepEqual(Object.keys(ROUTES).sort(), [...described.keys()].sort());
  for (const [id, call] of described) {
    const route = ROUTES[id as Operation];
    assert.equal(route.method, call.method, id);
    assert.equal(route.path, call.path, id);
    assert.equal(route.open ?? false, call.security?.length === 0, `${id} is open`);
    assert.equal(route.making ?? false, parameters(call).some((each) => each.name === "idempotency-key"), `${id} makes`);
  }
});

test("types are those of the documents", () => {
  const claims: string[] = [];
  const claim = (name: string, mine: string, theirs: string): void => {
    claims.push(`claim<Same<${mine}, ${theirs}>>(${JSON.stringify(name)});`);
  };
  const messages = at("asyncapi.yaml", "components/messages") as Record<string, { payload: Schema }>;
  for (const [name, type] of Object.entries(FRAMES)) {
    claim(name, `frames.${type}`, typeOf(messages[name]!.payload, "asyncapi.yaml"));
  }
  for (const [name, type] of Object.entries(THINGS)) {
    claim(name, `things.${type}`, typeOf(messages[name]!.payload, "asyncapi.yaml"));
  }
  for (const [id, call] of calls()) {
    claim(`input of ${id}`, `Input<"${id}">`, input(call));
    claim(`answer of ${id}`, `AnswerOf<"${id}">`, answer(id, call));
  }
  claim("refusal", "things.RefusalReason", refusal());
  check(claims);
});

function input(call: Call): string {
  const fields = parameters(call)
    .filter((each) => each.in !== "header")
    .map((each) => `${each.name}${each.required ? "" : "?"}: ${typeOf(each.schema, "openapi.yaml")}`);
  const body = call.requestBody?.content?.["application/json"]?.schema;
  if (body) fields.push(`body: ${typeOf(body, "openapi.yaml")}`);
  return fields.length === 0 ? "object" : `{ ${fields.join("; ")} }`;
}

function answer(id: string, call: Call): string {
  const bodies = Object.entries(call.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, response]) => response.content?.["application/json"]?.schema);
  // of the room that is there already nobody is invited
  const told = id === "createRoom" ? bodies.slice(-1) : bodies;
  return [...new Set(told.map((schema) => (schema ? typeOf(schema, "openapi.yaml") : "void")))].join(" | ");
}

function refusal(): string {
  const schema = at("openapi.yaml", "components/schemas/RefusalReason") as Schema;
  const { if: _if, then: _then, ...plain } = schema;
  return typeOf(plain, "openapi.yaml");
}

/** Lets the compiler judge; its complaints name what differs. */
function check(claims: string[]): void {
  const folder = `${ROOT}dist/documents`;
  mkdirSync(folder, { recursive: true });
  const source = `import type * as frames from "../../src/protocol/frames.ts";
import type * as things from "../../src/protocol/things.ts";
import type { AnswerOf, Input } from "../../src/http/operations.ts";
type Flat<T> = T extends (infer U)[] ? Flat<U>[] : T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
type Same<A, B> = (<X>() => X extends Flat<A> ? 1 : 2) extends <X>() => X extends Flat<B> ? 1 : 2 ? true : false;
declare function claim<T extends true>(name: string): T;
${claims.join("\n")}
`;
  writeFileSync(`${folder}/claims.ts`, source);
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({ extends: "../../../tsconfig.base.json", compilerOptions: { lib: ["ES2023"] }, files: ["claims.ts"] }),
  );
  try {
    execFileSync(process.execPath, [`${ROOT}../node_modules/typescript/bin/tsc`, "-p", folder], { encoding: "utf8" });
  } catch (failure) {
    const lines = String((failure as { stdout: string }).stdout).split("\n");
    const wrong = lines.map((line) => /claims\.ts\((\d+),/.exec(line)?.[1]).filter((line) => line !== undefined);
    const names = wrong.map((line) => /"([^"]*)"\);$/.exec(source.split("\n")[Number(line) - 1]!)?.[1]);
    assert.fail(`types differ from the documents: ${[...new Set(names)].join(", ")}\n${lines.slice(0, 5).join("\n")}`);
  }
}
