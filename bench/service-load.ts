import type { Cluster } from "../src/kube/index.ts";
import { ObjectTimes } from "./object-times.ts";
import { serviceNamed } from "./fleet-service.ts";

/** How long a round may take after the last Service of it. */
const timeoutMs = 120_000;

const service = { group: "", version: "v1", kind: "Service" };
const networkPolicy = { group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy" };

/** How many Services come before those that are timed. */
export const warmUps = 30;

/** Called for each Service that is created or deleted; resolves when nothing is left to do. */
export type EventClient = { created(name: string): Promise<void>; deleted(name: string): Promise<void> };

/** The client of a run in which the controller makes the writes. */
export const idleClient: EventClient = { created: async () => {}, deleted: async () => {} };

/** From a Service to its NetworkPolicy, and from its end to that of the NetworkPolicy, in milliseconds. */
export type Times = { readonly created: number[]; readonly deleted: number[] };

/** Some NetworkPolicies of a round did not come or go in time. The times of the others are kept. */
export class IncompleteRound extends Error {
  override readonly name = "IncompleteRound";
}

/** Creates and deletes Services at a steady rate. */
export class ServiceLoad {
  readonly #managed: Cluster;
  readonly #everyMs: number;
  readonly #services: ObjectTimes;
  readonly #policies: ObjectTimes;

  constructor({ managed, signal }: { readonly managed: Cluster; readonly signal: AbortSignal }, everyMs: number) {
    this.#managed = managed;
    this.#everyMs = everyMs;
    this.#services = new ObjectTimes(managed, service, signal);
    this.#policies = new ObjectTimes(managed, networkPolicy, signal);
  }

  /** Creates Services, waits until all have their NetworkPolicies, and deletes them likewise. */
  async run(client: EventClient, title: string, count: number, times: Times = { created: [], deleted: [] }): Promise<void> {
    const names = await this.create(client, title, count, times);
    await this.delete(client, names, times);
  }

  /** Returns the names of the Services. */
  async create(client: EventClient, title: string, count: number, times?: Pick<Times, "created">): Promise<readonly string[]> {
    const names = Array.from({ length: count }, (_, index) => `${title}-${performance.now().toFixed(0)}-${index}`);
    await Promise.all([this.#services.ready, this.#policies.ready]);
    const came = await this.#paced(names, async (name) => {
      await this.#managed.create(serviceNamed(name));
      const answeredAt = performance.now();
      await client.created(name);
      return answeredAt;
    });
    await this.#policies.allAdded(names.map(policyOf), timeoutMs);
    const addedAt = (name: string) => this.#policies.addedAt(policyOf(name));
    times?.created.push(
      ...timesOf(names, addedAt, (name) => Math.min(came.get(name) ?? Infinity, this.#services.addedAt(name) ?? Infinity)),
    );
    checkAll(names, addedAt, `${title}: NetworkPolicies that did not come`);
    return names;
  }

  async delete(client: EventClient, names: readonly string[], times?: Pick<Times, "deleted">): Promise<void> {
    const went = await this.#paced(names, async (name) => {
      await this.#managed.delete({ ...service, namespace: "default", name });
      const answeredAt = performance.now();
      await client.deleted(name);
      return answeredAt;
    });
    await this.#policies.allDeleted(names.map(policyOf), timeoutMs);
    const deletedAt = (name: string) => this.#policies.deletedAt(policyOf(name));
    times?.deleted.push(
      ...timesOf(names, deletedAt, (name) => Math.min(went.get(name) ?? Infinity, this.#services.deletedAt(name) ?? Infinity)),
    );
    checkAll(names, deletedAt, `${names[0]} and others: NetworkPolicies that did not go`);
  }

  /**
   * Calls `act` at the rate of the load without waiting for earlier calls. Returns when each was answered. What an API server
   * under load does not answer in time is missing, as its NetworkPolicy will be.
   */
  async #paced(names: readonly string[], act: (name: string) => Promise<number>): Promise<ReadonlyMap<string, number>> {
    const startedAt = performance.now();
    const acts: Promise<readonly (readonly [string, number])[]>[] = [];
    for (const [index, name] of names.entries()) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, startedAt + index * this.#everyMs - performance.now())));
      acts.push(
        act(name).then(
          (at) => [[name, at] as const],
          () => [],
        ),
      );
    }
    return new Map((await Promise.all(acts)).flat());
  }
}

function policyOf(service: string): string {
  return `front-${service}`;
}

type TimeOf = (name: string) => number | undefined;

/** Of those that have come or gone, how long it took. */
function timesOf(names: readonly string[], endOf: TimeOf, startOf: (name: string) => number): readonly number[] {
  return names.flatMap((name) => {
    const end = endOf(name);
    return end === undefined ? [] : [end - startOf(name)];
  });
}

function checkAll(names: readonly string[], endOf: TimeOf, complaint: string): void {
  const missing = names.filter((name) => endOf(name) === undefined).length;
  if (missing > 0) throw new IncompleteRound(`${complaint} within ${timeoutMs / 1000} s: ${missing} of ${names.length}`);
}
