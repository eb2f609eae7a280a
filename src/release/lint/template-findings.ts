import type { Chart } from "../../chart/index.ts";
import { fieldsAt, isFields, listAt, stringAt } from "../../core/object/index.ts";
import { readDocuments } from "../../lang/yaml/index.ts";
import { finding, type ChartFinding } from "./finding.ts";

/** Lints the rendered templates of a chart, file by file. Models helm pkg/chart/v2/lint/rules/template.go */
export function templateFindings({ templates, metadata }: Chart, files: ReadonlyMap<string, string>): readonly ChartFinding[] {
  return templates.flatMap(({ name }) => {
    const text = files.get(`${metadata.name}/${name}`) ?? "";
    const ending = /\.[^./]*$/.exec(name)?.[0] ?? "";
    const isKnown = [".yaml", ".yml", ".tpl", ".txt"].includes(ending);
    const allowed = `file extension '${ending}' not valid. Valid extensions are .yaml, .yml, .tpl, or .txt`;
    const findings = finding("error", name, isKnown ? undefined : allowed);
    return /^\.ya?ml$/i.test(ending) && text.trim() !== "" ? [...findings, ...contentFindings(name, text)] : findings;
  });
}

function contentFindings(name: string, text: string): readonly ChartFinding[] {
  const { documents, problems } = readDocuments(text, name, { duplicateKeys: "last wins", isGenerated: true });
  return [
    ...finding("warning", name, indentProblem(text)),
    ...problems.map(({ at, message }): ChartFinding => ({ severity: "error", at, message: `unable to parse YAML: ${message}` })),
    ...documents.flatMap(({ value }) => (isFields(value) ? objectFindings(name, value, text) : [])),
  ];
}

function indentProblem(text: string): string | undefined {
  const first = text.split("\n").find((line) => line.trim() !== "") ?? "";
  if (!/^[ \t]/.test(first)) return undefined;
  return `document starts with an illegal indent: ${JSON.stringify(first)}, which may cause parsing problems`;
}

function objectFindings(name: string, object: unknown, text: string): readonly ChartFinding[] {
  return [
    ...finding("warning", name, nameProblem(stringAt(object, "kind", ""), stringAt(object, "metadata.name", ""))),
    ...finding("error", name, selectorProblem(stringAt(object, "kind", ""), stringAt(object, "metadata.name", ""), text)),
    ...finding("error", name, listProblem(object)),
  ];
}

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const roles = new Set(["role", "clusterrole", "rolebinding", "clusterrolebinding"]);

function nameProblem(kind: string, name: string): string | undefined {
  const lower = kind.toLowerCase();
  if (lower === "certificatesigningrequest") return undefined;
  const fits = roles.has(lower)
    ? name !== "." && name !== ".." && !/[/%]/.test(name)
    : lower === "service"
      ? label.test(name) && name.length <= 63
      : lower === "namespace"
        ? /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) && name.length <= 63
        : subdomain.test(name) && name.length <= 253;
  return fits ? undefined : `object name does not conform to Kubernetes naming requirements: ${JSON.stringify(name)}`;
}

const selecting = new Set(["Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"]);

function selectorProblem(kind: string, name: string, text: string): string | undefined {
  if (!selecting.has(kind) || text.includes("matchLabels") || text.includes("matchExpressions")) return undefined;
  return `a ${kind} must contain matchLabels or matchExpressions, and ${JSON.stringify(name)} does not`;
}

function listProblem(object: unknown): string | undefined {
  if (stringAt(object, "kind") !== "List") return undefined;
  const isKept = listAt(object, "items").some((item) => fieldsAt(item, "metadata.annotations")["helm.sh/resource-policy"] !== undefined);
  return isKept ? "annotation 'helm.sh/resource-policy' within List objects are ignored" : undefined;
}
