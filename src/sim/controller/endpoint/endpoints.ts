import { booleanAt, equal, listAt, mapAt, type KubeObject } from "../../../object/index.ts";
import { isRefusal } from "../../refusal.ts";
import type { Pod } from "../../behaviour/index.ts";
import { itself, partsOf, type Controller, type MakeController, type World } from "../controller.ts";
import type { Change } from "../../store/index.ts";
import { belongs, hostnameOf, isHeadless, isReady, selectorOf, ServicePods, targetPort, type ServicePort } from "./service-pods.ts";
import { TriggerTimes, withTrigger } from "./trigger-time.ts";

const headless = "service.kubernetes.io/headless";
const managedBy = "endpoints.kubernetes.io/managed-by";
const overCapacity = "endpoints.kubernetes.io/over-capacity";
const writer = "kube-controller-manager";
const maxAddresses = 1000;

/** Keeps the Endpoints of Services that select pods. */
export const endpointsController: MakeController = (world) => new EndpointsController(world);

type Address = { readonly ip: string; readonly hostname?: string; readonly nodeName?: string; readonly targetRef: object };
type Subset = {
  readonly addresses?: readonly Address[];
  readonly notReadyAddresses?: readonly Address[];
  readonly ports?: readonly ServicePort[];
};

/** Models pkg/controller/endpoint/endpoints_controller.go */
class EndpointsController implements Controller {
  readonly name = "endpoint";
  readonly #world: World;
  readonly #pods: ServicePods;
  readonly #triggers = new TriggerTimes();

  constructor(world: World) {
    this.#world = world;
    this.#pods = new ServicePods(world.api);
  }

  readonly watches = {
    services: (change: Change) => this.#pods.noteService(change),
    pods: (change: Change) => this.#pods.notePod(change),
    endpoints: (change: Change) => (change.type === "DELETED" ? itself(change) : []),
  };

  reconcile(key: string): undefined {
    const { namespace, name } = partsOf(key);
    const service = this.#world.api.read("services", namespace, name);
    if (service === undefined) {
      this.#triggers.forget(key);
      const left = this.#world.api.read("endpoints", namespace, name);
      if (left?.metadata.labels?.[managedBy] === "endpoint-controller") this.#world.api.delete("endpoints", namespace, name);
      return;
    }
    if (Object.keys(selectorOf(service)).length === 0) return;
    const pods = this.#pods.podsOf(key);
    this.#write(service, subsetsOf(service, pods), this.#triggers.next(key, service, pods));
  }

  #write(service: KubeObject, subsets: readonly Subset[], trigger: string | undefined): void {
    const { namespace = "", name } = service.metadata;
    const live = this.#world.api.read("endpoints", namespace, name);
    const labels = { ...service.metadata.labels, ...(isHeadless(service) ? { [headless]: "" } : {}), [managedBy]: "endpoint-controller" };
    const cut = capped(subsets);
    if (live !== undefined && equal(live["subsets"] ?? [], cut) && equal(mapAt(live, "metadata.labels"), labels)) return;
    const { [overCapacity]: _before, ...kept } = withTrigger(live?.metadata.annotations, trigger);
    const annotations = cut === subsets ? kept : { ...kept, [overCapacity]: "truncated" };
    const metadata = { ...(live?.metadata ?? { name, namespace }), labels, annotations };
    const endpoints: KubeObject = { apiVersion: "v1", kind: "Endpoints", metadata, ...(cut.length === 0 ? {} : { subsets: cut }) };
    if (live === undefined) createIfWelcome(this.#world, "endpoints", endpoints, writer);
    else this.#world.api.update("endpoints", endpoints, writer);
  }
}

/** A namespace that is going away takes nothing new, and nobody waits for it. */
export function createIfWelcome({ api }: World, resource: string, object: KubeObject, manager: string): void {
  try {
    api.create(resource, object, manager);
  } catch (error) {
    if (!isRefusal(error, "Forbidden")) throw error;
  }
}

type Group = { readonly ports: ServicePort[]; readonly addresses: ReadonlyMap<Address, boolean> };

/** Addresses by the ports they have in common. Models pkg/api/v1/endpoints/util.go RepackSubsets */
function subsetsOf(service: KubeObject, pods: readonly Pod[]): readonly Subset[] {
  const notReadyToo = booleanAt(service, "spec.publishNotReadyAddresses");
  const ports = listAt(service, "spec.ports");
  if (ports.length === 0 && !isHeadless(service)) return [];
  const byPort = new Map<string, { port: ServicePort | undefined; addresses: Map<Address, boolean> }>();
  for (const pod of pods) {
    if (!belongs(pod, { terminating: notReadyToo })) continue;
    const address = addressOf(pod, service);
    const targets = ports.length === 0 ? [undefined] : ports.flatMap((port) => targetPort(pod, port) ?? []);
    for (const port of targets) {
      const id = JSON.stringify(port ?? null);
      const entry = byPort.get(id) ?? { port, addresses: new Map<Address, boolean>() };
      byPort.set(id, entry);
      entry.addresses.set(address, notReadyToo || isReady(pod));
    }
  }
  const groups = new Map<string, Group>();
  for (const { port, addresses } of byPort.values()) {
    const id = JSON.stringify([...addresses].map(([{ ip, targetRef }, ready]) => [ip, targetRef, ready]));
    const group = groups.get(id) ?? { ports: [], addresses };
    groups.set(id, group);
    if (port !== undefined) group.ports.push(port);
  }
  return [...groups.values()].map(subsetFrom);
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

/** Endpoints hold so many addresses and no more; those that are ready go first. Models truncateEndpoints */
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
