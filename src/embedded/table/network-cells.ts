import { listAt, numberAt, stringAt, stringsAt, valueAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { age, firstFew, labels, name, none, row, selector, text, unset, type PrintCell, type PrintCells } from "./cell.ts";

/** The addresses of a load balancer, sorted and each once. Tables always show all of them. */
function balancerText(object: KubeObject): string {
  const ingress = listAt(object, "status.loadBalancer.ingress");
  const found = ingress.map((item) => stringAt(item, "ip", "") || stringAt(item, "hostname", "")).filter((item) => item !== "");
  return [...new Set(found)].toSorted().join(",");
}

const externalIp: PrintCell = (service) => {
  const own = stringsAt(service, "spec.externalIPs").join(",");
  switch (stringAt(service, "spec.type")) {
    case "ClusterIP":
    case "NodePort":
      return own || none;
    case "LoadBalancer":
      return [balancerText(service), own].filter((part) => part !== "").join(",") || "<pending>";
    case "ExternalName":
      return stringAt(service, "spec.externalName", "");
    default:
      return "<unknown>";
  }
};

const servicePorts: PrintCell = (service) => listAt(service, "spec.ports").map(portText).join(",") || none;

function portText(port: Fields): string {
  const nodePort = numberAt(port, "nodePort", 0);
  return `${numberAt(port, "port", 0)}${nodePort > 0 ? `:${nodePort}` : ""}/${stringAt(port, "protocol", "")}`;
}

/** The first three hosts; a fourth rule, with a host or without, makes it say that there are more. */
const hosts: PrintCell = (ingress) => {
  const rules = listAt(ingress, "spec.rules");
  const found: string[] = [];
  let more = false;
  for (const rule of rules) {
    if (found.length === 3) more = true;
    const host = stringAt(rule, "host", "");
    if (!more && host !== "") found.push(host);
  }
  if (found.length === 0) return "*";
  return more ? `${found.join(",")} + ${rules.length - 3} more...` : found.join(",");
};

const parameters: PrintCell = (ingressClass) => {
  const reference = valueAt(ingressClass, "spec.parameters");
  if (reference === undefined) return none;
  const group = stringAt(reference, "apiGroup");
  return `${stringAt(reference, "kind", "")}${group === undefined ? "" : `.${group}`}/${stringAt(reference, "name", "")}`;
};

/** The addresses of Endpoints, once for each port. */
const endpoints: PrintCell = (object) => {
  const subsets = listAt(object, "subsets");
  if (subsets.length === 0) return none;
  const found = subsets.flatMap((subset) => {
    const addresses = listAt(subset, "addresses").map((address) => stringAt(address, "ip", ""));
    const ports = listAt(subset, "ports");
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((address) => hostPort(address, numberAt(port, "port", 0))));
  });
  return firstFew(found);
};

function hostPort(address: string, port: number): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

const slicePorts: PrintCell = (slice) =>
  firstFew(listAt(slice, "ports").map((port) => String(numberAt(port, "port") ?? stringAt(port, "name") ?? "*"))) || unset;

const sliceEndpoints: PrintCell = (slice) =>
  firstFew(listAt(slice, "endpoints").flatMap((endpoint) => stringsAt(endpoint, "addresses"))) || unset;

const parent: PrintCell = (address) => {
  const reference = valueAt(address, "spec.parentRef");
  if (reference === undefined) return none;
  const group = stringAt(reference, "group", "");
  const namespace = stringAt(reference, "namespace", "");
  const resource = `${stringAt(reference, "resource", "")}${group === "" ? "" : `.${group}`}`.toLowerCase();
  return `${resource}${namespace === "" ? "" : `/${namespace}`}/${stringAt(reference, "name", "")}`;
};

/** Models pkg/printers/internalversion/printers.go */
export const networkCells: Readonly<Record<string, PrintCells>> = {
  Service: row(
    name,
    text("spec.type"),
    (service) => stringsAt(service, "spec.clusterIPs")[0] ?? none,
    externalIp,
    servicePorts,
    age,
    labels("spec.selector"),
  ),
  Ingress: row(
    name,
    text("spec.ingressClassName", none),
    hosts,
    balancerText,
    (ingress) => (listAt(ingress, "spec.tls").length > 0 ? "80, 443" : "80"),
    age,
  ),
  IngressClass: row(name, text("spec.controller"), parameters, age),
  NetworkPolicy: row(name, selector("spec.podSelector"), age),
  Endpoints: row(name, endpoints, age),
  EndpointSlice: row(name, text("addressType"), slicePorts, sliceEndpoints, age),
  ServiceCIDR: row(name, (range) => stringsAt(range, "spec.cidrs").join(","), age),
  // The server has an age for it but no column for the age.
  IPAddress: row(name, parent, age),
};
