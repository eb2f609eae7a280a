import { booleanAt, listAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import type { EmbeddedControllerContext } from "../controller.ts";
import { shouldPodBeInEndpoints, hostnameOf, idOfPorts, isHeadlessService, isEndpointReady, targetPorts } from "./service-pod-index.ts";
import {
  managedByLabel,
  reconcileSlices,
  serviceNameLabel,
  endpointSlices,
  type SliceEndpoint,
  type SliceGroup,
} from "./reconcile-slices.ts";
import { withTrigger } from "./trigger-time-tracker.ts";

const headless = "service.kubernetes.io/headless";
export const controllerName = "endpointslice-controller.k8s.io";

/** Reconciles a Service's EndpointSlices with its pods. Models pkg/controller/endpointslice and k8s.io/endpointslice */
export function syncEndpointSlices(
  context: EmbeddedControllerContext,
  service: KubeObject,
  pods: readonly Pod[],
  trigger: string | undefined,
): void {
  const own = context.api.ownedBy(service.metadata.uid ?? "").filter(({ resource }) => resource === endpointSlices);
  const template = { metadata: metadataFor(service, trigger), writer: "kube-controller-manager", placeholder: true };
  const slices = own.map(({ object }) => object);
  reconcileSlices(context, slices, groupsOf(context, service, pods), template);
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
      ...(isHeadlessService(service) ? { [headless]: "" } : {}),
      [managedByLabel]: controllerName,
      [serviceNameLabel]: name,
    },
    annotations: withTrigger(undefined, trigger),
    ownerReferences: [{ apiVersion: "v1", kind: "Service", name, uid, controller: true, blockOwnerDeletion: true }],
  };
}

function groupsOf(context: EmbeddedControllerContext, service: KubeObject, pods: readonly Pod[]): readonly SliceGroup[] {
  const ports = listAt(service, "spec.ports");
  const groups = new Map<string, SliceGroup & { readonly endpoints: SliceEndpoint[] }>();
  for (const pod of pods) {
    if (!shouldPodBeInEndpoints(pod, { terminating: true })) continue;
    const found = targetPorts(pod, ports).map(({ name = "", ...rest }) => ({ name, ...rest }));
    for (const addressType of addressTypesOf(service)) {
      const addresses = (pod.status?.podIPs ?? []).map(({ ip }) => ip).filter((ip) => ip.includes(":") === (addressType === "IPv6"));
      if (addresses.length === 0) continue;
      const id = `${addressType} ${idOfPorts(found)}`;
      const group = groups.get(id) ?? { addressType, ports: found, endpoints: new Array<SliceEndpoint>() };
      groups.set(id, group);
      group.endpoints.push(endpointOf(context, service, pod, addresses));
    }
  }
  return [...groups.values()];
}

function addressTypesOf(service: KubeObject): readonly string[] {
  const families = stringsAt(service, "spec.ipFamilies");
  return families.length === 0 ? ["IPv4"] : families;
}

function endpointOf(context: EmbeddedControllerContext, service: KubeObject, pod: Pod, addresses: readonly string[]): SliceEndpoint {
  const { namespace, name, uid, deletionTimestamp } = pod.metadata;
  const serving = isEndpointReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const ready = booleanAt(service, "spec.publishNotReadyAddresses") || (serving && !terminating);
  const { nodeName } = pod.spec;
  const node = nodeName === undefined ? undefined : context.api.read("nodes", "", nodeName);
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
