import { GoList, GoMap, quote, type GoValue } from "../../lang/template/index.ts";
import { draftNamed, idOf, schemasIn, type SchemaDraft } from "./schema-draft.ts";
import { SchemaFault } from "./validation-error.ts";

/** A schema with an id, and the anchors inside it. */
export type SchemaResource = {
  readonly pointer: string;
  readonly id: string;
  readonly draft: SchemaDraft;
  /** Pointers by anchor. */
  readonly anchors: Map<string, string>;
  readonly dynamicAnchors: Set<string>;
};

/** A document with schemas in it. Models santhosh-tekuri/jsonschema root.go and roots.go */
export class SchemaDocument {
  readonly url: string;
  readonly content: GoValue;
  /** By pointer, and by id. */
  readonly #resources = new Map<string, SchemaResource>();
  readonly #resourcesById = new Map<string, SchemaResource>();
  readonly #seen = new Set<string>();
  readonly #draftAt: (url: string) => SchemaDraft;

  /** `draftAt` finds the draft of an unknown `$schema`. */
  constructor(url: string, content: GoValue, fallback: SchemaDraft, draftAt: (url: string) => SchemaDraft) {
    this.url = url;
    this.content = content;
    this.#draftAt = draftAt;
    this.#collect(content, url, "", fallback);
  }

  /** The resource that contains the schema at a pointer. */
  resourceAt(pointer: string): SchemaResource {
    for (let at = pointer; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      const found = this.#resources.get(at);
      if (found !== undefined) return found;
      if (at === "") throw new SchemaFault(`no schema in ${quote(this.url)}`);
    }
  }

  /** Resolves a reference inside this document. Undefined when it leads out of it. */
  resolve(url: string, fragment: string): string | undefined {
    const resource = url === this.url ? this.resourceAt("") : this.#resourcesById.get(url);
    if (resource === undefined) return undefined;
    if (fragment === "" || fragment.startsWith("/")) return resource.pointer + fragment;
    const pointer = resource.anchors.get(fragment);
    if (pointer !== undefined) return pointer;
    throw new SchemaFault(`anchor in ${quote(`${resource.id}#${encoded(fragment)}`)} not found in schema ${quote(this.url)}`);
  }

  /** Adds a schema at a place where none was expected. */
  include(pointer: string): GoValue {
    const schema = this.at(pointer);
    const { id, draft } = this.resourceAt(pointer);
    this.#collect(schema, id, pointer, draft);
    return schema;
  }

  isKnown(pointer: string): boolean {
    return this.#seen.has(pointer);
  }

  at(pointer: string): GoValue {
    let value = this.content;
    for (const token of pointer.split("/").slice(1)) {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      const next =
        value instanceof GoMap ? value.get(key) : value instanceof GoList && /^\d+$/.test(key) ? value.items[Number(key)] : undefined;
      if (next === undefined) throw new SchemaFault(`json-pointer in ${quote(locationOf(this.url, pointer))} not found`);
      value = next;
    }
    return value;
  }

  #collect(schema: GoValue, base: string, pointer: string, fallback: SchemaDraft): void {
    if (this.#seen.has(pointer)) return;
    this.#seen.add(pointer);
    if (!(schema instanceof GoMap)) {
      if (pointer === "") this.#add(pointer, base, fallback);
      return;
    }
    const stated = this.#draftOf(schema, fallback);
    const draft = pointer === "" || idOf(stated, schema) !== "" ? stated : fallback;
    const id = idOf(draft, schema);
    const inner = id === "" ? base : joinUrl(base, id);
    if (id !== "" || pointer === "") this.#add(pointer, inner, draft);
    const resource = this.#resourcesById.get(inner) ?? this.resourceAt(pointer);
    this.#addAnchors(schema, pointer, resource);
    for (const [below, value] of schemasIn(draft, schema, pointer)) this.#collect(value, inner, below, resource.draft);
  }

  #draftOf(schema: GoMap, fallback: SchemaDraft): SchemaDraft {
    const stated = schema.get("$schema");
    return typeof stated === "string" ? (draftNamed(stated) ?? this.#draftAt(stated.split("#", 1)[0]!)) : fallback;
  }

  #add(pointer: string, id: string, draft: SchemaDraft): void {
    const same = this.#resourcesById.get(id);
    if (same !== undefined && same.pointer !== pointer)
      throw new SchemaFault(`duplicate id ${quote(id)} in ${quote(this.url)} at ${quote(pointer)} and ${quote(same.pointer)}`);
    if (same !== undefined) return;
    const resource = { pointer, id, draft, anchors: new Map(), dynamicAnchors: new Set<string>() };
    this.#resources.set(pointer, resource);
    this.#resourcesById.set(id, resource);
  }

  #addAnchors(schema: GoMap, pointer: string, { draft, anchors, dynamicAnchors }: SchemaResource): void {
    const add = (anchor: GoValue) => {
      if (typeof anchor !== "string" || anchor === "" || anchor.startsWith("/")) return;
      const known = anchors.get(anchor);
      if (known !== undefined && known !== pointer)
        throw new SchemaFault(`duplicate anchor ${quote(anchor)} in ${quote(this.url)} at ${quote(known)} and ${quote(pointer)}`);
      anchors.set(anchor, pointer);
    };
    if (draft.version < 2019) {
      const id = schema.get(draft.id);
      if (typeof id === "string" && !schema.has("$ref")) add(decoded(id.split("#", 2)[1] ?? ""));
      return;
    }
    add(schema.get("$anchor"));
    if (draft.version < 2020) return;
    const dynamic = schema.get("$dynamicAnchor");
    add(dynamic);
    if (typeof dynamic === "string") dynamicAnchors.add(dynamic);
  }
}

export function locationOf(url: string, pointer: string): string {
  return `${url}#${encoded(pointer)}`;
}

/** Models Go's url.PathEscape, part by part. */
function encoded(pointer: string): string {
  return pointer
    .split("/")
    .map((part) => encodeURIComponent(part).replaceAll(/%(24|26|2B|3D|3A|40)/g, (code) => decodeURIComponent(code)))
    .join("/")
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // Not percent-encoded.
    return fragment;
  }
}

export function joinUrl(base: string, ref: string): string {
  if (ref === "") return base;
  if (/^[a-z][a-z\d+.-]*:/i.test(ref)) return absoluteUrl(ref);
  return base.startsWith("urn:") || !URL.canParse(ref, base) ? base : new URL(ref, base).href;
}

/** The URL as it is requested. Without its dots in the path and its capitals in the host, which name the same document. */
function absoluteUrl(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).href : url;
}
