import { listAt, mapAt, stringAt, stringsAt, type Fields } from "../../../core/object/index.ts";
import { checkLabelValue } from "../validation/name-formats.ts";

// Models pkg/api/node/util.go

const deprecatedLabels = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  ["scheduler.alpha.kubernetes.io/preferAvoidPods", "deprecated since v1.22; use Taints and Tolerations instead"],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Warns of a label of nodes that is deprecated, by the text that `say` makes of the reason. */
export function nodeLabelWarning(key: string, say: (reason: string) => string): readonly string[] {
  const reason = deprecatedLabels.get(key);
  return reason === undefined ? [] : [say(reason)];
}

/** The labels of a map, by their names: Go takes them in any order. */
export function nodeLabelsWarnings(labels: Readonly<Record<string, string>>, pathOf: (key: string) => string): readonly string[] {
  return Object.keys(labels)
    .toSorted()
    .flatMap((key) => nodeLabelWarning(key, (reason) => `${pathOf(key)}: ${reason}`));
}

/** The match expressions of a term of a node selector. A preferred term may have values that no label has. */
export function nodeSelectorTermWarnings(term: unknown, path: string, { isPreferred = false } = {}): readonly string[] {
  return listAt(term, "matchExpressions").flatMap((expression, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const key = stringAt(expression, "key", "");
    return [
      ...nodeLabelWarning(key, (reason) => `${at}.key: ${key} is ${reason}`),
      ...(isPreferred ? labelValueWarnings(expression, at) : []),
    ];
  });
}

function labelValueWarnings(expression: Fields, path: string): readonly string[] {
  return stringsAt(expression, "values").flatMap((value, index) =>
    checkLabelValue(value).map((problem) => `${path}.values[${index}]: ${value} is invalid, ${problem}`),
  );
}

/** A label selector of nodes. */
export function nodeSelectorWarnings(selector: unknown, path: string): readonly string[] {
  return [
    ...nodeSelectorTermWarnings(selector, path),
    ...nodeLabelsWarnings(mapAt(selector, "matchLabels"), (key) => `${path}.matchLabels.${key}`),
  ];
}
