import { listAt, numberAt, stringAt } from "../../../core/object/index.ts";
import type { ContainerAt } from "./container.ts";

type PortAt = {
  readonly path: string;
  readonly name: string;
  readonly containerPort: number;
  readonly protocol: string;
  readonly hostPort: number;
  readonly hostIP: string;
};

/** What is odd about the ports of a Pod's containers. Models pkg/api/pod/warnings.go */
export function portWarnings(containers: readonly ContainerAt[]): readonly string[] {
  const ports = containers.flatMap(({ container, path }) =>
    listAt(container, "ports").map((port, index): PortAt => ({
      path: `${path}.ports[${index}]`,
      name: stringAt(port, "name", ""),
      containerPort: numberAt(port, "containerPort", 0),
      protocol: stringAt(port, "protocol", ""),
      hostPort: numberAt(port, "hostPort", 0),
      hostIP: stringAt(port, "hostIP", ""),
    })),
  );
  return [...overlapWarnings(ports), ...nameWarnings(ports)];
}

function overlapWarnings(ports: readonly PortAt[]): readonly string[] {
  const known = new Map<string, PortAt[]>();
  return ports.flatMap((port) => {
    const { path, name, hostPort, containerPort, protocol, hostIP } = port;
    const key = `${containerPort}/${protocol}`;
    const others = known.get(key) ?? [];
    const warnings = others.flatMap((other) => overlapOf(port, other));
    known.set(key, [...others, port]);
    if (hostIP === "" || hostPort !== 0) return warnings;
    // As Go prints the struct.
    const printed = `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
    return [`${path}: hostIP set without hostPort: ${printed}`, ...warnings];
  });
}

function overlapOf(port: PortAt, other: PortAt): readonly string[] {
  if (port.hostIP === other.hostIP && port.hostPort === other.hostPort)
    return [`${port.path}: duplicate port definition with ${other.path}`];
  if (port.hostPort === 0 || other.hostPort === 0) return [`${port.path}: overlapping port definition with ${other.path}`];
  const isOneUnset = (port.hostIP === "") !== (other.hostIP === "");
  return port.hostPort === other.hostPort && isOneUnset ? [`${port.path}: dangerously ambiguous port definition with ${other.path}`] : [];
}

function nameWarnings(ports: readonly PortAt[]): readonly string[] {
  const known = new Map<string, string>();
  return ports.flatMap(({ path, name }) => {
    if (name === "") return [];
    const first = known.get(name);
    if (first === undefined) {
      known.set(name, path);
      return [];
    }
    const quoted = JSON.stringify(name);
    return [`${path}: duplicate port name ${quoted} with ${first}, services and probes that select ports by name will use ${first}`];
  });
}
