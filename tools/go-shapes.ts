/**
 * Makes src/embedded/builtin/validation/go-shapes.json: the API server's internal Go types as its refusals print them, for the
 * few that they do print. Run: node tools/go-shapes.ts (needs the Go module cache).
 *
 * Internal types have no JSON names, so Go prints its own. What each field is called on the wire is read from the type of
 * the same name in the public API.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const cache = execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).trim();
const internal = join(cache, "k8s.io/kubernetes@v1.35.8/pkg/apis");
const api = join(cache, "k8s.io/api@v0.35.8");
const meta = join(cache, "k8s.io/apimachinery@v0.35.8/pkg/apis/meta/v1/types.go");

const roots = [
  "core.PodSpec",
  "core.PodTemplateSpec",
  "core.PersistentVolumeClaimSpec",
  "core.PersistentVolumeSource",
  "core.EventSource",
  "core.ObjectReference",
  "core.SecurityContext",
  "core.VolumeNodeAffinity",
  "apps.DeploymentStrategy",
  "apps.DaemonSetUpdateStrategy",
  "apps.StatefulSetUpdateStrategy",
  "batch.PodFailurePolicy",
  "batch.SuccessPolicy",
  "policy.PodDisruptionBudgetSpec",
  "rbac.RoleRef",
  "certificates.CertificateSigningRequestCondition",
];
const packages = {
  core: "core/v1",
  apps: "apps/v1",
  batch: "batch/v1",
  policy: "policy/v1",
  rbac: "rbac/v1",
  certificates: "certificates/v1",
};

type Field = { readonly name: string; readonly type: string; readonly tag: string };
type Types = { readonly structs: Map<string, readonly Field[]>; readonly aliases: Map<string, string> };

function typesOf(file: string, name: string): Types {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
  const structs = new Map<string, readonly Field[]>();
  const aliases = new Map<string, string>();
  for (const [, type = "", body = ""] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms))
    structs.set(`${name}.${type}`, fieldsIn(body));
  for (const [, type = ""] of text.matchAll(/^type (\w+) struct ?\{\}$/gm)) structs.set(`${name}.${type}`, []);
  for (const [, type = "", target = ""] of text.matchAll(/^type (\w+) ((?:\[\]|map\[|\w)[\w.[\]]*)$/gm))
    aliases.set(`${name}.${type}`, target);
  return { structs, aliases };
}

function fieldsIn(body: string): readonly Field[] {
  return body.split("\n").flatMap((line) => {
    const bare = line.replace(/\/\/.*/, "").trim();
    const named = /^(\w+)\s+([\w.*[\]]+)(?:\s+`(.*)`)?$/.exec(bare);
    if (named) return [{ name: named[1] ?? "", type: named[2] ?? "", tag: jsonTag(named[3]) }];
    const embedded = /^([\w.]+)(?:\s+`(.*)`)?$/.exec(bare);
    return embedded ? [{ name: "", type: embedded[1] ?? "", tag: jsonTag(embedded[2]) }] : [];
  });
}

const jsonTag = (tag = ""): string => /json:"([^"]*)"/.exec(tag)?.[1] ?? "";

const known = { structs: new Map<string, readonly Field[]>(), aliases: new Map<string, string>() };
const wire = new Map<string, readonly Field[]>();
for (const [name, folder] of Object.entries(packages)) {
  const own = typesOf(join(internal, name, "types.go"), name);
  for (const [key, value] of own.structs) known.structs.set(key, value);
  for (const [key, value] of own.aliases) known.aliases.set(key, value);
  for (const [key, value] of typesOf(join(api, folder, "types.go"), name).structs) wire.set(key, value);
}
const metaTypes = typesOf(meta, "meta");
for (const [key, value] of metaTypes.structs) known.structs.set(key, value);
for (const [key, value] of metaTypes.aliases) known.aliases.set(key, value);

const scalars: Readonly<Record<string, string>> = {
  string: "s",
  bool: "b",
  int: "n",
  int32: "n",
  int64: "n",
  "resource.Quantity": "q",
  "intstr.IntOrString": "n",
  "meta.Time": "t",
  "meta.FieldsV1": "t",
  "types.UID": "s",
  "types.NodeName": "s",
};
const importNames: Readonly<Record<string, string>> = { metav1: "meta", api: "core" };

function codeOf(type: string, from: string): string {
  const outer = /^(\*|\[\]|map\[[\w.]+\])(.+)$/.exec(type);
  if (type === "[]byte") return "*s";
  if (outer) return `${outer[1]?.startsWith("map") ? "{}" : outer[1]}${codeOf(outer[2] ?? "", from)}`;
  const [prefix, local] = type.includes(".") ? (type.split(".") as [string, string]) : [from, type];
  const name = `${importNames[prefix] ?? prefix}.${local}`;
  const scalar = scalars[type] ?? scalars[name];
  if (scalar) return scalar;
  const alias = known.aliases.get(name);
  if (alias !== undefined) return codeOf(alias, name.split(".")[0] ?? "");
  if (!known.structs.has(name)) throw new Error(`${from}: no type ${type}`);
  return name;
}

/** Fields that are in the Pod's spec on the wire, and in its security context inside the server. */
const moved: Readonly<Record<string, string>> = {
  HostNetwork: "hostNetwork",
  HostPID: "hostPID",
  HostIPC: "hostIPC",
  ShareProcessNamespace: "shareProcessNamespace",
  HostUsers: "hostUsers",
};

/** The wire name of a Go field, also where the public type has it from an embedded one. */
function wireName(struct: string, field: string): string {
  if (struct === "core.PodSecurityContext" && moved[field] !== undefined) return moved[field];
  const prefix = struct.split(".")[0] ?? "";
  for (const each of wire.get(struct) ?? []) {
    if (each.name === field) return each.tag.split(",")[0] ?? "";
    const inner = each.name === "" && !each.type.includes(".") ? wireName(`${prefix}.${each.type}`, field) : "";
    if (inner !== "") return inner;
  }
  return "";
}

/** A field as `[name printed, name on the wire, code]`; one that is left out when empty ends in "?". */
type Shape = readonly (readonly [string, string, string])[];

function shapeOf(struct: string): Shape {
  const prefix = struct.split(".")[0] ?? "";
  return (known.structs.get(struct) ?? []).flatMap((field): Shape => {
    const code = codeOf(field.type, prefix);
    if (field.name === "") return code === "meta.ObjectMeta" ? [["", "metadata", code]] : shapeOf(code);
    if (prefix !== "meta") return [[field.name, wireName(struct, field.name), code]];
    const [name = "", ...options] = field.tag.split(",");
    return name === "-" ? [] : [[name, name, options.some((option) => option.startsWith("omit")) ? `${code}?` : code]];
  });
}

const shapes: Record<string, Shape> = {};
const queue = [...roots];
for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
  if (shapes[name]) continue;
  const shape = shapeOf(name);
  shapes[name] = shape;
  for (const [, , code] of shape) {
    const inner = code.replace(/^(?:\*|\[\]|\{\})+/, "").replace(/\?$/, "");
    if (inner.includes(".")) queue.push(inner);
  }
}
writeFileSync(new URL("../src/embedded/builtin/validation/go-shapes.json", import.meta.url), `${JSON.stringify(shapes)}\n`);
