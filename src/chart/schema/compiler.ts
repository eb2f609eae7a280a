import { GoList, GoMap, type GoValue } from "../../lang/template/index.ts";
import { decoded, joinUrl, locationOf, type SchemaResource, type SchemaDocument } from "./schema-document.ts";
import { escaped, UnfetchedSchema } from "./validation-error.ts";
import { addAssertions } from "./assertion.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Finds the documents that references lead to. */
type DocumentResolver = {
  readonly documentAt: (url: string) => SchemaDocument;
  /** Called before a schema is used at a place where none was expected. */
  readonly check: (document: SchemaDocument, pointer: string) => void;
  /** Whether formats are asserted in every draft. */
  readonly assertsFormats: boolean;
};

/**
 * Compiles every reachable schema to a node and every reference to a link. Models santhosh-tekuri/jsonschema
 * compiler.go and objcompiler.go
 */
export class Compiler {
  readonly #library: DocumentResolver;
  readonly #nodes = new Map<string, SchemaNode>();
  readonly #queue: SchemaNode[] = [];
  #unfetched: UnfetchedSchema | undefined;

  constructor(library: DocumentResolver) {
    this.#library = library;
  }

  /** Throws an UnfetchedSchema at the end, so that all schemas that have yet to be fetched are asked for. */
  compile(url: string): SchemaNode {
    const root = this.#nodeAt(url, "");
    try {
      // The queue grows meanwhile. Nothing is taken out, because that is slow for long arrays.
      for (let at = 0; at < this.#queue.length; at++) this.#fill(this.#queue[at]!);
    } catch (error) {
      // Another error counts only once everything is fetched.
      throw this.#unfetched ?? error;
    }
    if (this.#unfetched !== undefined) throw this.#unfetched;
    return root;
  }

  #nodeAt(url: string, pointer: string): SchemaNode {
    const location = locationOf(url, pointer);
    const known = this.#nodes.get(location);
    if (known !== undefined) return known;
    const node = emptyNode(url, pointer);
    this.#nodes.set(location, node);
    this.#queue.push(node);
    return node;
  }

  #fill(node: SchemaNode): void {
    const { url, pointer } = node;
    const document = this.#library.documentAt(url);
    const schema = document.at(pointer);
    if (!document.isKnown(pointer)) {
      document.include(pointer);
      this.#library.check(document, pointer);
    }
    const resource = document.resourceAt(pointer);
    node.draft = resource.draft.version;
    node.resource = this.#nodeAt(url, resource.pointer);
    if (node.draft >= 2020 && node.resource === node) {
      for (const anchor of resource.dynamicAnchors) node.dynamicAnchors.set(anchor, this.#nodeAt(url, resource.anchors.get(anchor) ?? ""));
    }
    if (typeof schema === "boolean") node.always = schema;
    else if (schema instanceof GoMap && schema.size === 0) node.always = true;
    else if (schema instanceof GoMap)
      new NodeCompiler(node, schema, this.#library, (at) => this.#nodeAt(url, at), this.#linked(document, resource)).fill();
  }

  /** Follows references from a schema of a resource. */
  #linked(document: SchemaDocument, { id }: SchemaResource): (ref: string) => SchemaNode {
    return (ref) => {
      const [address = "", fragment = ""] = ref.split("#", 2);
      const [url, inside] = [joinUrl(id, address), decoded(fragment)];
      const pointer = document.resolve(url, inside);
      if (pointer !== undefined) return this.#nodeAt(document.url, pointer);
      try {
        const other = this.#library.documentAt(url);
        return this.#nodeAt(url, other.resolve(url, inside) ?? "");
      } catch (error) {
        if (!(error instanceof UnfetchedSchema)) throw error;
        this.#unfetched ??= error;
        return emptyNode(url, inside);
      }
    };
  }
}

function emptyNode(url: string, pointer: string): SchemaNode {
  const made: Omit<SchemaNode, "resource"> = { url, pointer, location: locationOf(url, pointer), draft: 0, dynamicAnchors: new Map() };
  return Object.assign(made, { resource: made as SchemaNode });
}

/** Compiles the keywords of one schema that lead to other schemas. */
class NodeCompiler {
  readonly #node: SchemaNode;
  readonly #schema: GoMap;
  readonly #library: DocumentResolver;
  readonly #nodeAt: (pointer: string) => SchemaNode;
  readonly #linked: (ref: string) => SchemaNode;

  constructor(
    node: SchemaNode,
    schema: GoMap,
    library: DocumentResolver,
    nodeAt: (pointer: string) => SchemaNode,
    linked: (ref: string) => SchemaNode,
  ) {
    this.#node = node;
    this.#schema = schema;
    this.#library = library;
    this.#nodeAt = nodeAt;
    this.#linked = linked;
  }

