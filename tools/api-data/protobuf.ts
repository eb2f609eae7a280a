import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * A field of a message: its number, its JSON name (empty for an embedded struct, whose fields stand in the object around
 * it), its type, and its Go name where that is not the JSON name capitalised.
 *
 * The type is `*` for a pointer, `[]` for a list or `{}` for a map, followed by `@` and the name of a message, or by the
 * letter of a scalar: see `src/embedded/protobuf/message-type.ts`.
 */
type Field = readonly [number: number, name: string, type: string, goName?: string];

export type ProtobufTables = { readonly kinds: Record<string, string>; readonly messages: Record<string, readonly Field[]> };

type GoPackage = { readonly name: string; readonly folder: string; readonly groupVersion: string; readonly imports: Map<string, string> };
type GoField = { readonly name: string; readonly type: string; readonly json: string | undefined; readonly protobuf: string | undefined };
type GoType = { readonly from: GoPackage; readonly fields?: readonly GoField[]; readonly alias?: string; readonly isNullable: boolean };

const letters: Readonly<Record<string, string>> = {
  string: "s",
  bool: "b",
  int: "l",
  int32: "n",
  int64: "l",
  float64: "f",
  "[]byte": "y",
  "pkg/api/resource.Quantity": "q",
  "pkg/util/intstr.IntOrString": "i",
  "pkg/types.UID": "s",
  "pkg/types.NodeName": "s",
  "meta/v1.Time": "t",
  "meta/v1.MicroTime": "u",
  "meta/v1.FieldsV1": "r",
  "pkg/runtime.RawExtension": "r",
  "apiextensions/v1.JSON": "r",
  "apiextensions/v1.JSONSchemaPropsOrArray": "A",
  "apiextensions/v1.JSONSchemaPropsOrBool": "B",
  "apiextensions/v1.JSONSchemaPropsOrStringArray": "S",
};

/** Kinds of meta/v1 that belong to its own group. All others belong to every group, and are found by `v1`. */
const ownKinds = /^PartialObjectMetadata/;

/** The protobuf messages of all kinds in the packages of these modules, from the tags of their Go types. */
export function protobufTablesOf(modules: {
  readonly api: string;
  readonly apimachinery: string;
  readonly extensions: string;
  readonly aggregator: string;
}): ProtobufTables {
  const folders = [
    join(modules.apimachinery, "pkg/apis/meta/v1"),
    ...globSync(join(modules.api, "*/{v1,v2}")).toSorted(),
    join(modules.extensions, "pkg/apis/apiextensions/v1"),
    join(modules.aggregator, "pkg/apis/apiregistration/v1"),
  ].filter((folder) => existsSync(join(folder, "generated.proto")));
  const types = new Map<string, GoType>();
  for (const folder of folders) readPackage(folder, types);
  const kinds: Record<string, string> = {};
  for (const [name, { from, fields = [] }] of types) {
    if (!fields.some((field) => /(^|\.)TypeMeta$/.test(field.type))) continue;
    const kind = name.slice(from.name.length + 1);
    const group = from.name === "meta/v1" && !ownKinds.test(kind) ? "v1" : from.groupVersion;
    if (hasMessage(types, name)) kinds[`${group}/${kind}`] = name;
  }
  return { kinds, messages: reachable(Object.values(kinds), types) };
}

/** Whether a struct has fields with numbers, or no fields at all: Table has none, since it is only JSON. */
function hasMessage(types: ReadonlyMap<string, GoType>, name: string): boolean {
  return (types.get(name)?.fields ?? []).some(({ protobuf }) => protobuf !== undefined);
}

function readPackage(folder: string, types: Map<string, GoType>): void {
  const name = `${basename(dirname(folder))}/${basename(folder)}`;
  const register = readFileSync(join(folder, "register.go"), "utf8");
  const group = /const GroupName = "([^"]*)"/.exec(register)?.[1] ?? "";
  const groupVersion = group === "" ? basename(folder) : `${group}/${basename(folder)}`;
  const numbers = protoNumbersOf(join(folder, "generated.proto"));
  for (const file of globSync(join(folder, "{types*,group_version}.go")).toSorted()) {
    const text = readFileSync(file, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
    const from = { name, folder, groupVersion, imports: importsOf(text) };
    for (const [, comment = "", type = "", body = ""] of text.matchAll(/((?:^\/\/[^\n]*\n)*)^type (\w+) struct ?\{(?:\n(.*?)^)?\}/gms)) {
      const fields = fieldsIn(body);
      checkNumbers(`${name}.${type}`, fields, numbers.get(type));
      types.set(`${name}.${type}`, { from, fields, isNullable: isNullable(comment) });
    }
    for (const [, comment = "", type = "", alias = ""] of text.matchAll(/((?:^\/\/[^\n]*\n)*)^type (\w+) ((?:\[\]|map\[|\w)[\w.[\]]*)$/gm))
      types.set(`${name}.${type}`, { from, alias, isNullable: isNullable(comment) });
  }
}

function isNullable(comment: string): boolean {
  return comment.includes("+protobuf.nullable=true");
}

function importsOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, path = ""] of text.matchAll(/^(?:\t|import )(\w+)? ?"(k8s\.io\/[^"]+)"$/gm)) {
    const parts = path.split("/");
    const known = /\/(v\d\w*)$/.test(path) ? parts.slice(-2).join("/") : `pkg/${path.split("/pkg/")[1]}`;
    found.set(name ?? parts.at(-1)!, known);
  }
  return found;
}

