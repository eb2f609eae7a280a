import { labelSelectorOf, listAt, mapAt, type Fields, type KubeObject } from "../../core/object/index.ts";

/** The rules that a ClusterRole with an aggregationRule has by other roles; undefined when it has none. */
export function aggregatedRules(role: KubeObject, roles: readonly KubeObject[]): readonly Fields[] | undefined {
  if (role["aggregationRule"] === undefined) return undefined;
  const others = roles.filter(({ metadata }) => metadata.name !== role.metadata.name);
  const found = new Map<string, Fields>();
  for (const selector of listAt(role, "aggregationRule.clusterRoleSelectors")) {
    const { matches } = labelSelectorOf(selector);
    for (const other of others) {
      if (!matches(mapAt(other, "metadata.labels"))) continue;
      for (const rule of listAt(other, "rules")) {
        const key = textOf(rule);
        if (!found.has(key)) found.set(key, rule);
      }
    }
  }
  return [...found.values()];
}

/** Equal for equal rules. */
function textOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Fields): string {
  return JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
}
