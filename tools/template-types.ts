/**
 * Makes src/embedded/controller/pod/template-types.json: the Go types of a pod template, field by field, as the hash of a
 * template prints them. Run: node tools/template-types.ts (needs the Go module cache).
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const version = "v0.35.8";
const cache = execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).trim();
const packages = {
  core: join(cache, `k8s.io/api@${version}/core/v1/types.go`),
  meta: join(cache, `k8s.io/apimachinery@${version}/pkg/apis/meta/v1/types.go`),
};

/** A field: its Go name, its name in JSON (empty for one whose fields are inline), and its type. */
type Field = readonly [name: string, json: string, type: string];

const structs = new Map<string, readonly Field[]>();
const aliases = new Map<string, string>();
const known = new Set(["string", "bool", "int", "int32", "int64", "uint64", "byte"]);
const imported: Readonly<Record<string, string>> = { metav1: "meta", types: "types", resource: "resource", intstr: "intstr" };

/** A type with its package: `*core.Probe`, `map[core.ResourceName]resource.Quantity`. */
function qualified(type: string, home: string): string {
  const [, prefix = "", rest = ""] = /^(\*|\[\]|map\[[\w.]+\])?(.*)$/.exec(type) ?? [];
  if (prefix.startsWith("map[")) return `map[${qualified(prefix.slice(4, -1), home)}]${qualified(rest, home)}`;
  if (prefix !== "") return `${prefix}${qualified(rest, home)}`;
  const [first = "", second] = type.split(".");
  if (second !== undefined) return `${imported[first] ?? first}.${second}`;
  return known.has(type) ? type : `${home}.${type}`;
}

function fieldOf(line: string, home: string): readonly Field[] {
  const json = /json:"([^",]*)/.exec(line)?.[1] ?? "";
  const bare = line.replace(/`.*/, "").trim();
  const [first = "", second] = bare.split(/\s+/);
  if (first === "") return [];
  if (second !== undefined) return [[first, json, qualified(second, home)]];
  const type = qualified(first, home);
  return [[type.slice(type.indexOf(".") + 1), json, type]];
}

for (const [home, file] of Object.entries(packages)) {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
  for (const [, name = "", body = ""] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
    const lines = body.split("\n").map((line) => line.replace(/^\s*\/\/.*/, "").trim());
    structs.set(
      `${home}.${name}`,
      lines.flatMap((line) => fieldOf(line, home)),
    );
  }
  for (const [, name = "", target = ""] of text.matchAll(/^type (\w+) ((?:\[\]|map\[|\w)[\w.[\]]*)$/gm))
    if (target !== "struct") aliases.set(`${home}.${name}`, qualified(target, home));
}

const used: Record<string, readonly Field[]> = {};
const usedAliases: Record<string, string> = {};

function use(type: string): void {
  const map = /^map\[([\w.]+)\](.*)$/.exec(type);
  if (map !== null) return [map[1]!, map[2]!].forEach(use);
  const bare = type.replace(/^(?:\*|\[\])+/, "");
  if (bare !== type) return use(bare);
  const alias = aliases.get(type);
  if (alias !== undefined) {
    usedAliases[type] = alias;
    return use(alias);
  }
  const fields = structs.get(type);
  if (fields === undefined || used[type] !== undefined) return;
  used[type] = fields;
  for (const [, , of] of fields) use(of);
}

use("core.PodTemplateSpec");
const sorted = <T>(entries: Readonly<Record<string, T>>) =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
const target = "src/embedded/controller/pod/template-types.json";
writeFileSync(target, `${JSON.stringify({ structs: sorted(used), aliases: sorted(usedAliases) }, undefined, 1)}\n`);
