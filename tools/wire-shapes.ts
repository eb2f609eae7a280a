/**
 * Makes src/embedded/builtin/wire/shapes.json from the Go types of the Kubernetes API: which fields a kind has, in which order,
 * and which of them the Go encoder writes when they are empty. Run: node tools/wire-shapes.ts (needs the Go module cache).
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const version = "v0.35.8";
const cache = execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).trim();
const modules = join(cache, "k8s.io");

type Package = { readonly name: string; readonly file: string; readonly group?: string };

const meta: Package = { name: "meta", file: join(modules, `apimachinery@${version}/pkg/apis/meta/v1/types.go`) };
const extensions: Package = {
  name: "apiextensions",
  file: join(modules, `apiextensions-apiserver@${version}/pkg/apis/apiextensions/v1/types.go`),
  group: "apiextensions.k8s.io/v1",
};
const jsonSchema: Package = { ...extensions, file: extensions.file.replace("types.go", "types_jsonschema.go") };
const registration: Package = {
  name: "apiregistration",
  file: join(modules, `kube-aggregator@${version}/pkg/apis/apiregistration/v1/types.go`),
  group: "apiregistration.k8s.io/v1",
};

function groupOf(file: string): string {
  const register = readFileSync(file.replace(/types\.go$/, "register.go"), "utf8");
  const group = /const GroupName = "([^"]*)"/.exec(register)?.[1] ?? "";
  const name = basename(dirname(file));
  return group === "" ? name : `${group}/${name}`;
}

function apiPackages(): readonly Package[] {
  const files = globSync(join(modules, `api@${version}/*/{v1,v2}/types.go`)).toSorted();
  return files.map((file) => {
    const [folder = "", name = ""] = [basename(dirname(file)), basename(dirname(dirname(file)))];
    return { name: folder === "v1" ? name : `${name}${folder}`, file, group: groupOf(file) };
  });
}

type Struct = { readonly fields: readonly string[]; readonly package: string };
const structs = new Map<string, Struct>();
const aliases = new Map<string, { readonly type: string; readonly package: string }>();

function readTypes({ name, file }: Package): void {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
  for (const [, type = "", body = ""] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
    const lines = body.split("\n").map((line) => line.replace(/\/\/.*/, "").trim());
    structs.set(`${name}.${type}`, { package: name, fields: lines.filter((line) => line !== "") });
  }
  for (const [, type = ""] of text.matchAll(/^type (\w+) struct ?\{\}$/gm)) structs.set(`${name}.${type}`, { package: name, fields: [] });
  for (const [, type = "", target = ""] of text.matchAll(/^type (\w+) ((?:\[\]|map\[|\w)[\w.[\]]*)$/gm)) {
    aliases.set(`${name}.${type}`, { type: target, package: name });
  }
}

const scalars: Readonly<Record<string, string>> = {
  string: "s",
  bool: "b",
  int: "d",
  int32: "n",
  int64: "l",
  uint32: "n",
  float64: "f",
  byte: "s",
  "resource.Quantity": "q",
  "intstr.IntOrString": "i",
  "meta.Time": "t",
  "meta.MicroTime": "t",
  "meta.FieldsV1": "r",
  "runtime.RawExtension": "r",
  "apiextensions.JSON": "r",
  "apiextensions.JSONSchemaProps": "r",
  "types.UID": "s",
  "types.NodeName": "s",
};

const packageNames: Readonly<Record<string, string>> = { metav1: "meta", v1: "core", corev1: "core", apiv1: "core", k8s: "core" };

/** A Go type as a code: `*` pointer, `[]` list, `{}` map, then a scalar's letter or the name of a shape. */
function codeOf(type: string, from: string): string {
  if (type.startsWith("*")) return `*${codeOf(type.slice(1), from)}`;
  if (type === "[]byte") return "s";
  if (type.startsWith("[]")) return `[]${codeOf(type.slice(2), from)}`;
  const map = /^map\[[\w.]+\](.+)$/.exec(type);
  if (map) return `{}${codeOf(map[1] ?? "", from)}`;
  return namedCodeOf(type, from);
}

function namedCodeOf(type: string, from: string): string {
  if (scalars[type]) return scalars[type];
  const [prefix, local] = type.includes(".") ? (type.split(".") as [string, string]) : [from, type];
  const name = `${packageNames[prefix] ?? prefix}.${local}`;
  if (scalars[name]) return scalars[name];
  const alias = aliases.get(name);
  if (alias) return codeOf(alias.type, alias.package);
  if (structs.has(name)) return name;
  throw new Error(`${from}: no type ${type} (${name})`);
}

function fieldsOf(name: string): Record<string, string> {
  const struct = structs.get(name);
  if (!struct) throw new Error(`no struct ${name}`);
  return Object.assign({}, ...struct.fields.map((line) => fieldOf(line, struct.package))) as Record<string, string>;
}

function fieldOf(line: string, from: string): Record<string, string> {
  const named = /^(\w+)\s+(\S+)\s+`([^`]*)`$/.exec(line);
  const embedded = /^([\w.]+)\s+`([^`]*)`$/.exec(line);
  const type = named?.[2] ?? embedded?.[1] ?? "";
  const [name = "", ...options] = (/json:"([^"]*)"/.exec(named?.[3] ?? embedded?.[2] ?? "")?.[1] ?? "").split(",");
  if (name === "-") return {};
  const code = codeOf(type, from);
  if (name === "" && options.includes("inline")) return fieldsOf(code);
  const suffix = options.includes("omitzero") ? "~" : options.includes("omitempty") ? "?" : "";
  return { [name]: code + suffix };
}

/** The shapes that are reachable from the kinds. Lists and options are left out of the file. */
function reachable(kinds: Readonly<Record<string, string>>): Record<string, Record<string, string>> {
  const shapes: Record<string, Record<string, string>> = {};
  const queue: string[] = Object.values(kinds);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (shapes[name]) continue;
    const fields = fieldsOf(name);
    shapes[name] = fields;
    for (const code of Object.values(fields)) {
      const inner = code.replace(/^(?:\*|\[\]|\{\})+/, "").replace(/[?~]$/, "");
      if (inner.includes(".")) queue.push(inner);
    }
  }
  return shapes;
}

const packages = [meta, ...apiPackages(), extensions, jsonSchema, registration];
for (const each of packages) readTypes(each);
const kinds: Record<string, string> = {};
for (const { name, group } of packages) {
  if (group === undefined) continue;
  for (const [key, struct] of structs) {
    const isKind = struct.package === name && struct.fields.some((line) => line.startsWith("metav1.ObjectMeta"));
    const kind = key.slice(name.length + 1);
    if (isKind && !kind.endsWith("Template") && !kind.endsWith("TemplateSpec")) kinds[`${group}/${kind}`] = key;
  }
}
kinds["v1/PodTemplate"] = "core.PodTemplate";
kinds["resource.k8s.io/v1/ResourceClaimTemplate"] = "resource.ResourceClaimTemplate";
const target = new URL("../src/embedded/builtin/wire/shapes.json", import.meta.url);
writeFileSync(target, `${JSON.stringify({ kinds, shapes: reachable(kinds) })}\n`);
