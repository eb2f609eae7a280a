import { mapAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { asPod, type Pod, type PodCondition } from "../../behaviour/index.ts";
import type { ApiClient } from "../../apiserver/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf, splitKey } from "../controller.ts";

type Labels = Readonly<Record<string, string>>;

/** Indexes the pods that each Service selects, and updates the index by each event. */
export class ServicePodIndex {
  readonly #api: ApiClient;
  readonly #selectors = new Map<string, Labels>();
  readonly #members = new Map<string, Set<string>>();
  /** Services by namespace and the first label of their selector: only pods with that label can match. */
  readonly #byPair = new Map<string, Set<string>>();
  /** Pods by namespace and each of their labels. */
  readonly #podsByPair = new Map<string, Set<string>>();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  onServiceEvent({ type, object, previous }: StoreEvent): string[] {
    const key = namespacedKeyOf(object);
    const selector = type === "DELETED" ? {} : serviceSelectorOf(object);
    if (type === "ADDED" || type === "DELETED" || !sameLabels(selector, serviceSelectorOf(previous))) this.#select(key, selector);
    return [key];
  }

  /** Indexes a pod event; returns the Services that it enqueues. */
  onPodEvent({ type, object, previous }: StoreEvent): string[] {
    const key = namespacedKeyOf(object);
    if (type === "DELETED" || object.metadata.labels !== previous?.metadata.labels)
      this.#label(key, type === "DELETED" ? undefined : object, previous);
    const before = previous === undefined ? [] : this.#selecting(previous);
    const after = type === "DELETED" ? [] : this.#selecting(object);
    for (const service of before) if (!after.includes(service)) this.#members.get(service)?.delete(key);
    for (const service of after) this.#members.get(service)?.add(key);
    if (type === "MODIFIED" && previous !== undefined && !podEndpointsChanged(asPod(previous), asPod(object))) {
      return [...before.filter((service) => !after.includes(service)), ...after.filter((service) => !before.includes(service))];
    }
    return [...new Set([...before, ...after])];
  }

  /** The pods that a Service selects, by name. */
  podsOf(service: string): readonly Pod[] {
    return [...(this.#members.get(service) ?? [])].sort().flatMap((key) => {
      const { namespace, name } = splitKey(key);
      const pod = this.#api.read("pods", namespace, name);
      return pod === undefined ? [] : [asPod(pod)];
    });
  }

  #select(service: string, selector: Labels): void {
    const { namespace } = splitKey(service);
    const known = this.#selectors.get(service);
    if (known !== undefined) this.#byPair.get(pairOf(namespace, known))?.delete(service);
    this.#selectors.delete(service);
    this.#members.delete(service);
    if (Object.keys(selector).length === 0) return;
    this.#selectors.set(service, selector);
    const pair = pairOf(namespace, selector);
    this.#byPair.set(pair, (this.#byPair.get(pair) ?? new Set()).add(service));
    this.#members.set(service, new Set([...(this.#podsByPair.get(pair) ?? [])].filter((key) => selects(selector, this.#labelsOf(key)))));
  }

  #labelsOf(pod: string): Labels {
    const { namespace, name } = splitKey(pod);
    return this.#api.read("pods", namespace, name)?.metadata.labels ?? {};
  }

  #label(key: string, object: KubeObject | undefined, previous: KubeObject | undefined): void {
    for (const pair of pairsOf(previous)) {
      const pods = this.#podsByPair.get(pair);
      pods?.delete(key);
      if (pods?.size === 0) this.#podsByPair.delete(pair);
    }
    for (const pair of pairsOf(object)) {
      const pods = this.#podsByPair.get(pair);
      if (pods === undefined) this.#podsByPair.set(pair, new Set([key]));
      else pods.add(key);
    }
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

function pairsOf(pod: KubeObject | undefined): string[] {
  const { namespace = "", labels = {} } = pod?.metadata ?? {};
  return Object.entries(labels).map(([label, value]) => `${namespace} ${label}=${value}`);
}

function pairOf(namespace: string, selector: Labels): string {
  const [label = "", value = ""] = Object.entries(selector)[0] ?? [];
  return `${namespace} ${label}=${value}`;
}

function selects(selector: Labels, labels: Labels): boolean {
  for (const label in selector) if (labels[label] !== selector[label]) return false;
  return true;
}

export function serviceSelectorOf(service: KubeObject | undefined): Labels {
  return service === undefined || stringAt(service, "spec.type") === "ExternalName" ? {} : mapAt(service, "spec.selector");
}

function sameLabels(a: Labels, b: Labels): boolean {
  return Object.keys(a).length === Object.keys(b).length && selects(a, b);
}

/** Models k8s.io/endpointslice util/controller_utils.go podEndpointsChanged */
function podEndpointsChanged(before: Pod, after: Pod): boolean {
  return (
    before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
    before.status?.podIP !== after.status?.podIP ||
    before.status?.phase !== after.status?.phase ||
    isEndpointReady(before) !== isEndpointReady(after)
  );
}

export function readyCondition({ status }: Pod): PodCondition | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}

export function isEndpointReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Models ShouldPodBeInEndpoints of the same file. */
export function shouldPodBeInEndpoints({ status, metadata }: Pod, { terminating }: { terminating: boolean }): boolean {
  if (status?.phase === "Succeeded" || status?.phase === "Failed" || status?.podIP === undefined) return false;
  return terminating || metadata.deletionTimestamp === undefined;
}

/** The hostname of a pod behind a headless Service. */
export function hostnameOf(pod: Pod, service: KubeObject): { hostname?: string } {
  const { hostname, subdomain } = pod.spec;
  const isNamed = typeof hostname === "string" && hostname !== "" && subdomain === service.metadata.name;
  return isNamed ? { hostname } : {};
}

export type ServicePort = { readonly name?: string; readonly port: number; readonly protocol: string; readonly appProtocol?: string };

/** The target ports of a Service's ports in a pod, as far as the pod has them. Models k8s.io/endpointslice utils.go FindPort */
export function targetPorts(pod: Pod, ports: readonly Fields[]): readonly ServicePort[] {
  return ports.flatMap(({ name, port, targetPort = port, protocol = "TCP", appProtocol }) => {
    const number = typeof targetPort === "number" ? targetPort : namedPort(pod, String(targetPort), String(protocol));
    if (number === undefined) return [];
    return [
      {
        ...(typeof name === "string" ? { name } : {}),
        port: number,
        protocol: String(protocol),
        ...(typeof appProtocol === "string" ? { appProtocol } : {}),
      },
    ];
  });
}

/** A key of equal ports. */
export function idOfPorts(ports: readonly { readonly [field: string]: unknown }[]): string {
  let id = "";
  for (const { name = "", port, protocol, appProtocol = "" } of ports)
    id += `${String(name)} ${String(port)} ${String(protocol)} ${String(appProtocol)};`;
  return id;
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

export function isHeadlessService(service: KubeObject): boolean {
  const clusterIP = stringAt(service, "spec.clusterIP", "");
  return clusterIP === "" || clusterIP === "None";
}
