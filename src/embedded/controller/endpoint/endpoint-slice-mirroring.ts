import { listAt, mapAt, stringAt, type Fields } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { enqueueObject, splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import {
  managedByLabel,
  reconcileSlices,
  serviceNameLabel,
  endpointSlices,
  type SliceEndpoint,
  type SliceGroup,
} from "./reconcile-slices.ts";
import { triggerAnnotation } from "./trigger-time-tracker.ts";

const controllerName = "endpointslicemirroring-controller.k8s.io";
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const leader = "control-plane.alpha.kubernetes.io/leader";

/**
 * Mirrors Endpoints that users wrote for a Service without a selector into EndpointSlices. Models
 * pkg/controller/endpointslicemirroring
 */
export const endpointSliceMirroring: ControllerConstructor = (context) => ({
  name: "endpointslicemirroring",
  watches: {
    endpoints: enqueueObject,
    services: enqueueObject,
    [endpointSlices]: ({ type, object }: StoreEvent) => {
      const { labels = {}, namespace = "" } = object.metadata;
      return type === "DELETED" && labels[managedByLabel] === controllerName ? [`${namespace}/${labels[serviceNameLabel] ?? ""}`] : [];
    },
  },
  reconcile: (key) => mirror(context, key),
});

function mirror(context: EmbeddedControllerContext, key: string): undefined {
  const { namespace, name } = splitKey(key);
  const endpoints = context.api.read("endpoints", namespace, name);
  if (endpoints === undefined) return;
  const service = context.api.read("services", namespace, name);
  const isHandWritten = service !== undefined && Object.keys(mapAt(service, "spec.selector")).length === 0;
  const { labels = {}, annotations = {}, uid = "" } = endpoints.metadata;
  const wanted = isHandWritten && labels["endpointslice.kubernetes.io/skip-mirror"] !== "true" && annotations[leader] === undefined;
  const own = context.api
    .ownedBy(uid)
    .filter(({ resource, object }) => resource === endpointSlices && object.metadata.labels?.[managedByLabel] === controllerName);
  const { [triggerAnnotation]: _trigger, [lastApplied]: _applied, ...kept } = annotations;
  const metadata = {
    namespace,
    generateName: `${name}-`,
    labels: { ...labels, [managedByLabel]: controllerName, [serviceNameLabel]: name },
    annotations: kept,
    ownerReferences: [{ apiVersion: "v1", kind: "Endpoints", name, uid, controller: true, blockOwnerDeletion: true }],
  };
  const groups = wanted ? listAt(endpoints, "subsets").flatMap(groupsOf) : [];
  const slices = own.map(({ object }) => object);
  reconcileSlices(context, slices, groups, { metadata, writer: "kube-controller-manager", placeholder: false });
}

function groupsOf(subset: Fields): readonly SliceGroup[] {
  const ports = listAt(subset, "ports").map(({ name = "", port, protocol = "TCP", appProtocol }) => {
    return { name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) };
  });
  const endpoints = [
    ...listAt(subset, "addresses").map((address) => endpointOf(address, true)),
    ...listAt(subset, "notReadyAddresses").map((address) => endpointOf(address, false)),
  ];
  return ["IPv4", "IPv6"].flatMap((addressType) => {
    const own = endpoints.filter(({ addresses }) => addresses[0]?.includes(":") === (addressType === "IPv6"));
    return own.length === 0 ? [] : [{ addressType, ports, endpoints: own }];
  });
}

function endpointOf(address: Fields, ready: boolean): SliceEndpoint {
  const { hostname, nodeName, targetRef } = address;
  return {
    addresses: [stringAt(address, "ip", "")],
    conditions: { ready },
    ...(typeof hostname === "string" && hostname !== "" ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}
