import { GoMap, quote, type GoValue } from "../../lang/template/index.ts";
import type { Warn } from "../warning.ts";
import { Compiler } from "./compiler.ts";
import { metaschemaAt } from "./metaschema.ts";
import { readSchemaJson } from "./read-schema-json.ts";
import type { RemoteSchemas } from "./remote-schemas.ts";
import { locationOf, SchemaDocument } from "./schema-document.ts";
import { draftNamed, latest, type SchemaDraft } from "./schema-draft.ts";
import type { SchemaNode } from "./schema-node.ts";
import { outermostErrorLines, quoted, SchemaFault, UnfetchedSchema } from "./validation-error.ts";
import { violation } from "./validator.ts";

/** The URL that the library knows `values.schema.json` by. References are relative to it. */
export const ownUrl = "file:///values.schema.json";

/**
 * The documents that a schema can refer to: itself, json-schema.org's own, which are built in, and remote ones. Each is
 * validated against the metaschema of its draft. There are no files. Models santhosh-tekuri/jsonschema loader.go
 */
export class SchemaDocumentResolver {
  readonly assertsFormats = false;
  readonly #documents = new Map<string, SchemaDocument>();
  readonly #contents = new Map<string, GoValue>();
  readonly #remote: RemoteSchemas;
  readonly #warn: Warn;

  constructor(schema: GoValue, remote: RemoteSchemas, warn: Warn) {
    this.#contents.set(ownUrl, schema);
    this.#remote = remote;
    this.#warn = warn;
  }

  readonly documentAt = (url: string): SchemaDocument => {
    const known = this.#documents.get(url);
    if (known !== undefined) return known;
    const document = new SchemaDocument(url, this.#contentAt(url), latest, (address) => this.#draftAt(address, url, new Set()));
    this.#documents.set(url, document);
    if (metaschemaAt(url) === undefined) this.check(document, "");
    return document;
  };

  readonly check = (document: SchemaDocument, pointer: string): void => {
    const meta = metaschemaFor(document.resourceAt(pointer).draft);
    const found = violation(meta, document.at(pointer));
    if (found === undefined) return;
    const where = quote(locationOf(document.url, pointer));
    const message = `jsonschema validation failed with ${quoted(meta.location)}\n${outermostErrorLines(found).join("\n")}`;
    throw new SchemaFault(`${where} is not valid against metaschema: ${message}`);
  };

  #contentAt(url: string): GoValue {
    const known = this.#contents.get(url);
    if (known !== undefined) return known;
    const content = metaschemaAt(url) ?? this.#load(url);
    this.#contents.set(url, content);
    return content;
  }

  #load(url: string): GoValue {
    const scheme = schemeOf(url);
    if (scheme === "http" || scheme === "https") return this.#loadRemote(url);
    if (scheme === "file") throw loadFault(url, `open ${new URL(url).pathname}: no such file or directory`);
    if (scheme !== "urn") throw loadFault(url, `no URLLoader registered for ${quote(url)}`);
    this.#warn(`WARN unresolved URN reference ignored; using permissive schema urn=${url}`);
    return true;
  }

  #loadRemote(url: string): GoValue {
    const found = this.#remote(url);
    if (found === undefined) throw new UnfetchedSchema(url);
    if ("problem" in found) throw loadFault(url, found.problem);
    try {
      return readSchemaJson(found.text);
    } catch (error) {
      throw error instanceof SchemaFault ? loadFault(url, error.message) : error;
    }
  }

  /** The draft of an unknown `$schema`: that of the schema it leads to. `seen` are the schemas on the way. */
  #draftAt(address: string, from: string, seen: Set<string>): SchemaDraft {
    if (address === from) throw new SchemaFault(`draft ${quote(address)} is not supported`);
    if (seen.has(address)) throw new SchemaFault(`cycle in resolving $schema in ${quote(address)}`);
    seen.add(address);
    const schema = this.#contentAt(address);
    const next = schema instanceof GoMap ? schema.get("$schema") : undefined;
    return typeof next === "string" ? (draftNamed(next) ?? this.#draftAt(next.split("#", 1)[0]!, address, seen)) : latest;
  }
}

function schemeOf(url: string): string {
  return /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? "";
}

function loadFault(url: string, because: string): SchemaFault {
  return new SchemaFault(`failing loading ${quote(url)}: ${because}`);
}

const metaschemas = new Map<number, SchemaNode>();

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
