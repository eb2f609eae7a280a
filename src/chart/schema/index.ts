/**
 * JSON Schema for values: drafts 4 to 2020-12, with the results and messages of the library that Helm uses
 * (santhosh-tekuri/jsonschema v6).
 *
 * It validates values against the text of a schema. It fetches nothing: the caller fetches the schemas that others
 * refer to over HTTP, and passes them in. It reads no files. A `urn:` is accepted, as Helm does.
 */
import { createHash } from "node:crypto";
import { LruCache } from "../../core/cache/index.ts";
import type { GoMap } from "../../lang/template/index.ts";
import type { Warn } from "../warning.ts";
import { Compiler } from "./compiler.ts";
import { readSchemaJson } from "./read-schema-json.ts";
import { noRemoteSchemas, type RemoteSchema, type RemoteSchemas } from "./remote-schemas.ts";
import { ownUrl, SchemaDocumentResolver } from "./schema-document-resolver.ts";
import type { SchemaNode } from "./schema-node.ts";
import { outermostErrorLines, SchemaFault, UnfetchedSchema } from "./validation-error.ts";
import { violation } from "./validator.ts";

export { type RemoteSchema, type RemoteSchemas, type SchemaLoader } from "./remote-schemas.ts";

/** A compiled schema, or the reason why it cannot be compiled. */
type CompiledSchema = {
  readonly node?: SchemaNode;
  readonly problem?: string;
  readonly warnings: readonly string[];
  /** What the remote schemas were, by URL. */
  readonly remote: ReadonlyMap<string, string>;
  /** Of all its texts. */
  readonly textLength: number;
};

/** Measured over the schemas of public charts, three bytes for each of its text. */
const compiledSchemas = new LruCache<string, CompiledSchema>({ maxWeight: 2 ** 24, weightOf: (_, { textLength }) => 3 * textLength });

/**
 * Validates values against a schema. Undefined when they are valid. A remote schema that has yet to be fetched is a
 * problem. Models helm pkg/chart/common/util ValidateAgainstSingleSchema
 */
export function schemaViolation(
  schema: Uint8Array,
  values: GoMap,
  warn: Warn,
  remote: RemoteSchemas = noRemoteSchemas,
): string | undefined {
  try {
    const { node, problem, warnings } = compiledSchemaFor(schema, remote);
    for (const warning of warnings) warn(warning);
    if (node === undefined) return problem;
    const found = violation(node, values);
    return found === undefined ? undefined : `${outermostErrorLines(found).join("\n")}\n`;
  } catch (error) {
    if (error instanceof UnfetchedSchema) return error.message;
    throw error;
  }
}

/**
 * Compiles each schema once, by its content and that of the remote schemas that it refers to. Throws an UnfetchedSchema
 * after it has looked for all that it knows to be needed.
 */
function compiledSchemaFor(schema: Uint8Array, remote: RemoteSchemas): CompiledSchema {
  const digest = createHash("sha256").update(schema).digest("base64");
  const known = compiledSchemas.get(digest);
  const current = [...(known?.remote.keys() ?? [])].map((url) => ({ url, found: remote(url) }));
  if (known !== undefined && current.every(({ url, found }) => found === undefined || identityOf(found) === known.remote.get(url))) {
    const unfetched = current.find(({ found }) => found === undefined);
    if (unfetched === undefined) return known;
    throw new UnfetchedSchema(unfetched.url);
  }
  const compiled = compileSchema(Buffer.from(schema).toString("utf8"), remote);
  compiledSchemas.set(digest, compiled);
  return compiled;
}

function identityOf(schema: RemoteSchema): string {
  return "problem" in schema ? schema.problem : schema.digest;
}

function compileSchema(text: string, remote: RemoteSchemas): CompiledSchema {
  const warnings: string[] = [];
  const used = new Map<string, RemoteSchema>();
  const recordingRemote: RemoteSchemas = (url) => {
    const found = remote(url);
    if (found !== undefined) used.set(url, found);
    return found;
  };
  const problemOrNode = () => {
    try {
      const resolver = new SchemaDocumentResolver(readSchemaJson(text), recordingRemote, (warning) => void warnings.push(warning));
      return { node: new Compiler(resolver).compile(ownUrl) };
    } catch (error) {
      if (error instanceof SchemaFault) return { problem: error.message };
      // Go's decoder has a limit of its own. Here the stack is the limit.
      if (error instanceof RangeError) return { problem: "exceeded max depth" };
      throw error;
    }
  };
  const compiled = problemOrNode();
  const lengths = [...used.values()].map((each) => ("problem" in each ? 0 : each.text.length));
  return {
    ...compiled,
    warnings,
    remote: new Map([...used].map(([url, found]) => [url, identityOf(found)])),
    textLength: lengths.reduce((sum, length) => sum + length, text.length),
  };
}
