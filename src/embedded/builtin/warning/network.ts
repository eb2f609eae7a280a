import { fieldsAt, listAt, mapAt, stringAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import { cidrWarnings, ipWarnings } from "./address.ts";

function when(condition: boolean, warning: string): readonly string[] {
  return condition ? [warning] : [];
}

/** Models pkg/api/service/warnings.go */
export function serviceWarnings(service: KubeObject): readonly string[] {
  const spec = fieldsAt(service, "spec");
  const text = (field: string) => stringAt(spec, field, "");
  const externalIPs = stringsAt(spec, "externalIPs");
  const type = text("type");
  const hasClusterIP = type !== "ExternalName" && text("clusterIP") !== "" && text("clusterIP") !== "None";
  const isHeadless = type === "ClusterIP" && text("clusterIP") === "None";
  const hints = "service.kubernetes.io/topology-aware-hints";
  return [
    ...when(
      hints in (service.metadata.annotations ?? {}),
      `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    ),
    ...(hasClusterIP ? stringsAt(spec, "clusterIPs").flatMap((ip, index) => ipWarnings(`spec.clusterIPs[${index}]`, ip)) : []),
    ...when(isHeadless && text("loadBalancerIP") !== "", "spec.loadBalancerIP is ignored for headless services"),
    ...when(isHeadless && externalIPs.length > 0, "spec.externalIPs is ignored for headless services"),
    ...when(isHeadless && text("sessionAffinity") !== "None", "spec.SessionAffinity is ignored for headless services"),
    ...externalIPs.flatMap((ip, index) => ipWarnings(`spec.externalIPs[${index}]`, ip)),
    ...ipWarnings("spec.loadBalancerIP", text("loadBalancerIP")),
    ...stringsAt(spec, "loadBalancerSourceRanges").flatMap((block, index) =>
      cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, block),
    ),
    ...when(type === "ExternalName" && externalIPs.length > 0, 'spec.externalIPs is ignored when spec.type is "ExternalName"'),
    ...when(type !== "ExternalName" && text("externalName") !== "", 'spec.externalName is ignored when spec.type is not "ExternalName"'),
    ...when(text("trafficDistribution") === "PreferClose", 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'),
  ];
}

/** The addresses that a load balancer gave a Service or an Ingress. */
export function loadBalancerWarnings(object: KubeObject): readonly string[] {
  return listAt(object, "status.loadBalancer.ingress").flatMap((ingress, index) =>
    ipWarnings(`status.loadBalancer.ingress[${index}]`, stringAt(ingress, "ip", "")),
  );
}

const ingressClass = "kubernetes.io/ingress.class";

/** Models pkg/registry/networking/ingress/strategy.go */
export function ingressWarnings(ingress: KubeObject): readonly string[] {
  const isAnnotated = ingressClass in (ingress.metadata.annotations ?? {});
  if (!isAnnotated || stringAt(ingress, "spec.ingressClassName") !== undefined) return [];
  return [`annotation "${ingressClass}" is deprecated, please use 'spec.ingressClassName' instead`];
}

/** Models pkg/registry/networking/networkpolicy/strategy.go */
export function networkPolicyWarnings(policy: KubeObject): readonly string[] {
  return [
    ["ingress", "from"],
    ["egress", "to"],
  ].flatMap(([rules = "", peers = ""]) =>
    listAt(policy, `spec.${rules}`).flatMap((rule, index) =>
      listAt(rule, peers).flatMap((peer, at) => {
        const path = `spec.${rules}[${index}].${peers}[${at}].ipBlock`;
        return [
          ...cidrWarnings(`${path}.cidr`, stringAt(peer, "ipBlock.cidr", "")),
          ...stringsAt(peer, "ipBlock.except").flatMap((block, which) => cidrWarnings(`${path}.except[${which}]`, block)),
        ];
      }),
    ),
  );
}

/** Models pkg/registry/core/endpoint/strategy.go */
export function endpointsWarnings(endpoints: KubeObject): readonly string[] {
  if (mapAt(endpoints, "metadata.labels")["endpoints.kubernetes.io/managed-by"] === "endpoint-controller") return [];
  return listAt(endpoints, "subsets").flatMap((subset, index) =>
    ["addresses", "notReadyAddresses"].flatMap((list) =>
      listAt(subset, list).flatMap((address, at) => ipWarnings(`subsets[${index}].${list}[${at}].ip`, stringAt(address, "ip", ""))),
    ),
  );
}

const sliceControllers = new Set(["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"]);

/** Models pkg/registry/discovery/endpointslice/strategy.go */
export function endpointSliceWarnings(slice: KubeObject): readonly string[] {
  if (sliceControllers.has(mapAt(slice, "metadata.labels")["endpointslice.kubernetes.io/managed-by"] ?? "")) return [];
  return listAt(slice, "endpoints").flatMap((endpoint, index) =>
    stringsAt(endpoint, "addresses").flatMap((address, at) => ipWarnings(`endpoints[${index}].addresses[${at}]`, address)),
  );
}

export function addressTypeWarnings(slice: KubeObject): readonly string[] {
  return stringAt(slice, "addressType") === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [];
}
