/**
 * JSON Schema for values: drafts 4 to 2020-12, with the results and messages of the library that Helm uses
 * (santhosh-tekuri/jsonschema v6).
 *
 * It validates values against the text of a schema and fetches nothing. A reference out of the schema is refused,
 * except to json-schema.org's own documents, which are built in, and to a `urn:`, which Helm accepts.
 */
import { LruCache } from "../../core/cache/index.ts";
import { createHash } from "node:crypto";
import { fromPlain, GoMap, anyList, quote, GoScalar, type GoValue } from "../../lang/template/index.ts";
import type { Warn } from "../warning.ts";
import { Compiler } from "./compiler.ts";
import { draftNamed, latest, type SchemaDraft } from "./schema-draft.ts";
import { locationOf, SchemaDocument } from "./schema-document.ts";
import { validationErrorLines, quoted, SchemaFault, type ValidationError } from "./validation-error.ts";
import { metaschemaAt } from "./metaschema.ts";
import type { SchemaNode } from "./schema-node.ts";
import { jsonNumber } from "./number.ts";
import { violation } from "./validator.ts";

/** A compiled schema, or the reason why it cannot be compiled. */
type CompiledSchema = {
  readonly node?: SchemaNode;
  readonly problem?: string;
  readonly warnings: readonly string[];
  readonly textLength: number;
};

const own = "file:///values.schema.json";
/** Measured over the schemas of public charts, three bytes for each of its text. */
const compiledSchemas = new LruCache<string, CompiledSchema>({ maxWeight: 2 ** 24, weightOf: (_, { textLength }) => 3 * textLength });

/** Validates values against a schema. Undefined when they are valid. Models helm pkg/chart/common/util ValidateAgainstSingleSchema */
export function schemaViolation(schema: Uint8Array, values: GoMap, warn: Warn): string | undefined {
  const { node, problem, warnings } = compiledSchemaFor(schema);
  for (const warning of warnings) warn(warning);
  if (node === undefined) return problem;
  const found = violation(node, values);
  return found === undefined ? undefined : `${linesOf(found, 0).join("\n")}\n`;
}

/** Compiles each schema once, by its content. */
function compiledSchemaFor(schema: Uint8Array): CompiledSchema {
  const digest = createHash("sha256").update(schema).digest("base64");
  return compiledSchemas.getOrCreate(digest, () => compileSchema(Buffer.from(schema).toString("utf8")));
}

function compileSchema(text: string): CompiledSchema {
  const warnings: string[] = [];
  try {
    const library = new SchemaDocumentResolver(readJson(text), (warning) => void warnings.push(warning));
    return { node: new Compiler(library).compile(own), warnings, textLength: text.length };
  } catch (error) {
    if (error instanceof SchemaFault) return { problem: error.message, warnings, textLength: text.length };
    throw error;
  }
}

function readJson(text: string): GoValue {
  if (text.trim() === "") throw new SchemaFault("EOF");
  try {
    return valueOf(JSON.parse(text, numberWithDigits));
  } catch (error) {
    throw error instanceof SyntaxError ? new SchemaFault(error.message) : error;
  }
}

/** Keeps the digits of numbers, because messages show them. */
function numberWithDigits(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? new GoScalar(jsonNumber, context?.source ?? String(value)) : value;
}

function valueOf(json: unknown): GoValue {
  if (json instanceof GoScalar) return json;
  if (Array.isArray(json)) return anyList(json.map(valueOf));
  if (typeof json !== "object" || json === null) return fromPlain(json);
  return new GoMap(
    undefined,
    Object.entries(json).map(([key, item]) => [key, valueOf(item)]),
  );
}

/** An outermost group prints no line of its own. */
function linesOf(failure: ValidationError, depth: number): readonly string[] {
  return failure.type === "group"
    ? failure.causes.flatMap((cause) => validationErrorLines(cause, depth))
    : validationErrorLines(failure, depth);
}

const metaschemas = new Map<number, SchemaNode>();

/** The documents that a schema can refer to. Each is validated against the metaschema of its draft. */
class SchemaDocumentResolver {
  readonly assertsFormats = false;
  readonly #documents = new Map<string, SchemaDocument>();
  readonly #schema: GoValue;
  readonly #warn: Warn;

  constructor(schema: GoValue, warn: Warn) {
    this.#schema = schema;
    this.#warn = warn;
  }

  readonly documentAt = (url: string): SchemaDocument => {
    const known = this.#documents.get(url);
    if (known !== undefined) return known;
    const document = new SchemaDocument(url, this.#load(url), latest, (address) => this.#draftAt(address, url));
    this.#documents.set(url, document);
    if (metaschemaAt(url) === undefined) this.check(document, "");
    return document;
  };

  readonly check = (document: SchemaDocument, pointer: string): void => {
    const meta = metaschemaFor(document.resourceAt(pointer).draft);
    const found = violation(meta, document.at(pointer));
    if (found === undefined) return;
    const where = quote(locationOf(document.url, pointer));
    const message = `jsonschema validation failed with ${quoted(meta.location)}\n${linesOf(found, 0).join("\n")}`;
    throw new SchemaFault(`${where} is not valid against metaschema: ${message}`);
  };

  #load(url: string): GoValue {
    if (url === own) return this.#schema;
    const known = metaschemaAt(url);
    if (known !== undefined) return known;
    const [, scheme = ""] = /^([a-z][a-z\d+.-]*):/i.exec(url) ?? [];
    if (scheme === "urn") {
      this.#warn(`WARN unresolved URN reference ignored; using permissive schema urn=${url}`);
      return true;
    }
    throw new SchemaFault(`failing loading ${quote(url)}: ${refusal(url, scheme)}`);
  }

  /** The draft of an unknown `$schema`: that of the schema it leads to. */
  #draftAt(address: string, from: string): SchemaDraft {
    if (address === from) throw new SchemaFault(`draft ${quote(address)} is not supported`);
    const schema = this.#load(address);
    const next = schema instanceof GoMap ? schema.get("$schema") : undefined;
    return typeof next === "string" ? (draftNamed(next) ?? this.#draftAt(next.split("#", 1)[0]!, address)) : latest;
  }
}

function refusal(url: string, scheme: string): string {
  if (scheme === "http" || scheme === "https") return `HTTP request failed for ${url}: schemas are not fetched from the network`;
  if (scheme === "file") return `open ${new URL(url).pathname}: no such file or directory`;
  return `no URLLoader registered for ${quote(url)}`;
}

function metaschemaFor({ version, url }: SchemaDraft): SchemaNode {
  const known = metaschemas.get(version) ?? compileMetaschema(url);
  metaschemas.set(version, known);
  return known;
}

function compileMetaschema(url: string): SchemaNode {
  const documents = new Map<string, SchemaDocument>();
  const documentAt = (address: string): SchemaDocument => {
    const known = documents.get(address) ?? new SchemaDocument(address, metaschemaAt(address), latest, () => latest);
    documents.set(address, known);
    return known;
  };
  return new Compiler({ documentAt, check: () => undefined, assertsFormats: true }).compile(url);
}
