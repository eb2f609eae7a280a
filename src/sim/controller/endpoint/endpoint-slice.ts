import { booleanAt, listAt, stringsAt, type KubeObject } from "../../../object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import type { Change } from "../../store/index.ts";
import { partsOf, type Controller, type MakeController, type World } from "../controller.ts";
import { belongs, hostnameOf, isHeadless, isReady, selectorOf, ServicePods, targetPort } from "./service-pods.ts";
import { managedByLabel, reconcileSlices, serviceNameLabel, slicesResource, type Endpoint, type SliceGroup } from "./slices.ts";
import { TriggerTimes, withTrigger } from "./trigger-time.ts";

const headless = "service.kubernetes.io/headless";
const controllerName = "endpointslice-controller.k8s.io";

/** Keeps the EndpointSlices of Services that select pods. */
export const endpointSliceController: MakeController = (world) => new EndpointSliceController(world);

/** Models pkg/controller/endpointslice and k8s.io/endpointslice */
class EndpointSliceController implements Controller {
  readonly name = "endpointslice";
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
    [slicesResource]: ({ type, object }: Change) => {
      const { labels = {}, namespace = "" } = object.metadata;
      return type === "DELETED" && labels[managedByLabel] === controllerName ? [`${namespace}/${labels[serviceNameLabel] ?? ""}`] : [];
    },
  };

  reconcile(key: string): undefined {
    const { namespace, name } = partsOf(key);
    const { api } = this.#world;
    const service = api.read("services", namespace, name);
    if (service === undefined) return void this.#triggers.forget(key);
    if (Object.keys(selectorOf(service)).length === 0 || service.metadata.deletionTimestamp !== undefined) return;
    const pods = this.#pods.podsOf(key);
    const own = api.ownedBy(service.metadata.uid ?? "").filter(({ resource }) => resource === slicesResource);
    const trigger = this.#triggers.next(key, service, pods);
    reconcileSlices(
      this.#world,
      own.map(({ object }) => object),
      groupsOf(this.#world, service, pods),
      { metadata: metadataFor(service, trigger), writer: "kube-controller-manager", placeholder: true },
    );
  }
}

function metadataFor(service: KubeObject, trigger: string | undefined): Omit<KubeObject["metadata"], "name"> {
  const { namespace = "", name, uid = "", labels = {} } = service.metadata;
  const reserved = new Set([serviceNameLabel, managedByLabel, headless]);
  const inherited = Object.fromEntries(Object.entries(labels).filter(([label]) => !reserved.has(label)));
  return {
    namespace,
    generateName: `${name}-`,
    labels: {
      ...inherited,
      ...(isHeadless(service) ? { [headless]: "" } : {}),
      [managedByLabel]: controllerName,
      [serviceNameLabel]: name,
    },
    annotations: withTrigger(undefined, trigger),
    ownerReferences: [{ apiVersion: "v1", kind: "Service", name, uid, controller: true, blockOwnerDeletion: true }],
  };
}

function groupsOf(world: World, service: KubeObject, pods: readonly Pod[]): readonly SliceGroup[] {
  const ports = listAt(service, "spec.ports");
  const groups = new Map<string, SliceGroup & { readonly endpoints: Endpoint[] }>();
  for (const pod of pods) {
    if (!belongs(pod, { terminating: true })) continue;
    const found = ports.flatMap((port) => targetPort(pod, port) ?? []).map(({ name = "", ...rest }) => ({ name, ...rest }));
    for (const addressType of addressTypesOf(service)) {
      const addresses = (pod.status?.podIPs ?? []).map(({ ip }) => ip).filter((ip) => ip.includes(":") === (addressType === "IPv6"));
      if (addresses.length === 0) continue;
      const id = JSON.stringify([addressType, found]);
      const group = groups.get(id) ?? { addressType, ports: found, endpoints: new Array<Endpoint>() };
      groups.set(id, group);
      group.endpoints.push(endpointOf(world, service, pod, addresses));
    }
  }
  return [...groups.values()];
}

function addressTypesOf(service: KubeObject): readonly string[] {
  const families = stringsAt(service, "spec.ipFamilies");
  return families.length === 0 ? ["IPv4"] : families;
}

function endpointOf(world: World, service: KubeObject, pod: Pod, addresses: readonly string[]): Endpoint {
  const { namespace, name, uid, deletionTimestamp } = pod.metadata;
  const serving = isReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const ready = booleanAt(service, "spec.publishNotReadyAddresses") || (serving && !terminating);
  const { nodeName } = pod.spec;
  const node = nodeName === undefined ? undefined : world.api.read("nodes", "", nodeName);
  const zone = node?.metadata.labels?.["topology.kubernetes.io/zone"];
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...hostnameOf(pod, service),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid },
    ...(zone === undefined ? {} : { zone }),
  };
}
