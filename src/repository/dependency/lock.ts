import type { Chart, Dependency } from "../../chart/index.ts";
import { isFields, listAt } from "../../core/object/index.ts";
import { marshalYaml, parseYaml } from "../../lang/yaml/index.ts";
import { sha256 } from "../digest.ts";

/** One dependency in a lock file. */
export type LockedDependency = { readonly name: string; readonly version: string; readonly repository: string };

/** The dependencies that a chart lists. `enabled` has no effect there, but it is part of the digest. */
export function requestedBy({ metadata, raw }: Chart): readonly Dependency[] | undefined {
  const { dependencies } = metadata;
  const flags = enabledIn(raw.find(({ name }) => name === (metadata.apiVersion === "v1" ? "requirements.yaml" : "Chart.yaml"))?.data);
  return dependencies?.map((dependency, at) => (flags[at] === true ? { ...dependency, enabled: true } : dependency));
}

function enabledIn(file: Uint8Array | undefined): readonly boolean[] {
  if (file === undefined) return [];
  return listAt(parseYaml(Buffer.from(file).toString("utf8")), "dependencies").map((entry) => entry["enabled"] === true);
}

/** The digest that ties a lock to the dependencies of a chart. Models helm internal/resolver HashReq */
export function lockDigest(requested: readonly Dependency[] | undefined, locked: readonly LockedDependency[]): string {
  const lists = [requested?.map(fieldsOf) ?? null, locked.map((each) => fieldsOf(each))];
  return `sha256:${sha256(goJson(lists))}`;
}

/** The digest that Helm 2 wrote. Models helm internal/resolver HashV2Req */
export function oldLockDigest(requested: readonly Dependency[] | undefined): string {
  return `sha256:${sha256(goJson({ dependencies: requested?.map(fieldsOf) ?? null }))}`;
}

/** The content of a lock file, byte for byte as Helm writes it. */
export function lockText(locked: readonly LockedDependency[], digest: string, generated: Date): string {
  return marshalYaml({ dependencies: locked.map((each) => fieldsOf(each)), digest, generated: goTime(generated) });
}

type Listed = LockedDependency & Partial<Pick<Dependency, "condition" | "tags" | "enabled" | "importValues" | "alias">>;

/** In the order of Helm's fields, without empty ones. */
function fieldsOf(dependency: Listed): Record<string, unknown> {
  const { name, version, repository, condition = "", tags = [], enabled = false, importValues = [], alias = "" } = dependency;
  return {
    name,
    ...(version === "" ? {} : { version }),
    repository,
    ...(condition === "" ? {} : { condition }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(enabled ? { enabled } : {}),
    ...(importValues.length === 0 ? {} : { "import-values": importValues.map(sortedKeys) }),
    ...(alias === "" ? {} : { alias }),
  };
}

/** Sorts the keys of maps, as Go does. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (!isFields(value)) return value;
  const keys = Object.keys(value).toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return Object.fromEntries(keys.map((key) => [key, sortedKeys(value[key])]));
}

/** Escapes the characters that encoding/json escapes for HTML. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Models time.RFC3339Nano: no trailing zeros in the fraction. */
function goTime(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, "Z");
}
