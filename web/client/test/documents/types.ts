import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** A JSON Schema as far as the documents of the protocol use it. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema | false>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
  allOf?: Schema[];
  if?: { properties: Record<string, Schema> };
  then?: Schema;
  else?: Schema;
}

type Document = Record<string, unknown>;

const documents = new Map<string, Document>();

/** A document of the protocol, by its name in `docs`. */
export function document(name: string): Document {
  let found = documents.get(name);
  if (!found) {
    found = parse(readFileSync(`${ROOT}../../docs/${name}`, "utf8")) as Document;
    documents.set(name, found);
  }
  return found;
}

/** The thing in a document at a path such as `components/schemas/Room`. */
export function at(name: string, path: string): unknown {
  let found: unknown = document(name);
  for (const part of path.split("/")) found = (found as Document)[part.replaceAll("~1", "/")];
  if (found === undefined) throw new Error(`${name} has no ${path}`);
  return found;
}

/** Writes the type of a schema as TypeScript, all references followed. */
export function typeOf(schema: Schema, file: string): string {
  if (schema.$ref) return typeOf(...followed(schema, file));
  if (schema.oneOf) return schema.oneOf.map((each) => `(${typeOf(each, file)})`).join(" | ");
  if (schema.if) return conditional(schema, file);
  if (schema.allOf) return all(schema.allOf, file);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return `(${typeOf(schema.items ?? {}, file)})[]`;
    default:
      return schema.properties || schema.type === "object" ? object(schema, file) : "unknown";
  }
}

/** The schema that a reference leads to, and the document in which it stands. */
function followed(schema: Schema, file: string): [Schema, string] {
  if (!schema.$ref) return [schema, file];
  const [where, path] = schema.$ref.split("#/") as [string, string];
  const name = where === "" ? file : where;
  return followed(at(name, path) as Schema, name);
}

/** What one part requires may be a property of another. */
function all(parts: Schema[], file: string): string {
  const found = parts.map((part) => followed(part, file));
  const required = found.flatMap(([part]) => [...(part.required ?? []), ...(part.allOf ?? []).flatMap((each) => each.required ?? [])]);
  return found.map(([part, where]) => `(${typeOf(requiring(part, required, where), where)})`).join(" & ");
}

function requiring(schema: Schema, required: string[], file: string): Schema {
  if (schema.allOf) {
    return { ...schema, allOf: schema.allOf.map((part) => requiring(followed(part, file)[0], required, file)) };
  }
  return schema.properties ? { ...schema, required: [...(schema.required ?? []), ...required] } : schema;
}

function object(schema: Schema, file: string): string {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {})
    .filter((entry): entry is [string, Schema] => entry[1] !== false)
    .map(([name, type]) => `${JSON.stringify(name)}${required.has(name) ? "" : "?"}: ${typeOf(type, file)}`);
  if (typeof schema.additionalProperties === "object") {
    fields.push(`[name: string]: ${typeOf(schema.additionalProperties, file)}`);
  }
  return `{ ${fields.join("; ")} }`;
}

/** `if` names one field of one value: the shapes with this value, and with the others. */
function conditional(schema: Schema, file: string): string {
  const [[field, is]] = Object.entries(schema.if!.properties) as [[string, Schema]];
  const others = values(schema.properties![field] as Schema, file).filter((each) => each !== is.const);
  return [
    typeOf(branch(schema, schema.then ?? {}, field, { const: is.const }), file),
    typeOf(branch(schema, schema.else ?? {}, field, { enum: others }), file),
  ]
    .map((each) => `(${each})`)
    .join(" | ");
}

function values(schema: Schema, file: string): unknown[] {
  return followed(schema, file)[0].enum!;
}

/** What holds in one of two cases, in which there may be two more. */
function branch(schema: Schema, more: Schema, field: string, is: Schema): Schema {
  const properties: Record<string, Schema | false> = { ...schema.properties };
  for (const [name, narrowed] of Object.entries(more.properties ?? {})) {
    properties[name] = narrowed === false ? false : { ...(properties[name] as Schema), ...narrowed };
  }
  properties[field] = is;
  const { if: either, then, else: otherwise } = more;
  const cases = { ...(either && { if: either }), ...(then && { then }), ...(otherwise && { else: otherwise }) };
  return { properties, required: [...(schema.required ?? []), ...(more.required ?? [])], ...cases };
}
