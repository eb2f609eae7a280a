import { fieldsAt, listAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { changed, changedItems, isDeepEqual, withoutFields } from "../field-edits.ts";
import { isExternallyAccessible } from "../defaulting/service.ts";
import { keepStatus } from "./generation-and-status.ts";

// Models pkg/registry/core/service/strategy.go dropTypeDependentFields

const typeOf = (spec: Fields): string => stringAt(spec, "type", "");
export const needsClusterIp = (spec: Fields): boolean => typeOf(spec) !== "ExternalName";
export const needsNodePort = (spec: Fields): boolean => typeOf(spec) === "NodePort" || typeOf(spec) === "LoadBalancer";
export const needsHealthCheckPort = (spec: Fields): boolean => typeOf(spec) === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local";

const same = (spec: Fields, live: Fields, ...names: readonly string[]): boolean =>
  names.every((name) => isDeepEqual(spec[name], live[name]));

const nodePorts = (fields: Fields): readonly number[] =>
  listAt(fields, "ports")
    .map((port) => numberAt(port, "nodePort", 0))
    .toSorted();

function sameNodePorts(spec: Fields, live: Fields): boolean {
  return isDeepEqual(nodePorts(spec), nodePorts(live));
}

/** Drops the fields that the server set for the previous type, unless the update changes them too. */
function dropTypeDependentFields(spec: Fields, live: Fields): Fields {
  let result = spec;
  if (needsClusterIp(live) && !needsClusterIp(spec)) {
    if (same(spec, live, "clusterIP", "clusterIPs")) result = withoutFields(result, "clusterIP", "clusterIPs");
    for (const name of ["ipFamilies", "ipFamilyPolicy"]) if (same(spec, live, name)) result = withoutFields(result, name);
  }
  if (needsNodePort(live) && !needsNodePort(spec) && sameNodePorts(spec, live)) {
    result = changedItems(result, "ports", (port) => withoutFields(port, "nodePort"));
  }
  if (needsHealthCheckPort(live) && !needsHealthCheckPort(spec) && same(spec, live, "healthCheckNodePort"))
    result = withoutFields(result, "healthCheckNodePort");
  if (typeOf(live) === "LoadBalancer" && typeOf(spec) !== "LoadBalancer") {
    for (const name of ["allocateLoadBalancerNodePorts", "loadBalancerClass"])
      if (same(spec, live, name)) result = withoutFields(result, name);
  }
  const closed = isExternallyAccessible(live) && !isExternallyAccessible(spec);
  return closed && same(spec, live, "externalTrafficPolicy") ? withoutFields(result, "externalTrafficPolicy") : result;
}

export function prepareServiceForUpdate(service: KubeObject, live: KubeObject): KubeObject {
  const before = fieldsAt(live, "spec");
  const kept = changed(keepStatus(service, live), "spec", (spec) => dropTypeDependentFields(spec, before));
  return stringAt(kept, "spec.type") === "LoadBalancer" ? kept : changed(kept, "status", (status) => ({ ...status, loadBalancer: {} }));
}
