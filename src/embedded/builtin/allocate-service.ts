import { fieldsAt, listAt, numberAt, stringAt, stringsAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { fieldInvalid, type FieldError } from "../field-error.ts";
import { isDeepEqual, withField, withoutFields } from "./field-edits.ts";
import { needsClusterIp, needsHealthCheckPort, needsNodePort } from "./prepare/service.ts";
import { validateAddressFamilies } from "./validation/service-address.ts";

/**
 * Allocates cluster IPs and node ports. Each method takes the requested value, if any, and returns the allocated one,
 * or why it cannot be allocated (`provided IP is already allocated`).
 */
export type ServiceAllocator = {
  clusterIp(requested?: string): string | { readonly problem: string };
  nodePort(requested?: number): number | { readonly problem: string };
};

type ServiceAllocation = { readonly service: KubeObject; readonly errors: readonly FieldError[] };

/**
 * Allocates what a Service needs before it is prepared and validated: cluster IPs, IP families, node ports. Only IPv4
 * is configured here. Models pkg/registry/core/service/storage/storage.go beginCreate, beginUpdate and alloc.go
 */
export function allocateService(service: KubeObject, live: KubeObject | undefined, allocator: ServiceAllocator): ServiceAllocation {
  const before = live === undefined ? undefined : fieldsAt(live, "spec");
  const asked = fieldsAt(service, "spec");
  const known = before === undefined ? asked : normalized(withAllocated(asked, before), before);
  const plural = before === undefined ? withPluralIp(known) : known;
  const unfit = validateAddressFamilies(plural, before ?? {});
  const senseless = unfit.length > 0 ? unfit : [...dualStack(plural, before), ...foreignFamilies(plural)];
  if (senseless.length > 0) return { service, errors: senseless };
  const errors: FieldError[] = [];
  const steps = [
    withFamilies(before),
    withClusterIp(allocator, errors),
    withNodePorts(before, allocator, errors),
    withHealthCheckPort(allocator, errors),
  ];
  const spec = steps.reduce((fields, step) => step(fields), plural);
  return { service: spec === asked ? service : { ...service, spec }, errors };
}

function withPluralIp(spec: Fields): Fields {
  const one = stringAt(spec, "clusterIP");
  return one !== undefined && stringsAt(spec, "clusterIPs").length === 0 ? { ...spec, clusterIPs: [one] } : spec;
}

/** An update that leaves out allocated values keeps them. */
function withAllocated(spec: Fields, live: Fields): Fields {
  let result = spec;
  if (needsClusterIp(live) && needsClusterIp(spec)) {
    if (stringAt(spec, "clusterIP", "") === "") result = withField(result, "clusterIP", live["clusterIP"]);
    if (stringsAt(spec, "clusterIPs").length === 0) result = withField(result, "clusterIPs", live["clusterIPs"]);
  }
  if (needsNodePort(live) && needsNodePort(spec)) result = withKnownPorts(result, live);
  const checks = needsHealthCheckPort(live) && needsHealthCheckPort(spec) && numberAt(spec, "healthCheckNodePort", 0) === 0;
  return checks ? withField(result, "healthCheckNodePort", live["healthCheckNodePort"]) : result;
}

const nodePortOf = (port: Fields): number => numberAt(port, "nodePort", 0);

function withKnownPorts(spec: Fields, live: Fields): Fields {
  const asked = new Set(listAt(spec, "ports").map(nodePortOf));
  const byName = new Map(listAt(live, "ports").map((port) => [stringAt(port, "name", ""), nodePortOf(port)]));
  return withPorts(spec, (port) => {
    const known = byName.get(stringAt(port, "name", "")) ?? 0;
    return nodePortOf(port) !== 0 || known === 0 || asked.has(known) ? port : { ...port, nodePort: known };
  });
}

function withPorts(spec: Fields, change: (port: Fields, index: number) => Fields): Fields {
  const ports = listAt(spec, "ports");
  const results = ports.map(change);
  return results.every((port, index) => port === ports[index]) ? spec : { ...spec, ports: results };
}

/** clusterIP and clusterIPs follow each other when an update changes only one of them. */
function normalized(spec: Fields, live: Fields): Fields {
  if (spec["clusterIP"] === live["clusterIP"] || !isDeepEqual(spec["clusterIPs"], live["clusterIPs"])) return spec;
  const ip = stringAt(spec, "clusterIP", "");
  return ip === "" ? withoutFields(spec, "clusterIPs") : { ...spec, clusterIPs: [ip] };
}

const isHeadless = (spec: Fields): boolean => spec["clusterIP"] === "None";
const selectsNothing = (spec: Fields): boolean => Object.keys(fieldsAt(spec, "selector")).length === 0;

/** A headless Service without selector has both families in every cluster. One that gets a selector has not. */
function dualStack(spec: Fields, live: Fields | undefined): readonly FieldError[] {
  if (!needsClusterIp(spec) || (isHeadless(spec) && selectsNothing(spec))) return [];
  const policy = stringAt(spec, "ipFamilyPolicy") ?? stringAt(live, "ipFamilyPolicy");
  return policy === "RequireDualStack"
    ? [fieldInvalid("spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services")]
    : [];
}

function foreignFamilies(spec: Fields): readonly FieldError[] {
  if (!needsClusterIp(spec) || (isHeadless(spec) && selectsNothing(spec))) return [];
  return stringsAt(spec, "ipFamilies").flatMap((family, index) =>
    family === "IPv6" ? [fieldInvalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")] : [],
  );
}

function withFamilies(live: Fields | undefined): (spec: Fields) => Fields {
  return (spec) => {
    if (!needsClusterIp(spec)) return spec;
    const bare = isHeadless(spec) && selectsNothing(spec);
    const policy = stringAt(spec, "ipFamilyPolicy") ?? stringAt(live, "ipFamilyPolicy") ?? (bare ? "RequireDualStack" : "SingleStack");
    const asked = stringsAt(spec, "ipFamilies");
    const families = asked.length > 0 ? asked : ["IPv4"];
    const both = bare && families.length < 2 && policy !== "SingleStack";
    const ipFamilies = both ? [...families, families[0] === "IPv4" ? "IPv6" : "IPv4"] : families;
    return withField(
      withField(spec, "ipFamilyPolicy", policy),
      "ipFamilies",
      isDeepEqual(ipFamilies, spec["ipFamilies"]) ? spec["ipFamilies"] : ipFamilies,
    );
  };
}

function withClusterIp(allocator: ServiceAllocator, errors: FieldError[]): (spec: Fields) => Fields {
  return (spec) => {
    if (!needsClusterIp(spec) || isHeadless(spec)) return spec;
    const requested = stringAt(spec, "clusterIP", "");
    const ip = allocator.clusterIp(requested === "" ? undefined : requested);
    if (typeof ip === "string") return requested === ip ? spec : { ...spec, clusterIP: ip, clusterIPs: [ip] };
    errors.push(fieldInvalid("spec.clusterIPs", stringsAt(spec, "clusterIPs"), `failed to allocate IP ${requested}: ${ip.problem}`));
    return spec;
  };
}

function withNodePorts(live: Fields | undefined, allocator: ServiceAllocator, errors: FieldError[]): (spec: Fields) => Fields {
  return (spec) => {
    if (!needsNodePort(spec)) return spec;
    const mayAllocate = spec["type"] === "NodePort" || spec["allocateLoadBalancerNodePorts"] !== false;
    const held = new Set(listAt(live, "ports").map(nodePortOf));
    const byPort = new Map<number, number>();
    return withPorts(spec, (port, index) => {
      const number = numberAt(port, "port", 0);
      const asked = nodePortOf(port) || byPort.get(number) || requestedFor(spec, number);
      if ((asked === 0 && !mayAllocate) || (asked !== 0 && (held.has(asked) || byPort.get(number) === asked))) {
        return asked === nodePortOf(port) ? port : { ...port, nodePort: asked };
      }
      const taken = allocator.nodePort(asked === 0 ? undefined : asked);
      if (typeof taken !== "number") {
        errors.push(fieldInvalid(`spec.ports[${index}].nodePort`, asked, taken.problem));
        return port;
      }
      byPort.set(number, taken);
      return nodePortOf(port) === taken ? port : { ...port, nodePort: taken };
    });
  };
}

function requestedFor(spec: Fields, number: number): number {
  return (
    listAt(spec, "ports")
      .filter((port) => numberAt(port, "port", 0) === number)
      .map(nodePortOf)
      .find((port) => port !== 0) ?? 0
  );
}

function withHealthCheckPort(allocator: ServiceAllocator, errors: FieldError[]): (spec: Fields) => Fields {
  return (spec) => {
    if (!needsHealthCheckPort(spec) || numberAt(spec, "healthCheckNodePort", 0) !== 0) return spec;
    const port = allocator.nodePort();
    if (typeof port === "number") return { ...spec, healthCheckNodePort: port };
    errors.push(fieldInvalid("spec.healthCheckNodePort", 0, port.problem));
    return spec;
  };
}
