import { clone, equal } from "./equal.ts";
import { isFields, type Fields } from "./field.ts";
import { jsonText } from "./json-text.ts";
import { PatchFault } from "./patch-fault.ts";
import { jsonTypeOf, setField, type MutableFields } from "./plain-object.ts";

/** One operation of RFC 6902. */
export type JsonPatchOperation = {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
};

type Container = MutableFields | unknown[];

/** How much the copies of a patch have added. A copy of what holds copies doubles. */
type CopySize = { bytes: number };

/** Models JSONPatchMaxCopyBytes of k8s.io/apiserver pkg/server */
const maxCopyBytes = 3 * 2 ** 20;

/**
 * Applies a JSON patch. The document is not mutated, and the result shares its unchanged parts. Throws a PatchFault at
 * the first operation that does not apply.
 *
 * Models gopkg.in/evanphx/json-patch.v4 as the API server uses it. Like the server, it is laxer than the RFC: negative
 * indices count from the end, `replace` adds a missing key, and `copy` of a missing key gives null. Who applies a patch in
 * parts passes the same `copies` each time.
 */
export function applyJsonPatch(document: unknown, patch: unknown, copies: CopySize = { bytes: 0 }): unknown {
  if (!Array.isArray(patch)) throw malformed(patch, "jsonpatch.Patch");
  for (const operation of patch) if (!isFields(operation)) throw malformed(operation, "jsonpatch.Operation");
  const target = new Target(document);
  for (const operation of patch) perform(operation, target, copies);
  return target.root;
}

function perform(operation: Fields, target: Target, copies: CopySize): void {
  const op = typeof operation["op"] === "string" ? operation["op"] : "unknown";
  switch (op) {
    case "add":
      return add(target, pathOf(operation, "add"), valueOf(operation));
    case "remove":
      return remove(target, pathOf(operation, "remove"));
    case "replace":
      return replace(target, pathOf(operation, "replace"), valueOf(operation));
    case "move":
      return move(target, fromOf(operation, "move"), () => pathOf(operation, "move"));
    case "copy":
      return copy(target, fromOf(operation, "copy"), () => pathOf(operation, "copy"), copies);
    case "test":
      return test(target, pathOf(operation, "test"), valueOf(operation));
    default:
      throw inapplicable(`Unexpected kind: ${op}`);
  }
}

function add(target: Target, path: string, value: unknown): void {
  const place = target.find(path) ?? fail(`add operation does not apply: doc is missing path: "${path}": missing value`);
  within(`error in add for path: '${path}'`, () => insert(place, value));
}

function remove(target: Target, path: string): void {
  const place = target.find(path) ?? fail(`remove operation does not apply: doc is missing path: "${path}": missing value`);
  within(`error in remove for path: '${path}'`, () => drop(place));
}

