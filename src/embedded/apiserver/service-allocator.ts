import { listAt, numberAt, stringsAt, type KubeObject } from "../../core/object/index.ts";
import type { ServiceAllocator } from "../builtin/index.ts";
import type { ApiClient } from "./api-client.ts";

const lowestPort = 30_000;
const ports = 2768;
/** 10.0.0.0/16, without the addresses reserved for the API server. */
const firstAddress = 256;
const addresses = 65_000;

/** Allocates cluster IPs and node ports that no other Service has. The Services themselves are the only record of allocations. */
export function serviceAllocatorFor(api: Pick<ApiClient, "list">, random: () => number, own: KubeObject | undefined): ServiceAllocator {
  const services = () => api.list("services").filter((service) => service !== own);
  return {
    clusterIp(requested) {
      const taken = new Set(services().flatMap((service) => stringsAt(service, "spec.clusterIPs")));
      if (requested === undefined)
        return free(random, addresses, (at) => `10.0.${(firstAddress + at) >> 8}.${(firstAddress + at) & 255}`, taken);
      if (!requested.startsWith("10.0.")) return { problem: "the provided network does not match the current range" };
      return taken.has(requested) ? { problem: "provided IP is already allocated" } : requested;
    },
    nodePort(requested) {
      const taken = new Set(services().flatMap((service) => listAt(service, "spec.ports").map((port) => numberAt(port, "nodePort", 0))));
      if (requested === undefined) return free(random, ports, (at) => lowestPort + at, taken);
      if (requested < lowestPort || requested >= lowestPort + ports)
        return { problem: "provided port is not in the valid range. The range of valid ports is 30000-32767" };
      return taken.has(requested) ? { problem: "provided port is already allocated" } : requested;
    },
  };
}

/** The first free value after a random start. */
function free<T>(random: () => number, count: number, at: (index: number) => T, taken: ReadonlySet<T>): T | { problem: string } {
  const start = Math.floor(random() * count);
  for (let step = 0; step < count; step++) {
    const candidate = at((start + step) % count);
    if (!taken.has(candidate)) return candidate;
  }
  return { problem: "range is full" };
}
