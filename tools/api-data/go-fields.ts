import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The fields of a Go struct by their JSON names, and the structs that it embeds. */
type Struct = { readonly fields: Map<string, string>; readonly inlined: string[] };

const struct = /^type (\w+) struct \{\n(.*?)^\}/gms;
const field = /^\t(?:\w+\s+)?([\w.*[\]]+)\s+`[^`]*json:"([^",]*)(,[^"]*)?"/;
const plain = /^(?:string|bool|u?int\d*|float\d+)$/;

/** How Go prints the type of a field (`v1.PullPolicy`), and the embedded struct it comes from (`VolumeSource`), if any. */
export type GoField = { readonly type: string; readonly embedded?: string };

/**
 * The Go fields by definition name and JSON name. Error messages of decoders contain them, and the schemas do not: there a
 * named type is a string, and the fields of an embedded struct belong to the struct around it.
 */
export function goFieldsOf(api: string, apimachinery: string): (definition: string, name: string) => GoField | undefined {
  const structs = new Map<string, Struct>();
  for (const file of globSync(join(api, "*/{v1,v2}/types.go"))) {
    const [group, version] = [basename(dirname(dirname(file))), basename(dirname(file))];
    readStructs(file, `io.k8s.api.${group}.${version}`, structs);
  }
  readStructs(join(apimachinery, "pkg/apis/meta/v1/types.go"), "io.k8s.apimachinery.pkg.apis.meta.v1", structs);
  return (definition, name) => {
    const { fields, inlined = [] } = structs.get(definition) ?? {};
    const own = fields?.get(name);
    if (own !== undefined) return { type: own };
    const prefix = definition.slice(0, definition.lastIndexOf("."));
    for (const embedded of inlined) {
      const type = structs.get(`${prefix}.${embedded}`)?.fields.get(name);
      if (type !== undefined) return { type, embedded };
    }
    return undefined;
  };
}

function readStructs(file: string, prefix: string, structs: Map<string, Struct>): void {
  const version = basename(dirname(file));
  for (const [, name = "", body = ""] of readFileSync(file, "utf8").matchAll(struct)) {
    const found: Struct = { fields: new Map(), inlined: [] };
    for (const line of body.split("\n")) {
      const [, type = "", json = "", options = ""] = field.exec(line) ?? [];
      if (options.includes("inline") && json === "") found.inlined.push(type);
      else if (json !== "") found.fields.set(json, printed(type, version));
    }
    structs.set(`${prefix}.${name}`, found);
  }
}

/** A type as reflection prints it: without pointers, and with the package's own name instead of the import's. */
function printed(type: string, version: string): string {
  if (type.startsWith("*")) return printed(type.slice(1), version);
  if (type.startsWith("[]")) return `[]${printed(type.slice(2), version)}`;
  const [, key, value] = /^map\[([^\]]+)\](.+)$/.exec(type) ?? [];
  if (key !== undefined && value !== undefined) return `map[${printed(key, version)}]${printed(value, version)}`;
  if (type === "byte") return "uint8";
  if (plain.test(type)) return type;
  return type.includes(".") ? type.replace(/^\w*v(\d)\./, "v$1.") : `${version}.${type}`;
}
