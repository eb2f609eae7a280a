import {
  fieldsAt,
  labelSelectorOf,
  listAt,
  numberAt,
  stringAt,
  stringsAt,
  type Fields,
  type KubeObject,
} from "../../../core/object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import { matchesRequiredNodeAffinity } from "../node/index.ts";
import type { NodeState } from "./scheduler-cache.ts";

/** A compiled pod affinity term. */
type Term = { readonly topologyKey: string; readonly matches: (pod: Pod) => boolean };

/** Reads the labels of a namespace, for terms with a namespaceSelector. */
type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>>;

export type SchedulingSnapshot = { readonly nodes: readonly NodeState[]; readonly namespaceLabels: NamespaceLabels };

const required = "requiredDuringSchedulingIgnoredDuringExecution";

function termsOf(pod: Pod, list: "podAffinity" | "podAntiAffinity", namespaceLabels: NamespaceLabels): readonly Term[] {
  if (pod.spec["affinity"] === undefined) return [];
  return listAt(pod.spec, `affinity.${list}.${required}`).map((term) => {
    const selector = labelSelectorOf(fieldsOrUndefined(term, "labelSelector") ?? null);
    const byLabels = fieldsOrUndefined(term, "namespaceSelector");
    const chosen = byLabels && labelSelectorOf(byLabels);
    const named = stringsAt(term, "namespaces");
    const own = named.length === 0 && byLabels === undefined ? [pod.metadata.namespace ?? ""] : named;
    const matches = ({ metadata }: Pod): boolean => {
      const namespace = metadata.namespace ?? "";
      const inNamespace = own.includes(namespace) || (chosen?.matches(namespaceLabels(namespace)) ?? false);
      return inNamespace && selector.matches(metadata.labels ?? {});
    };
    return { topologyKey: stringAt(term, "topologyKey", ""), matches };
  });
}

function fieldsOrUndefined(value: Fields, name: string): object | undefined {
  const found = value[name];
  return typeof found === "object" && found !== null ? found : undefined;
}

function domainOf(node: KubeObject, topologyKey: string): string | undefined {
  return node.metadata.labels?.[topologyKey];
}

/** The topology domains with a pod that matches the term. */
function domainsWith(term: Term, { nodes }: SchedulingSnapshot): Set<string> {
  const domains = new Set<string>();
  for (const { node, pods } of nodes) {
    const domain = domainOf(node, term.topologyKey);
    if (domain !== undefined && !domains.has(domain) && [...pods.values()].some(term.matches)) domains.add(domain);
  }
  return domains;
}

/**
 * A filter that returns why inter-pod affinity or anti-affinity excludes a node, precomputed for all nodes. Models
 * pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 */
export function podAffinityFilter(pod: Pod, snapshot: SchedulingSnapshot): (node: KubeObject) => string | undefined {
  const wanted = termsOf(pod, "podAffinity", snapshot.namespaceLabels).map((term) => {
    const domains = domainsWith(term, snapshot);
    return { term, domains, first: domains.size === 0 && term.matches(pod) };
  });
  const antiAffinity = termsOf(pod, "podAntiAffinity", snapshot.namespaceLabels).map((term) => ({
    term,
    domains: domainsWith(term, snapshot),
  }));
  const existingAntiAffinity = antiAffinityDomains(pod, snapshot);
  return (node) => {
    // The first pod of a group with affinity to itself may run anywhere.
    const joined = wanted.every(({ term, domains, first }) => {
      const domain = domainOf(node, term.topologyKey);
      return domain !== undefined && (first || domains.has(domain));
    });
    if (!joined) return "node(s) didn't match pod affinity rules";
    if (antiAffinity.some(({ term, domains }) => domains.has(domainOf(node, term.topologyKey) ?? "")))
      return "node(s) didn't match pod anti-affinity rules";
    const violatesExisting = existingAntiAffinity.some(([key, domain]) => domainOf(node, key) === domain);
    return violatesExisting ? "node(s) didn't satisfy existing pods anti-affinity rules" : undefined;
  };
}

function antiAffinityDomains(
  pod: Pod,
  { nodes, namespaceLabels }: SchedulingSnapshot,
): readonly (readonly [key: string, domain: string])[] {
  const found: [string, string][] = [];
  for (const { node, podsWithAntiAffinity } of nodes) {
    for (const other of podsWithAntiAffinity.values()) {
      for (const term of termsOf(other, "podAntiAffinity", namespaceLabels)) {
        const domain = domainOf(node, term.topologyKey);
        if (domain !== undefined && term.matches(pod)) found.push([term.topologyKey, domain]);
      }
    }
  }
  return found;
}

/**
 * A filter that returns why a hard topology spread constraint excludes a node. Models
 * pkg/scheduler/framework/plugins/podtopologyspread/filtering.go
 */
export function topologySpreadFilter(pod: Pod, { nodes }: SchedulingSnapshot): (node: KubeObject) => string | undefined {
  const constraints = listAt(pod.spec, "topologySpreadConstraints")
    .filter((constraint) => constraint["whenUnsatisfiable"] === "DoNotSchedule")
    .map((constraint) => spreadOf(pod, constraint, nodes));
  return (node) => {
    for (const { key, counts, least, maxSkew, self } of constraints) {
      const domain = domainOf(node, key);
      if (domain === undefined) return "node(s) didn't match pod topology spread constraints (missing required label)";
      if ((counts.get(domain) ?? 0) + self - least > maxSkew) return "node(s) didn't match pod topology spread constraints";
    }
    return undefined;
  };
}

function spreadOf(pod: Pod, constraint: Fields, nodes: readonly NodeState[]) {
  const key = stringAt(constraint, "topologyKey", "");
  const selector = labelSelectorOf(fieldsOrUndefined(constraint, "labelSelector") ?? null);
  const sameVersion = stringsAt(constraint, "matchLabelKeys");
  const counted = ({ metadata }: Pod) =>
    metadata.namespace === pod.metadata.namespace &&
    metadata.deletionTimestamp === undefined &&
    selector.matches(metadata.labels ?? {}) &&
    sameVersion.every((label) => metadata.labels?.[label] === pod.metadata.labels?.[label]);
  const counts = new Map<string, number>();
  for (const { node, pods } of nodes) {
    const domain = domainOf(node, key);
    if (domain === undefined || !matchesRequiredNodeAffinity(pod.spec, node)) continue;
    const here = [...pods.values()].filter(counted).length;
    counts.set(domain, (counts.get(domain) ?? 0) + here);
  }
  const enough = counts.size >= numberAt(constraint, "minDomains", 1);
  return {
    key,
    counts,
    least: enough && counts.size > 0 ? Math.min(...counts.values()) : 0,
    maxSkew: numberAt(constraint, "maxSkew", 1),
    self: selector.matches(pod.metadata.labels ?? {}) ? 1 : 0,
  };
}

/** Whether other pods affect where this one may run. */
export function hasInterPodConstraints(pod: Pod): boolean {
  const affinity = fieldsAt(pod.spec, "affinity");
  return (
    affinity["podAffinity"] !== undefined ||
    affinity["podAntiAffinity"] !== undefined ||
    pod.spec["topologySpreadConstraints"] !== undefined
  );
}
