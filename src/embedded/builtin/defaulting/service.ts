import { numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { changed, changedItems, filled, isUnset, withoutFields } from "../field-edits.ts";

const clientIpSeconds = 10_800;

function sessionAffinity(spec: Fields): Fields {
  if (spec["sessionAffinity"] === "None") return withoutFields(spec, "sessionAffinityConfig");
  if (spec["sessionAffinity"] !== "ClientIP" || numberAt(spec, "sessionAffinityConfig.clientIP.timeoutSeconds") !== undefined) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: clientIpSeconds } } };
}

function port(fields: Fields): Fields {
  const target = fields["targetPort"];
  const named = filled(fields, { protocol: "TCP" });
  return isUnset(target) || target === 0 || target === "" ? { ...named, targetPort: fields["port"] } : named;
}

/** Models pkg/api/v1/service/util.go ExternallyAccessible */
export function isExternallyAccessible(spec: unknown): boolean {
  const type = stringAt(spec, "type");
  const hasExternalIps = stringsAt(spec, "externalIPs").length > 0;
  return type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && hasExternalIps);
}

function policies(spec: Fields): Fields {
  const type = stringAt(spec, "type", "");
  // Old servers set a policy on ExternalName Services; it is dropped when read. Models storage.go
  // defaultOnReadInternalTrafficPolicy
  const inside = type === "ExternalName" ? withoutFields(spec, "internalTrafficPolicy") : spec;
  return filled(inside, {
    externalTrafficPolicy: isExternallyAccessible(spec) ? "Cluster" : undefined,
    internalTrafficPolicy: ["NodePort", "LoadBalancer", "ClusterIP"].includes(type) ? "Cluster" : undefined,
    allocateLoadBalancerNodePorts: type === "LoadBalancer" ? true : undefined,
  });
}

const withMode = (ingress: Fields): Fields => (isUnset(ingress["ip"]) ? ingress : filled(ingress, { ipMode: "VIP" }));

function ipModes(status: Fields): Fields {
  return changed(status, "loadBalancer", (balancer) => changedItems(balancer, "ingress", withMode));
}

/** Models pkg/apis/core/v1/defaults.go SetDefaults_Service; allocation is in ../allocate-service.ts. */
export function serviceDefaults(service: KubeObject): KubeObject {
  const result = changed(service, "spec", (spec) => {
    const typed = sessionAffinity(filled(spec, { sessionAffinity: "None", type: "ClusterIP" }));
    return policies(changedItems(typed, "ports", port));
  });
  return stringAt(result, "spec.type") === "LoadBalancer" ? changed(result, "status", ipModes) : result;
}
