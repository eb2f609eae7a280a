import { progressingBecause, ready, type Health } from "../../health/index.ts";
import { fieldsAt, groupVersionOf, listAt, numberAt, stringAt, valueAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { GateContext } from "./gate-check.ts";

type Rule = (object: KubeObject, context: GateContext) => Health;

/** The six kinds for which KOTS has a status informer. Models kots pkg/appstate; every other kind is ready when it exists. */
const rules: Readonly<Record<string, Rule>> = {
  "apps/Deployment": deployment,
  "apps/StatefulSet": statefulSet,
  "apps/DaemonSet": daemonSet,
  "/Service": service,
  "networking.k8s.io/Ingress": ingress,
  "/PersistentVolumeClaim": claim,
};

export function kotsReady(object: KubeObject, context: GateContext): Health {
  const { group } = groupVersionOf(object.apiVersion);
  return rules[`${group}/${object.kind}`]?.(object, context) ?? ready;
}

function unobserved(object: KubeObject): Health | undefined {
  const generation = numberAt(object, "metadata.generation", 0);
  const seen = numberAt(object, "status.observedGeneration", 0) === generation;
  return seen ? undefined : progressingBecause(`generation ${generation} not yet observed`);
}

function enough(have: number, wanted: number, what: string): Health | undefined {
  return have >= wanted ? undefined : progressingBecause(`${have} of ${wanted} ${what} ready`);
}

function deployment(object: KubeObject): Health {
  const unavailable = numberAt(object, "status.unavailableReplicas", 0);
  const short = enough(numberAt(object, "status.readyReplicas", 0), numberAt(object, "spec.replicas", 1), "replicas");
  return unobserved(object) ?? (unavailable > 0 ? progressingBecause(`${unavailable} replicas unavailable`) : undefined) ?? short ?? ready;
}

function statefulSet(object: KubeObject, context: GateContext): Health {
  const short = enough(numberAt(object, "status.readyReplicas", 0), numberAt(object, "spec.replicas", 1), "replicas");
  return unobserved(object) ?? mixed(object, context) ?? short ?? ready;
}

function daemonSet(object: KubeObject, context: GateContext): Health {
  const count = (name: string) => numberAt(object, `status.${name}`, 0);
  const wanted = count("desiredNumberScheduled");
  if (count("numberUnavailable") > 0) return unobserved(object) ?? progressingBecause(`${count("numberUnavailable")} pods unavailable`);
  if (count("numberMisscheduled") > 0) return progressingBecause(`${count("numberMisscheduled")} pods run where they should not`);
  if (count("currentNumberScheduled") !== wanted)
    return progressingBecause(`${count("currentNumberScheduled")} of ${wanted} pods scheduled`);
  return unobserved(object) ?? mixed(object, context) ?? enough(count("numberReady"), wanted, "pods") ?? ready;
}

/** While pods of two revisions run, the workload is being updated. */
function mixed(object: KubeObject, context: GateContext): Health | undefined {
  const owned = context
    .pods(object)
    .filter(({ metadata }) =>
      (metadata.ownerReferences ?? []).some(({ kind, name }) => kind === object.kind && name === object.metadata.name),
    );
  const hashes = new Set(owned.map(({ metadata }) => metadata.labels?.["controller-revision-hash"]));
  if (hashes.has(undefined)) return progressingBecause("a pod has no revision yet");
  return hashes.size > 1 ? progressingBecause("pods of several revisions are running") : undefined;
}

function claim(object: KubeObject): Health {
  const phase = stringAt(object, "status.phase", "Pending");
  return phase === "Bound" ? ready : progressingBecause(`the claim is ${phase}`);
}

function service(object: KubeObject, context: GateContext): Health {
  const addressed = stringAt(object, "spec.type") !== "LoadBalancer" || hasAddress(object) || listLength(object, "spec.externalIPs") > 0;
  return endpoints(object, context) ?? (addressed ? ready : progressingBecause("no address assigned yet"));
}

/** By EndpointSlices, which say what KOTS reads from Endpoints: every port needs an address, and all must be ready. */
function endpoints(object: KubeObject, context: GateContext): Health | undefined {
  const slices = [...context.all("EndpointSlice")].filter(
    ({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === object.metadata.name,
  );
  for (const port of listAt(object, "spec.ports")) {
    const name = stringAt(port, "name", "");
    const behind = slices.filter((slice) => listAt(slice, "ports").some((each) => stringAt(each, "name", "") === name));
    const found = behind.flatMap((slice) => listAt(slice, "endpoints")).filter((each) => valueAt(each, "conditions.terminating") !== true);
    const label = name === "" ? "its port" : `port ${name}`;
    if (found.length === 0) return progressingBecause(`no endpoint behind ${label}`);
    const unready = found.filter((each) => valueAt(each, "conditions.ready") === false).length;
    if (unready > 0) return progressingBecause(`${unready} of ${found.length} endpoints behind ${label} not ready`);
  }
  return listLength(object, "spec.ports") === 0 && slices.length === 0 ? progressingBecause("no endpoint behind it") : undefined;
}

function ingress(object: KubeObject, context: GateContext): Health {
  const services = new Map([...context.all("Service")].map((each) => [each.metadata.name, each]));
  let balanced = false;
  for (const name of backendsOf(object)) {
    const backend = services.get(name);
    if (backend === undefined) return progressingBecause(`service/${name} does not exist`);
    const trouble = endpoints(backend, context);
    if (trouble?.state === "progressing") return progressingBecause(`service/${name}: ${trouble.because}`);
    balanced ||= stringAt(backend, "spec.type") === "LoadBalancer";
  }
  return !balanced || hasAddress(object) ? ready : progressingBecause("no address assigned yet");
}

function backendsOf(object: KubeObject): ReadonlySet<string> {
  const paths = listAt(object, "spec.rules").flatMap((rule) => listAt(rule, "http.paths"));
  const backends: readonly Fields[] = [fieldsAt(object, "spec.defaultBackend"), ...paths.map((path) => fieldsAt(path, "backend"))];
  return new Set(backends.flatMap((backend) => stringAt(backend, "service.name") ?? []));
}

function hasAddress(object: KubeObject): boolean {
  return listAt(object, "status.loadBalancer.ingress").some(
    (each) => stringAt(each, "ip", "") !== "" || stringAt(each, "hostname", "") !== "",
  );
}

function listLength(object: KubeObject, path: string): number {
  const found = valueAt(object, path);
  return Array.isArray(found) ? found.length : 0;
}
