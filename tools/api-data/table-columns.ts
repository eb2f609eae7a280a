import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TableColumn } from "../../src/embedded/data/index.ts";

/** The modules that columns and their descriptions come from, by import path. */
type Modules = Readonly<Record<string, string>>;

const block = /(\w+) (?::=|= append\(\w+,) \[\]metav1\.TableColumnDefinition\{\n(.*?)\n\t\}/gs;
const column = /\{Name: ("[^"]*"), Type: "(\w+)"(.*), Description: (.+)\},/g;
const swagger = /^(\w+)\.(\w+)\{\}(?:\.(\w+))?\.SwaggerDoc\(\)\["(\w+)"\]$/;

/** Fields whose type describes itself, where a column names the field instead of the type. */
const typesOfFields: Readonly<Record<string, string>> = { InvolvedObject: "ObjectReference" };

/** The columns that an API server prints, by kind; under the empty name those of a kind that has none of its own. */
export function tableColumnsOf(modules: Modules, kinds: ReadonlySet<string>): Record<string, readonly TableColumn[]> {
  const printers = readFileSync(join(modules["k8s.io/kubernetes"]!, "pkg/printers/internalversion/printers.go"), "utf8");
  const describe = describer(modules, printers);
  const blocks = new Map<string, TableColumn[]>();
  for (const [, name = "", body = ""] of printers.matchAll(block))
    blocks.set(name, [...(blocks.get(name) ?? []), ...columnsIn(body, describe)]);
  const found: Record<string, readonly TableColumn[]> = {
    "": inlineColumns(join(modules["k8s.io/apiserver"]!, "pkg/registry/rest/table.go"), describe),
    APIService: inlineColumns(join(modules["k8s.io/kube-aggregator"]!, "pkg/registry/apiservice/etcd/etcd.go"), describe),
  };
  for (const [, name = "", print = ""] of printers.matchAll(/h\.TableHandler\((\w+), (\w+)\)/g)) {
    const kind = new RegExp(`^func ${print}\\(\\w+ \\*\\w+\\.(\\w+), `, "m").exec(printers)?.[1] ?? "";
    if (kinds.has(kind) || kind === "Scale") found[kind] = blocks.get(name)!;
  }
  return found;
}

function inlineColumns(file: string, describe: (expression: string) => string): TableColumn[] {
  return columnsIn(readFileSync(file, "utf8"), describe);
}

function columnsIn(body: string, describe: (expression: string) => string): TableColumn[] {
  return [...body.matchAll(column)].map(([, name = "", type = "", more = "", description = ""]) => ({
    name: JSON.parse(name) as string,
    type,
    format: /Format: "(\w+)"/.exec(more)?.[1] ?? "",
    description: describe(description),
    priority: Number(/Priority: (\d+)/.exec(more)?.[1] ?? 0),
  }));
}

/** Reads the text of a description: a literal, or what a Go type says of one of its fields. */
function describer(modules: Modules, printers: string): (expression: string) => string {
  const packages = new Map(
    [...printers.matchAll(/^\t(\w+) "(k8s\.io\/\w+)\/(\S+)"/gm)].map(([, name = "", module = "", path = ""]) => [name, [module, path]]),
  );
  const documents = new Map<string, string>();
  return (expression) => {
    if (expression.startsWith('"')) return JSON.parse(expression) as string;
    const whole = expression.replace(/^swaggerMetadataDescriptions/, "metav1.ObjectMeta{}.SwaggerDoc()");
    const [, name = "", type = "", field, key = ""] = swagger.exec(whole) ?? [];
    const [module = "", path = ""] = packages.get(name) ?? [];
    const file = join(modules[module] ?? "", path, "types_swagger_doc_generated.go");
    if (!documents.has(file)) documents.set(file, readFileSync(file, "utf8"));
    const fields = new RegExp(`^var map_${typesOfFields[field ?? ""] ?? type} = .*?^\\}`, "ms").exec(documents.get(file)!)?.[0] ?? "";
    const text = new RegExp(`^\\t"${key}":\\s+(".*"),$`, "m").exec(fields)?.[1];
    // A Go map answers with the empty text for a field that it does not have.
    return text === undefined ? "" : (JSON.parse(text) as string);
  };
}
