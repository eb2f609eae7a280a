import { fileText, type Chart, type Maintainer } from "../../chart/index.ts";
import { isFields, type Fields } from "../../core/object/index.ts";
import { compareSemver, parseStrictVersion, parseVersion } from "../../lang/semver/index.ts";
import { parseYaml } from "../../lang/yaml/index.ts";
import { finding, type ChartFinding } from "./finding.ts";

const file = "Chart.yaml";

/** Lints `Chart.yaml`. Models helm pkg/chart/v2/lint/rules/chartfile.go */
export function chartFileFindings(chart: Chart): readonly ChartFinding[] {
  const { metadata } = chart;
  const fields = fieldsIn(chart);
  const { apiVersion, icon, type, dependencies = [] } = metadata;
  const isSecond = apiVersion === "v2";
  return [
    ...finding("warning", file, unknownFields(fields)),
    ...finding("error", file, apiVersionProblem(fields["apiVersion"])),
    ...finding("error", file, textProblem(fields, "version")),
    ...finding("error", file, versionProblem(metadata.version)),
    ...finding("error", file, textProblem(fields, "appVersion")),
    ...metadata.maintainers.flatMap((each) => finding("error", file, maintainerProblem(each))),
    ...metadata.sources.flatMap((each) => finding("error", file, isAddress(each) ? undefined : `invalid source URL '${each}'`)),
    ...finding("info", file, icon === "" ? "icon is recommended" : undefined),
    ...finding("error", file, icon === "" || isAddress(icon) ? undefined : `invalid icon URL '${icon}'`),
    ...finding("error", file, type === "" || isSecond ? undefined : onlyInSecond("chart type is", apiVersion, "It is")),
    ...finding(
      "error",
      file,
      dependencies.length === 0 || isSecond || !("dependencies" in fields)
        ? undefined
        : onlyInSecond("dependencies are", apiVersion, "They are", " in the Chart file with"),
    ),
    ...finding("warning", file, isStrictVersion(metadata.version) ? undefined : `version '${metadata.version}' is not a valid SemVerV2`),
  ];
}

function fieldsIn({ raw }: Chart): Fields {
  const own = raw.findLast(({ name }) => name === file);
  const fields = own === undefined ? {} : parseYaml(fileText(own.data));
  return isFields(fields) ? fields : {};
}

const known = new Set(
  "name home sources version description keywords maintainers icon apiVersion condition tags appVersion deprecated annotations kubeVersion dependencies type".split(
    " ",
  ),
);

function unknownFields(found: Fields): string | undefined {
  const unknown = Object.keys(found).filter((name) => !known.has(name));
  if (unknown.length === 0) return undefined;
  const fields = unknown.map((name) => `unknown field "${name}"`).join(", ");
  return `failed to strictly parse chart metadata file\n\terror unmarshaling JSON: while decoding JSON: json: ${fields}`;
}

function apiVersionProblem(apiVersion: unknown): string | undefined {
  if (apiVersion === undefined || apiVersion === "") return 'apiVersion is required. The value must be either "v1" or "v2"';
  if (apiVersion === "v1" || apiVersion === "v2") return undefined;
  return `apiVersion '${String(apiVersion)}' is not valid. The value must be either "v1" or "v2"`;
}

function onlyInSecond(what: string, apiVersion: string, which: string, where = " in"): string {
  return `${what} not valid${where} apiVersion '${apiVersion}'. ${which} valid in apiVersion 'v2'`;
}

/** An unquoted version may be a YAML number. */
function textProblem(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === "string") return undefined;
  const type =
    typeof value === "number" ? "float64" : typeof value === "boolean" ? "bool" : value === null ? "<nil>" : "map[string]interface {}";
  return `${name} should be of type string but it's of type ${type}`;
}

function versionProblem(text: string): string | undefined {
  const version = parseVersion(text);
  return compareSemver(version, parseVersion("0.0.0-0")) > 0 ? undefined : `version ${text} is less than or equal to 0.0.0-0`;
}

function isStrictVersion(text: string): boolean {
  try {
    parseStrictVersion(text);
    return true;
  } catch {
    return false;
  }
}

function maintainerProblem({ name, email, url }: Maintainer): string | undefined {
  if (name === "") return "each maintainer requires a name";
  if (email !== "" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return `invalid email '${email}' for maintainer '${name}'`;
  if (url !== "" && !/^([a-z][a-z\d+.-]*:\/\/)?[^\s/.]+\.\S+$/i.test(url)) return `invalid url '${url}' for maintainer '${name}'`;
  return undefined;
}

function isAddress(text: string): boolean {
  return URL.canParse(text);
}