function replace(target: Target, path: string, value: unknown): void {
  if (path === "") {
    // The odd ending is the server's own: it formats a nil error.
    if (typeof value !== "object" || value === null) fail("replace operation value must be object or array: %!w(<nil>)");
    target.root = clone(value);
    return;
  }
  const { container, key } = target.find(path) ?? fail(`replace operation does not apply: doc is missing path: ${path}: missing value`);
  if (!Array.isArray(container)) return setField(container, key, value);
  const at = indexIn(key, container.length);
  if (typeof at === "string") fail(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  container[at] = value;
}

function move(target: Target, from: string, path: () => string): void {
  const place = target.find(from) ?? fail(`move operation does not apply: doc is missing from path: ${from}: missing value`);
  const value = within(`error in move for path: '${place.key}'`, () => {
    const found = read(place);
    drop(place);
    return found;
  });
  const to = path();
  const goal = target.find(to) ?? fail(`move operation does not apply: doc is missing destination path: ${to}: missing value`);
  within(`error in move for path: '${to}'`, () => insert(goal, value));
}

function copy(target: Target, from: string, path: () => string, copies: CopySize): void {
  const place = target.find(from) ?? fail(`copy operation does not apply: doc is missing from path: ${from}: missing value`);
  const value = within(`error in copy for from: '${from}'`, () => read(place));
  const to = path();
  const goal = target.find(to) ?? fail(`copy operation does not apply: doc is missing destination path: ${to}: missing value`);
  copies.bytes += Buffer.byteLength(jsonText(value));
  if (copies.bytes > maxCopyBytes)
    fail(`Unable to complete the copy, the accumulated size increase of copy is ${copies.bytes}, exceeding the limit ${maxCopyBytes}`);
  within("error while adding value during copy", () => insert(goal, clone(value)));
}

function test(target: Target, path: string, value: unknown): void {
  const failure = `testing value ${path} failed: test failed`;
  if (path === "") return equal(target.root, value) ? undefined : fail(failure);
  const place = target.find(path) ?? fail(`test operation does not apply: is missing path: ${path}: missing value`);
  const found = within(`error in test for path: '${path}'`, () => read(place));
  if (!equal(found, value)) fail(failure);
}

type Place = { readonly container: Container; readonly key: string };

/** The document during patching. A container is copied before its first change. */
class Target {
  root: unknown;
  readonly #copied = new Set<unknown>();

  constructor(document: unknown) {
    this.root = document;
  }

  /** The container and key at the end of a path. Undefined when the path leads through something missing or without members. */
  find(path: string): Place | undefined {
    const parts = path.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (parts.length < 2) return undefined;
    let container = this.#writable(this.root, (copied) => (this.root = copied));
    for (const part of parts.slice(1, -1)) {
      if (container === undefined) return undefined;
      container = this.#member(container, part);
    }
    return container && { container, key: parts.at(-1)! };
  }

  #member(container: Container, key: string): Container | undefined {
    if (!Array.isArray(container))
      return Object.hasOwn(container, key) ? this.#writable(container[key], (copied) => setField(container, key, copied)) : undefined;
    const at = indexIn(key, container.length);
    return typeof at === "string" ? undefined : this.#writable(container[at], (copied) => (container[at] = copied));
  }

  #writable(value: unknown, store: (copied: Container) => void): Container | undefined {
    if (typeof value !== "object" || value === null) return undefined;
    if (this.#copied.has(value)) return value as Container;
    const copied: Container = Array.isArray(value) ? [...value] : { ...value };
    this.#copied.add(copied);
    store(copied);
    return copied;
  }
}

function read({ container, key }: Place): unknown {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) ? container[key] : null;
  return container[existing(container, key)];
}

function insert({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) return setField(container, key, value);
  if (key === "-") return void container.push(value);
  const at = indexIn(key, container.length + 1);
  if (typeof at === "string") fail(at.startsWith("strconv") ? `value was not a proper array index: '${key}': ${at}` : at);
  container.splice(at, 0, value);
}

function drop({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(existing(container, key), 1);
  else if (Object.hasOwn(container, key)) delete container[key];
  else fail(`Unable to remove nonexistent key: ${key}: missing value`);
}

function existing(list: readonly unknown[], key: string): number {
  const at = indexIn(key, list.length);
  return typeof at === "string" ? fail(at) : at;
}

/** The index that `key` names among `count` elements, or what is wrong with it. */
function indexIn(key: string, count: number): number | string {
  if (!/^[+-]?\d+$/.test(key)) return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  const index = Number(key);
  if (index >= count || index < -count) return `Unable to access invalid index: ${index}: invalid index referenced`;
  return index < 0 ? index + count : index;
}

function pathOf(operation: Fields, op: string): string {
  const { path } = operation;
  if (typeof path === "string") return path;
  // The server drops the details for some operations.
  const detail = op === "add" || op === "remove" || op === "copy" ? "" : "operation missing path field: ";
  return fail(`${op} operation failed to decode path: ${detail}missing value`);
}

function fromOf(operation: Fields, op: string): string {
  const { from } = operation;
  return typeof from === "string" ? from : fail(`${op} operation failed to decode from: operation, missing from field: missing value`);
}

function valueOf(operation: Fields): unknown {
  return operation["value"] ?? null;
}

function within<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof PatchFault ? inapplicable(`${what}: ${cause.message}`) : cause;
  }
}

function fail(message: string): never {
  throw inapplicable(message);
}

function inapplicable(message: string): PatchFault {
  return new PatchFault("Invalid", message);
}

function malformed(found: unknown, wanted: string): PatchFault {
  const type = jsonTypeOf(found);
  return new PatchFault("BadRequest", `json: cannot unmarshal ${type === "boolean" ? "bool" : type} into Go value of type ${wanted}`);
}
