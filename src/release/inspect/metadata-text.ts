import { listAt, mapAt, ownField, stringAt, type Fields } from "../../core/object/index.ts";
import { jsonText } from "../../lang/sprig/index.ts";
import { fromPlain } from "../../lang/template/index.ts";
import { storageLabelsOf, type Revision } from "../record/index.ts";
import { secondsText } from "./go-time.ts";
import { yamlText, type RecordFormat } from "./values-text.ts";

/** The fields of a Go struct in their order. Undefined ones are left out. */
type StructFields = readonly (readonly [name: string, value: unknown])[];

/**
 * What a record says of a revision and its chart. Models helm pkg/cmd/get_metadata.go. The labels are those of the user,
 * and of the latest revision, as long as nobody has named it by its number, also those of the storage.
 */
export function metadataText(revision: Revision, output: RecordFormat, { named = false }: { readonly named?: boolean } = {}): string {
  const labels = named ? revision.labels : storageLabelsOf(revision);
  if (output === "table") return tableText(revision, labels);
  const fields = metadataOf(revision, labels);
  return output === "json" ? structJson(fields) : yamlText(Object.fromEntries(fields));
}

function metadataOf(revision: Revision, labels: Readonly<Record<string, string>>): StructFields {
  const { chart, name, namespace, state, lastDeployed, applyMethod } = revision;
  const fields: StructFields = [
    ["name", name],
    ["chart", chartText(chart, "name")],
    ["version", chartText(chart, "version")],
    ["appVersion", chartText(chart, "appVersion")],
    ["annotations", unlessEmpty(mapAt(chart, "metadata.annotations"))],
    ["labels", unlessEmpty(labels)],
    ["dependencies", unlessEmpty(listAt(chart, "metadata.dependencies").map(dependencyOf))],
    ["namespace", namespace],
    ["revision", revision.revision],
    ["status", state],
    ["deployedAt", secondsText(lastDeployed)],
    ["applyMethod", applyMethod],
  ];
  return fields.filter(([, value]) => value !== undefined);
}

/** Models helm pkg/chart/v2/dependency.go Dependency */
function dependencyOf(dependency: Fields): Fields {
  const written = ["name", "repository"];
  const names = ["name", "version", "repository", "condition", "tags", "enabled", "import-values", "alias"];
  const all = names.map((name) => [name, ownField(dependency, name) ?? (written.includes(name) ? "" : undefined)] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

const applyMethods = { ssa: "server-side apply", csa: "client-side apply" } as const;

function tableText(
  { chart, name, namespace, revision, state, lastDeployed, applyMethod }: Revision,
  labels: Readonly<Record<string, string>>,
) {
  const dependencies = listAt(chart, "metadata.dependencies").map((each) => stringAt(each, "name", ""));
  return [
    `NAME: ${name}`,
    `CHART: ${chartText(chart, "name")}`,
    `VERSION: ${chartText(chart, "version")}`,
    `APP_VERSION: ${chartText(chart, "appVersion")}`,
    `ANNOTATIONS: ${setText(mapAt(chart, "metadata.annotations"))}`,
    `LABELS: ${setText(labels)}`,
    `DEPENDENCIES: ${dependencies.toSorted(byBytes).join(",")}`,
    `NAMESPACE: ${namespace}`,
    `REVISION: ${revision}`,
    `STATUS: ${state}`,
    `DEPLOYED_AT: ${secondsText(lastDeployed)}`,
    `APPLY_METHOD: ${applyMethod === undefined ? "client-side apply (defaulted)" : applyMethods[applyMethod]}`,
  ].join("\n");
}

export function chartText(chart: Fields, field: "name" | "version" | "appVersion"): string {
  return stringAt(chart, `metadata.${field}`, "");
}

/** Models k8s.io/apimachinery pkg/labels Set.String */
function setText(set: Readonly<Record<string, string>>): string {
  return Object.entries(set)
    .map(([key, value]) => `${key}=${value}`)
    .toSorted(byBytes)
    .join(",");
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Go's omitempty. */
function unlessEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

/** A struct as Go's encoding/json writes it: its fields keep their order, those of maps are sorted. */
function structJson(fields: StructFields): string {
  const members = fields.map(
    ([name, value]) => `${jsonText(name)}:${name === "dependencies" ? structsJson(value) : jsonText(fromPlain(value))}`,
  );
  return `{${members.join(",")}}`;
}

function structsJson(value: unknown): string {
  const structs: readonly object[] = Array.isArray(value) ? value : [];
  return `[${structs.map((each) => structJson(Object.entries(each))).join(",")}]`;
}
