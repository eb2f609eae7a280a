import { booleanAt, equal, listAt, mapAt, type KubeObject } from "../../../core/object/index.ts";
import { isStatusError } from "../../status-error.ts";
import type { Pod } from "../../behaviour/index.ts";
import type { EmbeddedControllerContext } from "../controller.ts";
import {
  shouldPodBeInEndpoints,
  hostnameOf,
  idOfPorts,
  isHeadlessService,
  isEndpointReady,
  targetPorts,
  type ServicePort,
} from "./service-pod-index.ts";
import { withTrigger } from "./trigger-time-tracker.ts";

const headless = "service.kubernetes.io/headless";
const managedBy = "endpoints.kubernetes.io/managed-by";
const overCapacity = "endpoints.kubernetes.io/over-capacity";
const writer = "kube-controller-manager";
const maxAddresses = 1000;

type Address = { readonly ip: string; readonly hostname?: string; readonly nodeName?: string; readonly targetRef: object };
type Subset = {
  readonly addresses?: readonly Address[];
  readonly notReadyAddresses?: readonly Address[];
  readonly ports?: readonly ServicePort[];
};

/** Deletes the Endpoints of a deleted Service, unless a user wrote them. */
export function deleteEndpoints(context: EmbeddedControllerContext, namespace: string, name: string): void {
  const left = context.api.read("endpoints", namespace, name);
  if (left?.metadata.labels?.[managedBy] === "endpoint-controller") context.api.delete("endpoints", namespace, name);
}

/** Reconciles a Service's Endpoints with its pods. Models pkg/controller/endpoint/endpoints_controller.go syncService */
export function syncEndpoints(
  context: EmbeddedControllerContext,
  service: KubeObject,
  pods: readonly Pod[],
  trigger: string | undefined,
): void {
  const subsets = subsetsOf(service, pods);
  const { namespace = "", name } = service.metadata;
  const live = context.api.read("endpoints", namespace, name);
  const labels = {
    ...service.metadata.labels,
    ...(isHeadlessService(service) ? { [headless]: "" } : {}),
    [managedBy]: "endpoint-controller",
  };
  const cut = capped(subsets);
  if (live !== undefined && equal(live["subsets"] ?? [], cut) && equal(mapAt(live, "metadata.labels"), labels)) return;
  const { [overCapacity]: _before, ...kept } = withTrigger(live?.metadata.annotations, trigger);
  const annotations = cut === subsets ? kept : { ...kept, [overCapacity]: "truncated" };
  const metadata = { ...(live?.metadata ?? { name, namespace }), labels, annotations };
  const endpoints: KubeObject = { apiVersion: "v1", kind: "Endpoints", metadata, ...(cut.length === 0 ? {} : { subsets: cut }) };
  if (live === undefined) createUnlessTerminating(context, "endpoints", endpoints, writer);
  else context.api.update("endpoints", endpoints, writer);
}

/** Creates an object, and ignores the error of a terminating namespace. */
export function createUnlessTerminating({ api }: EmbeddedControllerContext, resource: string, object: KubeObject, manager: string): void {
  try {
    api.create(resource, object, manager);
  } catch (error) {
    if (!isStatusError(error, "Forbidden")) throw error;
  }
}

type Group = { readonly ports: readonly ServicePort[]; readonly addresses: ReadonlyMap<Address, boolean> };

/** Addresses by the ports they have in common. Models pkg/api/v1/endpoints/util.go RepackSubsets */
function subsetsOf(service: KubeObject, pods: readonly Pod[]): readonly Subset[] {
  const notReadyToo = booleanAt(service, "spec.publishNotReadyAddresses");
  const ports = listAt(service, "spec.ports");
  if (ports.length === 0 && !isHeadlessService(service)) return [];
  const groups = new Map<string, Group & { readonly addresses: Map<Address, boolean> }>();
  for (const pod of pods) {
    if (!shouldPodBeInEndpoints(pod, { terminating: notReadyToo })) continue;
    const targets = targetPorts(pod, ports);
    if (ports.length > 0 && targets.length === 0) continue;
    const id = idOfPorts(targets);
    const group = groups.get(id) ?? { ports: targets, addresses: new Map<Address, boolean>() };
    groups.set(id, group);
    group.addresses.set(addressOf(pod, service), notReadyToo || isEndpointReady(pod));
  }
  const all = [...groups.values()];
  return (all.length < 2 ? all : repacked(all)).map(subsetFrom);
}

/** Where pods differ in their ports, each port gets all its addresses, and ports with equal addresses share a subset. */
function repacked(groups: readonly Group[]): readonly Group[] {
  const byPort = new Map<string, { readonly port: ServicePort; readonly of: number[] }>();
  for (const [index, { ports }] of groups.entries()) {
    for (const port of ports) {
      const entry = byPort.get(idOfPorts([port])) ?? { port, of: [] };
      byPort.set(idOfPorts([port]), entry);
      entry.of.push(index);
    }
  }
  const byAddresses = new Map<string, { readonly ports: ServicePort[]; readonly of: readonly number[] }>();
  for (const { port, of } of byPort.values()) {
    const entry = byAddresses.get(of.join()) ?? { ports: [], of };
    byAddresses.set(of.join(), entry);
    entry.ports.push(port);
  }
  return [...byAddresses.values()].map(({ ports, of }) => ({
    ports,
    addresses: new Map(of.flatMap((index) => [...groups[index]!.addresses])),
  }));
}

function subsetFrom({ ports, addresses }: Group): Subset {
  const of = (isWanted: boolean) =>
    [...addresses]
      .filter(([, ready]) => ready === isWanted)
      .map(([address]) => address)
      .sort((a, b) => (a.ip < b.ip ? -1 : 1));
  const ready = of(true);
  const notReady = of(false);
  return {
    ...(ready.length === 0 ? {} : { addresses: ready }),
    ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
    ...(ports.length === 0 ? {} : { ports: ports.map(withoutEmptyName) }),
  };
}

function withoutEmptyName({ name, ...rest }: ServicePort): ServicePort {
  return name === undefined || name === "" ? rest : { name, ...rest };
}

function addressOf(pod: Pod, service: KubeObject): Address {
  const { namespace, name, uid } = pod.metadata;
  return {
    ip: pod.status?.podIP ?? "",
    ...hostnameOf(pod, service),
    ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

/** Truncates Endpoints to the maximum number of addresses, ready ones first. Models truncateEndpoints */
function capped(subsets: readonly Subset[]): readonly Subset[] {
  const size = ({ addresses = [], notReadyAddresses = [] }: Subset) => addresses.length + notReadyAddresses.length;
  if (subsets.reduce((sum, subset) => sum + size(subset), 0) <= maxAddresses) return subsets;
  let room = maxAddresses;
  return subsets.map(({ addresses = [], notReadyAddresses = [], ...rest }) => {
    const ready = addresses.slice(0, room);
    room -= ready.length;
    const notReady = notReadyAddresses.slice(0, room);
    room -= notReady.length;
    return { ...rest, ...(ready.length > 0 ? { addresses: ready } : {}), ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}) };
  });
}