function fieldsIn(body: string): readonly GoField[] {
  return body.split("\n").flatMap((line) => {
    const [, name, type = "", tags = ""] = /^\t(?:(\w+)\s+)?([\w.*[\]]+)\s+`([^`]*)`/.exec(line) ?? [];
    if (type === "") return [];
    const tag = (key: string) => new RegExp(`${key}:"([^"]*)"`).exec(tags)?.[1];
    return [{ name: name ?? type.split(".").at(-1)!.replace("*", ""), type, json: tag("json"), protobuf: tag("protobuf") }];
  });
}

/** The numbers of all fields of all messages of a generated.proto. */
function protoNumbersOf(file: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [, name = "", body = ""] of readFileSync(file, "utf8").matchAll(/^message (\w+) \{\n(.*?)^\}/gms))
    found.set(name, [...body.matchAll(/^ {2}[^/].* = (\d+);$/gm)].map(([, number = ""]) => number).toSorted());
  return found;
}

/** The tags of the Go types have been made of the same source as the messages. This holds them to it. */
function checkNumbers(type: string, fields: readonly GoField[], expected: readonly string[] | undefined): void {
  const tags = fields.flatMap(({ protobuf }) => (protobuf === undefined || protobuf === "-" ? [] : [protobuf.split(",")]));
  if (expected === undefined || tags.length === 0) return;
  const found = tags.map(([, number = ""]) => number).toSorted();
  if (found.join() !== expected.join()) throw new Error(`${type}: tags ${found.join()} but messages ${expected.join()}`);
}

function reachable(roots: readonly string[], types: ReadonlyMap<string, GoType>): Record<string, readonly Field[]> {
  const messages: Record<string, readonly Field[]> = {};
  const queue = [...roots];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (messages[name] !== undefined) continue;
    const { from, fields = [] } = types.get(name) ?? {};
    if (from === undefined) throw new Error(`no type ${name}`);
    const numbered = fields.flatMap((field) => fieldOf(field, from, types)).toSorted(([a], [b]) => a - b);
    messages[name] = numbered;
    for (const [, , type] of numbered) if (type.includes("@")) queue.push(type.split("@")[1]!);
  }
  return Object.fromEntries(Object.entries(messages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function fieldOf({ name, type, json = "", protobuf }: GoField, from: GoPackage, types: ReadonlyMap<string, GoType>): Field[] {
  if (protobuf === undefined || protobuf === "-") return [];
  const [wire = ""] = json.split(",");
  const code = codeOf(type, from, types);
  const number = Number(protobuf.split(",")[1]);
  const capitalised = wire.charAt(0).toUpperCase() + wire.slice(1);
  return [capitalised === name ? [number, wire, code] : [number, wire, code, name]];
}

function codeOf(type: string, from: GoPackage, types: ReadonlyMap<string, GoType>): string {
  const letter = letters[type];
  if (letter !== undefined) return letter;
  if (type.startsWith("*")) return `*${codeOf(type.slice(1), from, types)}`;
  if (type.startsWith("[]")) return `[]${codeOf(type.slice(2), from, types)}`;
  const [, value] = /^map\[[\w.]+\](.+)$/.exec(type) ?? [];
  if (value !== undefined) return `{}${codeOf(value, from, types)}`;
  const [prefix = "", local] = type.includes(".") ? type.split(".") : ["", type];
  const name = prefix === "" ? `${from.name}.${local}` : `${from.imports.get(prefix)}.${local}`;
  const special = letters[name];
  if (special !== undefined) return special;
  const found = types.get(name);
  if (found === undefined) throw new Error(`${from.name}: no type ${type} (${name})`);
  if (found.alias === undefined) return `@${name}`;
  // A list with a name of its own is a message that holds the list.
  if (found.isNullable && found.alias === "[]string") return "w";
  return codeOf(found.alias, found.from, types);
}
