/**
 * Records the controller's requests from a Service to its NetworkPolicy and back. The same controller runs on an embedded
 * fleet that has half of the benchmark's Services already, which is the average.
 */
import type { Request } from "../src/core/exchange/index.ts";
import { gvkOf } from "../src/sveltos/api/index.ts";
import { isFields, stringAt, type KubeObject } from "../src/core/object/index.ts";
import { exampleManifests } from "../test/sveltos/test-fleet.ts";
import { EmbeddedFleet } from "../test/support/embedded-fleet.ts";
import { stopReplicas, ControllerReplica } from "../test/support/controller-replica.ts";
import { serviceNamed } from "./fleet-service.ts";

export type RecordedRequest = Pick<Request, "method" | "path" | "headers"> & { readonly cluster: "hub" | "managed"; readonly body: string };

export type EventsRecording = {
  /** Every request after the Service was created, and after it was deleted. */
  readonly creation: readonly RecordedRequest[];
  readonly deletion: readonly RecordedRequest[];
  /** The names that belong to one Service. */
  readonly names: readonly string[];
  /** The EventReport, or the part of it, that is written, before the Service is created. */
  readonly report: KubeObject;
};

export const clusterName = "c1";
const serviceName = "the-recorded-one";
export async function recordEvents(others: number): Promise<EventsRecording> {
  const fleet = await EmbeddedFleet.open({ clusters: { [clusterName]: { env: "fv" } } });
  let steps: RecordedRequest[] = [];
  const onRequest = (cluster: string, { method, path, headers, body = "" }: Request) =>
    void steps.push({ cluster: cluster === "hub" ? "hub" : "managed", method, path, headers, body: String(body) });
  const replica = new ControllerReplica(fleet, "recorded", { onRequest });
  const managed = fleet.managed(clusterName);
  try {
    for (const object of exampleManifests("network-policy/*.yaml"))
      await fleet.until(fleet.hub.apply(object, { manager: "user", force: true }));
    for (let index = 0; index < others; index++) await fleet.until(managed.create(serviceNamed(`other-${index}`)));
    await fleet.advance(10_000);
    const reports = await fleet.list(gvkOf("EventReport"));
    steps = [];
    await fleet.until(managed.create(serviceNamed(serviceName)));
    await fleet.advance(5000);
    const creation = steps;
    const { path: to } = criticalWrites(creation)[0]!;
    // The part of the report that the Service is put into.
    const report = reports.find(({ metadata }) => new URL(to, "https://x").pathname.endsWith(`/${metadata.name}`));
    if (report === undefined) throw new Error(`the first write is none of an existing EventReport: ${to}`);
    steps = [];
    await fleet.until(managed.delete({ group: "", version: "v1", kind: "Service", namespace: "default", name: serviceName }));
    await fleet.advance(5000);
    return { creation, deletion: steps, names: [serviceName, ...namesMadeIn(creation)], report };
  } finally {
    await stopReplicas(fleet, replica);
    await fleet.close();
  }
}

/** The generated names of a profile and its content. */
function namesMadeIn(steps: readonly RecordedRequest[]): readonly string[] {
  return steps.flatMap(({ method, path, body }) => {
    if (method !== "POST" || !/\/(clusterprofiles|configmaps)\?/.test(path)) return [];
    const object: unknown = JSON.parse(body);
    return isFields(object) ? [stringAt(object, "metadata.name", "")] : [];
  });
}

/** Statuses of users' objects, Leases and Events, which the NetworkPolicy does not wait for. */
const aside = /\/(eventsources|clusterprofiles|eventtriggers|eventbasedaddons)\/[^/]+\/status|\/leases|\/events/;

/** Whether a request writes. */
export function isWrite({ method, path }: RecordedRequest): boolean {
  return method !== "GET" && !path.includes("dryRun=");
}

/** The sequence of writes that the NetworkPolicy waits for, its own last. */
export function criticalWrites(steps: readonly RecordedRequest[]): readonly RecordedRequest[] {
  const writes = steps.filter((step) => isWrite(step) && !aside.test(step.path));
  const last = writes.findIndex(({ path: to }) => to.includes("/networkpolicies/"));
  if (last === -1) throw new Error("the controller has not written the NetworkPolicy");
  return writes.slice(0, last + 1);
}

/** A request in short form: `PUT eventreports/status`. */
export function requestTitle({ method, path: to }: RecordedRequest): string {
  const [plain = "", query = ""] = to.split("?");
  const parts = plain.split("/").slice(plain.startsWith("/api/") ? 3 : 4);
  const [resource, , subresource] = parts[0] === "namespaces" && parts.length > 2 ? parts.slice(2) : parts;
  const kind = [query.includes("watch=") ? " (watch)" : "", query.includes("dryRun=") ? " (dry run)" : ""].join("");
  return `${method} ${resource}${subresource === undefined ? "" : `/${subresource}`}${kind}`;
}
