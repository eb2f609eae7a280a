import { titleOf } from "../../../src/core/object/index.ts";
import { positionText, readManifests, type LocatedManifest } from "../../../src/lang/yaml/index.ts";
import type { OrderingConstraints, Gate, Need, Ordered } from "../../../src/release/order/ordering-constraints.ts";
import { order, type Order, type OrderOptions } from "../../../src/release/order/order.ts";

/** A short notation for manifests and ordering constraints. */

const groups: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"].map((kind) => [kind, "apps/v1"])),
  ...Object.fromEntries(["Job", "CronJob"].map((kind) => [kind, "batch/v1"])),
  ...Object.fromEntries(["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"].map((kind) => [kind, "rbac.authorization.k8s.io/v1"])),
  ...Object.fromEntries(["Ingress", "IngressClass", "NetworkPolicy"].map((kind) => [kind, "networking.k8s.io/v1"])),
  CustomResourceDefinition: "apiextensions.k8s.io/v1",
  HorizontalPodAutoscaler: "autoscaling/v2",
  PriorityClass: "scheduling.k8s.io/v1",
  RuntimeClass: "node.k8s.io/v1",
  StorageClass: "storage.k8s.io/v1",
  APIService: "apiregistration.k8s.io/v1",
  ValidatingWebhookConfiguration: "admissionregistration.k8s.io/v1",
  MyResource: "example.com/v1",
  CronTab: "example.org/v1",
};

/** One object per line: `Kind name {annotations} | field: value && field: value`, with an optional namespace: `shop/web`. */
export function manifestsFromNotation(text: string): readonly LocatedManifest[] {
  const documents = text
    .trim()
    .split("\n")
    .map((line) => {
      const [, kind = "", namespace, name = "", annotations = "{}", rest = ""] =
        /^\s*(\w+) (?:([^\s/]+)\/)?(\S+)(?: (\{.*?\}))?(?: \| (.*))?$/.exec(line) ?? [];
      const home = namespace === undefined ? "" : `, namespace: ${namespace}`;
      return `apiVersion: ${groups[kind] ?? "v1"}\nkind: ${kind}\nmetadata: {name: "${name}"${home}, annotations: ${annotations}}\n${rest.replaceAll(" && ", "\n")}\n`;
    });
  const { manifests, problems } = readManifests(documents.join("---\n"), "app.yaml");
  if (problems.length > 0) throw new Error(problems.map(({ at, message }) => `${at}: ${message}`).join("\n"));
  return manifests;
}

export function orderFromNotation(text: string, options: Partial<OrderOptions> = {}): Order {
  return order(manifestsFromNotation(text), { namespace: "default", ...options });
}

/** `main -1 statefulset/db until ready`, one line per object. */
export function placeTexts({ ordered }: Order): readonly string[] {
  return ordered.map(placeText);
}

function placeText({ ref, constraints }: Ordered<LocatedManifest>): string {
  const where = constraints.hook
    ? Object.entries(constraints.stages).map(([operation, stages]) => `${stages.join("+")}-${operation}`)
    : [constraints.stage];
  const rank = constraints.unranked ? "unranked" : `${constraints.rank}`;
  return `${where.join()} ${rank} ${titleOf(ref)} until ${constraints.gates.map(gateNotation).join(" and ")}${constraints.barrier ? ", barrier" : ""}`;
}

export function gateNotation(gate: Gate): string {
  if (gate.until === "properties") return gate.properties.map(({ path, value }) => `${path}=${value}`).join(" & ");
  return gate.until === "rule" ? gate.rule : gate.until;
}

/** `configmap/c applied (a volume of it)`. */
export function needText({ target, gate, external, because }: Need): string {
  const { resource, group, version, kind, namespace, name } = target;
  const what = resource ?? [group, version, kind ?? "*"].filter((part) => part !== undefined && part !== "").join("/");
  const where = namespace === undefined ? "" : ` in ${namespace || "the release's namespace"}`;
  return `${what}/${name ?? "*"}${where} ${gateNotation(gate)}${external ? ", external" : ""} (${because})`;
}

/** The constraints of the only object of an order. */
export function constraintsOf(text: string): OrderingConstraints {
  const { ordered, problems } = orderFromNotation(text);
  if (problems.length > 0) throw new Error(problems.map(({ at, message }) => `${at}: ${message}`).join("\n"));
  return ordered[0]!.constraints;
}

/** The position of an object in the generated text: each has four lines and a separator. */
export function lineOfObject(index: number): string {
  return positionText({ file: "app.yaml", line: index * 5 + 1 });
}
