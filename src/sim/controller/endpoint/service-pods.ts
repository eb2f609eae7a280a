import { condition, fieldsAt, mapAt, stringAt, type KubeObject } from "../../../object/index.ts";
import { podOf, type Pod } from "../../behaviour/index.ts";
import type { Api } from "../../api/index.ts";
import type { Change } from "../../store/index.ts";
import { keyOf, partsOf } from "../controller.ts";

type Labels = Readonly<Record<string, string>>;

/** Knows which pods each Service selects, kept up change by change, so that a pod's change costs a look at its own labels. */
export class ServicePods {
  readonly #api: Api;
  readonly #selectors = new Map<string, Labels>();
  readonly #members = new Map<string, Set<string>>();
  /** Services by namespace and the first pair of their selector: a pod can only be theirs if it has that label. */
  readonly #byPair = new Map<string, Set<string>>();

  constructor(api: Api) {
    this.#api = api;
  }

  noteService({ type, object, previous }: Change): string[] {
    const key = keyOf(object);
    const selector = type === "DELETED" ? {} : selectorOf(object);
    if (type === "ADDED" || type === "DELETED" || !sameLabels(selector, selectorOf(previous))) this.#select(key, selector);
    return [key];
  }

  /** The Services that a pod's change concerns. */
  notePod({ type, object, previous }: Change): string[] {
    const key = keyOf(object);
    const before = previous === undefined ? [] : this.#selecting(previous);
    const after = type === "DELETED" ? [] : this.#selecting(object);
    for (const service of before) if (!after.includes(service)) this.#members.get(service)?.delete(key);
    for (const service of after) this.#members.get(service)?.add(key);
    if (type === "MODIFIED" && previous !== undefined && !matters(podOf(previous), podOf(object))) {
      return [...before.filter((service) => !after.includes(service)), ...after.filter((service) => !before.includes(service))];
    }
    return [...new Set([...before, ...after])];
  }

  /** The pods that a Service selects, by name. */
  podsOf(service: string): readonly Pod[] {
    return [...(this.#members.get(service) ?? [])].sort().flatMap((key) => {
      const { namespace, name } = partsOf(key);
      const pod = this.#api.read("pods", namespace, name);
      return pod === undefined ? [] : [podOf(pod)];
    });
  }

  #select(service: string, selector: Labels): void {
    const { namespace } = partsOf(service);
    const known = this.#selectors.get(service);
    if (known !== undefined) this.#byPair.get(pairOf(namespace, known))?.delete(service);
    this.#selectors.delete(service);
    this.#members.delete(service);
    if (Object.keys(selector).length === 0) return;
    this.#selectors.set(service, selector);
    const pair = pairOf(namespace, selector);
    this.#byPair.set(pair, (this.#byPair.get(pair) ?? new Set()).add(service));
    const pods = this.#api.list("pods", namespace).filter((pod) => selects(selector, pod.metadata.labels ?? {}));
    this.#members.set(service, new Set(pods.map(keyOf)));
  }

  #selecting({ metadata }: KubeObject): string[] {
    const { namespace = "", labels = {} } = metadata;
    const found: string[] = [];
    for (const label in labels) {
      for (const service of this.#byPair.get(`${namespace} ${label}=${labels[label]}`) ?? []) {
        if (selects(this.#selectors.get(service) ?? {}, labels)) found.push(service);
      }
    }
    return found;
  }
}

function pairOf(namespace: string, selector: Labels): string {
  const [label = "", value = ""] = Object.entries(selector)[0] ?? [];
  return `${namespace} ${label}=${value}`;
}

function selects(selector: Labels, labels: Labels): boolean {
  for (const label in selector) if (labels[label] !== selector[label]) return false;
  return true;
}

export function selectorOf(service: KubeObject | undefined): Labels {
  return service === undefined || stringAt(service, "spec.type") === "ExternalName" ? {} : mapAt(service, "spec.selector");
}

function sameLabels(a: Labels, b: Labels): boolean {
  return Object.keys(a).length === Object.keys(b).length && selects(a, b);
}

/** Models k8s.io/endpointslice util/controller_utils.go podEndpointsChanged */
function matters(before: Pod, after: Pod): boolean {
  return (
    before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
    before.status?.podIP !== after.status?.podIP ||
    before.status?.phase !== after.status?.phase ||
    isReady(before) !== isReady(after)
  );
}

export function isReady(pod: Pod): boolean {
  return condition(pod, "Ready")?.status === "True";
}

/** Models ShouldPodBeInEndpoints of the same file. */
export function belongs({ status, metadata }: Pod, { terminating }: { terminating: boolean }): boolean {
  if (status?.phase === "Succeeded" || status?.phase === "Failed" || status?.podIP === undefined) return false;
  return terminating || metadata.deletionTimestamp === undefined;
}

/** The name a pod has behind a headless Service. */
export function hostnameOf(pod: Pod, service: KubeObject): { hostname?: string } {
  const { hostname, subdomain } = fieldsAt(pod, "spec");
  const isNamed = typeof hostname === "string" && hostname !== "" && subdomain === service.metadata.name;
  return isNamed ? { hostname } : {};
}

export type ServicePort = { readonly name?: string; readonly port: number; readonly protocol: string; readonly appProtocol?: string };

/** The port that a Service's port leads to in a pod, if it has such. Models k8s.io/endpointslice utils.go FindPort */
export function targetPort(pod: Pod, port: Readonly<Record<string, unknown>>): ServicePort | undefined {
  const { targetPort: target, protocol = "TCP", appProtocol, name } = port;
  const number = typeof target === "number" ? target : namedPort(pod, String(target ?? port["port"]), String(protocol));
  if (number === undefined) return undefined;
  return {
    ...(typeof name === "string" ? { name } : {}),
    port: number,
    protocol: String(protocol),
    ...(typeof appProtocol === "string" ? { appProtocol } : {}),
  };
}

function namedPort(pod: Pod, name: string, protocol: string): number | undefined {
  if (/^\d+$/.test(name)) return Number(name);
  const sidecars = (pod.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  for (const container of [...pod.spec.containers, ...sidecars]) {
    for (const port of portsOf(container)) {
      if (port.name === name && (port.protocol ?? "TCP") === protocol) return port.containerPort;
    }
  }
  return undefined;
}

function portsOf(container: object): readonly { name?: string; protocol?: string; containerPort: number }[] {
  return "ports" in container && Array.isArray(container.ports) ? container.ports : [];
}

export function isHeadless(service: KubeObject): boolean {
  const clusterIP = stringAt(service, "spec.clusterIP", "");
  return clusterIP === "" || clusterIP === "None";
}
