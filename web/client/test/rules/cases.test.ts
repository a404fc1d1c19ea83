import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { isTombstone, type Message } from "../../src/protocol/things.ts";
import type { Input } from "../../src/rules/input.ts";
import type { EventsAsk, HistoryAsk, Output, RoomPosition } from "../../src/rules/output.ts";
import { Rules } from "../../src/rules/rules.ts";

const CASES = `${ROOT}../../src/test/resources/cases/`;

type Json = Record<string, unknown>;
interface Step {
  at?: number;
  in: Json;
  out?: Json[];
}
interface Case {
  name: string;
  alone?: boolean;
  options?: {
    servers?: number;
    random?: number[];
    queue_limit?: number;
    reads_newest?: string[];
    positions?: RoomPosition[];
    confirms_delivered?: boolean;
  };
  steps: Step[];
}

/** The rules with inputs and outputs as the shared cases write them. */
class Machine {
  readonly #rules: Rules;
  readonly #asks: (HistoryAsk | EventsAsk)[] = [];
  #now = 0;

  constructor(options: NonNullable<Case["options"]>) {
    const drawn = [...(options.random ?? [])];
    const { reads_newest: newest, random: _random, ...plain } = options;
    this.#rules = new Rules({
      ...plain,
      random: () => drawn.shift() ?? 0.5,
      reads_newest: (room_id) => newest?.includes(room_id) ?? false,
    });
  }

  step(step: Step): Json[] {
    this.#now = step.at ?? this.#now;
    const [[kind, fields]] = Object.entries(step.in) as [[string, Json]];
    const wasDue = this.#rules.deadline <= this.#now;
    const outputs = this.#rules.take(this.#input(kind, fields), this.#now);
    assert.ok(kind !== "tick" || outputs.length === 0 || wasDue, "nobody would have come back in time");
    for (const output of outputs) if (output.kind === "read_history" || output.kind === "read_events") this.#asks.push(output);
    return outputs.map(written);
  }

  #input(kind: string, fields: Json): Input {
    switch (kind) {
      case "send": {
        const { times, body, ...rest } = fields as { times?: number; body: string };
        return { kind, message: { ...rest, body: body.repeat(times ?? 1) } as never };
      }
      case "frame":
        return { kind, frame: fields as never };
      case "closed":
        return { kind, code: (fields["code"] as number | undefined) ?? 1006 };
      case "history":
      case "events":
        return { kind, ask: this.#ask(kind, fields), page: fields } as never;
      case "history_failed":
      case "events_failed":
        return { kind: "read_failed", ask: this.#ask(kind.replace("_failed", ""), fields), error: fields as never };
      default:
        return { kind, ...fields } as never;
    }
  }

  /** The read that an input answers: the last one of its kind and room, or the one it names. */
  #ask(kind: string, fields: Json): HistoryAsk | EventsAsk {
    const made = this.#asks.filter((ask) => ask.kind === `read_${kind}` && ask.room_id === fields["room_id"]);
    return made[((fields["nth"] as number | undefined) ?? made.length) - 1]!;
  }
}

function written(output: Output): Json {
  switch (output.kind) {
    case "frame":
      return { frame: output.frame };
    case "said":
    case "edited":
      return { [output.kind]: shown(output.message) };
    case "deleted":
      return { deleted: { room_id: output.event.room_id, seq: output.event.seq } };
    case "event":
      return event(output.event);
    case "reset":
      return { reset: { room_id: output.room_id, seqs: output.page.messages.map((m) => m.seq), gap: output.gap } };
    case "read_history":
      return { read_history: { room_id: output.room_id } };
    case "read_events":
      return { read_events: { room_id: output.room_id, epoch: output.epoch, after_rev: output.after_rev } };
    case "stored": {
      const { kind: _kind, room_id: _room, ts: _ts, ...rest } = output;
      return { stored: rest };
    }
    case "delayed":
      return { delayed: { client_id: output.client_id, code: output.error.code, until: output.until } };
    case "not_entered":
      return { not_entered: { room_id: output.room_id, code: output.error.code } };
    case "failed":
      return { failed: { client_id: output.client_id, code: output.error.code } };
    default: {
      const { kind, ...rest } = output;
      return { [kind]: rest };
    }
  }
}

function shown(message: Message): Json {
  const { room_id, seq } = message;
  return isTombstone(message) ? { room_id, seq, deleted: true } : { room_id, seq, body: message.body };
}

function event(told: Extract<Output, { kind: "event" }>["event"]): Json {
  const { room_id } = told;
  switch (told.kind) {
    case "member.joined":
      return { joined: { room_id, account_id: told.account_id } };
    case "member.left":
      return { left: { room_id, account_id: told.account_id, reason: told.reason } };
    case "members":
      return { members: { room_id, joined: told.joined, left: told.left } };
    case "room.archived":
      return { archived: { room_id } };
    default:
      return { other: { room_id, kind: told.kind } };
  }
}

const names: string[] = [];
for (const file of readdirSync(CASES).filter((name) => name.endsWith(".json")).sort()) {
  const { before = [], cases } = JSON.parse(readFileSync(CASES + file, "utf8")) as { before?: Step[]; cases: Case[] };
  for (const each of cases) {
    names.push(each.name);
    test(`${file}: ${each.name}`, () => {
      const machine = new Machine(each.options ?? {});
      for (const step of [...(each.alone ? [] : before), ...each.steps]) {
        assert.deepEqual(machine.step(step), step.out ?? [], `after ${JSON.stringify(step.in)}`);
      }
    });
  }
}

test("all cases are there", () => assert.ok(names.length > 60));