  fill(): void {
    const node = this.#node;
    this.#put("ref", this.#reference("$ref"));
    // Older drafts ignore everything beside a reference. The library does not do so for keywords added in draft 6.
    if (node.draft >= 2019 || node.ref === undefined) {
      this.#applicators();
      addAssertions(node, this.#schema, this.#map("patternProperties"), this.#library.assertsFormats);
    }
    if (node.draft >= 6) {
      const constant = this.#schema.get("const");
      if (constant !== undefined) node.constant = { value: constant };
      this.#put("contains", this.#one("contains"));
      this.#put("propertyNames", this.#one("propertyNames"));
    }
    if (node.draft >= 7) this.#conditions();
    if (node.draft >= 2019) this.#since2019();
    if (node.draft >= 2020) this.#since2020();
  }

  #applicators(): void {
    const { draft } = this.#node;
    for (const keyword of ["allOf", "anyOf", "oneOf"] as const) this.#put(keyword, this.#list(keyword));
    this.#put("not", this.#one("not"));
    if (draft < 2020 && this.#schema.has("items")) {
      const list = this.#list("items");
      this.#put("items", list ?? this.#one("items"));
      if (list !== undefined) this.#put("additionalItems", this.#flagOrOne("additionalItems"));
    }
    this.#put("properties", this.#map("properties"));
    this.#put("additionalProperties", this.#flagOrOne("additionalProperties"));
    const dependencies = this.#schema.get("dependencies");
    if (!(dependencies instanceof GoMap)) return;
    this.#node.dependencies = dependencies.sortedKeys().map((key) => {
      const value = dependencies.get(key);
      return [key, value instanceof GoList ? textsIn(value) : this.#at("dependencies", key)] as const;
    });
  }

  #conditions(): void {
    const when = this.#schema.get("if");
    this.#put("when", this.#one("if"));
    if (when === undefined) return;
    if (when !== false) this.#put("then", this.#one("then"));
    if (when !== true) this.#put("otherwise", this.#one("else"));
  }

  #since2019(): void {
    const node = this.#node;
    this.#put("recursiveRef", this.#reference("$recursiveRef"));
    node.recursiveAnchor = this.#schema.get("$recursiveAnchor") === true;
    this.#put("dependentSchemas", this.#map("dependentSchemas"));
    this.#put("unevaluatedItems", this.#one("unevaluatedItems"));
    this.#put("unevaluatedProperties", this.#one("unevaluatedProperties"));
    const required = this.#schema.get("dependentRequired");
    if (!(required instanceof GoMap)) return;
    node.dependentRequired = required.sortedKeys().flatMap((key) => {
      const list = required.get(key);
      return list instanceof GoList ? [[key, textsIn(list)] as const] : [];
    });
  }

  #since2020(): void {
    const dynamic = this.#reference("$dynamicRef");
    if (dynamic !== undefined) {
      const fragment = decoded(String(this.#schema.get("$dynamicRef")).split("#", 2)[1] ?? "");
      this.#node.dynamicRef = { node: dynamic, anchor: fragment.startsWith("/") ? "" : fragment };
    }
    const anchor = this.#schema.get("$dynamicAnchor");
    this.#put("dynamicAnchor", typeof anchor === "string" ? anchor : undefined);
    this.#put("prefixItems", this.#list("prefixItems"));
    this.#put("items", this.#one("items"));
  }

  #put<Key extends keyof SchemaNode>(key: Key, value: SchemaNode[Key] | undefined): void {
    if (value !== undefined) this.#node[key] = value;
  }

  #at(...tokens: readonly string[]): SchemaNode {
    return this.#nodeAt([this.#node.pointer, ...tokens.map(escaped)].join("/"));
  }

  #one(keyword: string): SchemaNode | undefined {
    return this.#schema.has(keyword) ? this.#at(keyword) : undefined;
  }

  #flagOrOne(keyword: string): boolean | SchemaNode | undefined {
    const value: GoValue = this.#schema.get(keyword);
    return typeof value === "boolean" ? value : this.#one(keyword);
  }

  #list(keyword: string): readonly SchemaNode[] | undefined {
    const list = this.#schema.get(keyword);
    return list instanceof GoList ? list.items.map((_, index) => this.#at(keyword, String(index))) : undefined;
  }

  #map(keyword: string): ReadonlyMap<string, SchemaNode> | undefined {
    const map = this.#schema.get(keyword);
    return map instanceof GoMap ? new Map(map.sortedKeys().map((key) => [key, this.#at(keyword, key)])) : undefined;
  }

  #reference(keyword: string): SchemaNode | undefined {
    const ref = this.#schema.get(keyword);
    return typeof ref === "string" ? this.#linked(ref) : undefined;
  }
}

function textsIn(list: GoList): readonly string[] {
  return list.items.filter((item) => typeof item === "string");
}
