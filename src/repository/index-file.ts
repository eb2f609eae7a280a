import { Fault } from "../core/fault/index.ts";
import { isFields, stringsAt, type Fields } from "../core/object/index.ts";
import { compareSemver, parseVersion, type Version } from "../lang/semver/index.ts";
import { quote } from "../lang/template/index.ts";
import { parseYaml, YamlFault } from "../lang/yaml/index.ts";

/** One version of a chart in a repository's index. */
export type ChartVersion = { readonly version: string; readonly urls: readonly string[]; readonly digest: string };

/** The index of a repository: the versions of each chart, the highest first. */
export type IndexFile = ReadonlyMap<string, readonly ChartVersion[]>;

const indexFields = new Set(["serverInfo", "apiVersion", "generated", "entries", "publicKeys", "annotations"]);
const metadataFields =
  "name home sources version description keywords maintainers icon apiVersion condition tags appVersion deprecated annotations kubeVersion dependencies type";
const chartFields = new Set(`${metadataFields} urls created removed digest checksum engine tillerVersion url`.split(" "));

/**
 * Parses an index in YAML or JSON. Invalid entries are skipped with a warning. An unknown field is refused in YAML and
 * ignored in JSON. Models helm pkg/repo/v1 loadIndex
 */
export function loadIndex(text: string, source: string, warn: (line: string) => void): IndexFile {
  if (text === "") throw refusal("empty index.yaml file");
  const { value, strict } = valueIn(text);
  if (value !== null && !isFields(value)) throw refusal(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type v1.IndexFile`);
  const index = value ?? {};
  if (strict) checkFields(index, indexFields);
  const entries = index["entries"] ?? {};
  if (!isFields(entries)) throw typeMismatch("IndexFile.entries", entries, "map[string]v1.ChartVersions");
  const charts = Object.entries(entries).map(([name, versions]) => [name, versionsIn(name, versions, strict, source, warn)] as const);
  if (textIn(index, "apiVersion", "IndexFile") === "") throw refusal("no API version specified");
  return new Map(charts);
}

function valueIn(text: string): { readonly value: unknown; readonly strict: boolean } {
  try {
    return { value: JSON.parse(text) as unknown, strict: false };
  } catch {
    // Not JSON, so it is YAML or invalid.
  }
  if (/^\s*<(!doctype|html|\?xml|head|body)/i.test(text))
    throw refusal("the server answered with a web page instead of an index: check the address, and whether it asks you to sign in");
  try {
    return { value: parseYaml(text, { duplicateKeys: "refused" }), strict: true };
  } catch (error) {
    if (error instanceof YamlFault) throw new Fault("error converting YAML to JSON", error, { final: true });
    throw error;
  }
}

function versionsIn(
  name: string,
  versions: unknown,
  strict: boolean,
  source: string,
  warn: (line: string) => void,
): readonly ChartVersion[] {
  if (versions === null) return [];
  if (!Array.isArray(versions)) throw typeMismatch("IndexFile.entries", versions, "v1.ChartVersions");
  const valid = versions.flatMap((entry: unknown) => {
    if (entry !== null && !isFields(entry)) throw typeMismatch("IndexFile.entries", entry, "v1.ChartVersion");
    if (strict && entry !== null) checkFields(entry, chartFields);
    const objection = entry === null ? "empty entry" : objectionTo(entry);
    if (entry !== null && objection === undefined) return [indexed(entry)];
    const version = entry === null ? "" : ` ${quote(textIn(entry, "version", "ChartVersion"))}`;
    warn(`skipping loading invalid entry for chart ${quote(name)}${version} from ${source}: ${objection}`);
    return [];
  });
  return highestFirst(valid);
}

function indexed(entry: Fields): ChartVersion {
  return {
    version: textIn(entry, "version", "ChartVersion"),
    urls: stringsAt(entry, "urls"),
    digest: textIn(entry, "digest", "ChartVersion"),
  };
}

/** Why an entry is invalid. Models helm pkg/chart/v2/metadata.go Validate, without the checks that an index skips */
function objectionTo(entry: Fields): string | undefined {
  const [name, version, type] = ["name", "version", "type"].map((field) => textIn(entry, field, "ChartVersion")) as [
    string,
    string,
    string,
  ];
  if (name === "") return "validation: chart.metadata.name is required";
  if (name === "." || name === "..") return `validation: chart.metadata.name ${quote(name)} is not allowed`;
  if (name.includes("/")) return `validation: chart.metadata.name ${quote(name)} is invalid`;
  if (version === "") return "validation: chart.metadata.version is required";
  if (versionOf(version) === undefined) return `validation: chart.metadata.version ${quote(version)} is invalid`;
  if (!["", "application", "library"].includes(type)) return "validation: chart.metadata.type must be application or library";
  return undefined;
}

/** Parses each version once, because an index may have tens of thousands. */
function highestFirst(charts: readonly ChartVersion[]): readonly ChartVersion[] {
  return charts
    .map((chart) => ({ chart, version: parseVersion(chart.version) }))
    .toSorted((one, other) => compareSemver(other.version, one.version))
    .map(({ chart }) => chart);
}

export function versionOf(text: string): Version | undefined {
  try {
    return parseVersion(text);
  } catch {
    return undefined;
  }
}

function checkFields(fields: Fields, known: ReadonlySet<string>): void {
  const unknown = Object.keys(fields).find((name) => !known.has(name));
  if (unknown !== undefined) throw refusal(`error unmarshaling JSON: while decoding JSON: json: unknown field ${quote(unknown)}`);
}

/** Converts a scalar to a string, as sigs.k8s.io/yaml does. */
function textIn(fields: Fields, name: string, struct: string): string {
  const value = fields[name] ?? "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw typeMismatch(`${struct}.${name}`, value, "string");
}

function typeMismatch(place: string, value: unknown, type: string): Fault {
  const problem = `json: cannot unmarshal ${jsonTypeName(value)} into Go struct field ${place} of type ${type}`;
  return refusal(`error unmarshaling JSON: while decoding JSON: ${problem}`);
}

function jsonTypeName(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return value === null || typeof value === "object" ? "object" : typeof value;
}

function refusal(because: string): Fault {
  return new Fault(because, undefined, { final: true });
}
