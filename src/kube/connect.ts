import { RealClock, type Clock } from "../core/clock/index.ts";
import type { Exchange } from "../core/exchange/index.ts";
import { Fault } from "../core/fault/index.ts";
import { apiVersionOf, groupVersionOf, isKubeObject, stringAt, type KubeObject } from "../core/object/index.ts";
import { isApiFault, isNotFound, isStatus } from "./api-fault.ts";
import { restClientOver, type RestRequest } from "./rest-client.ts";
import type { Cluster } from "./cluster.ts";
import { withImpersonation } from "./config/index.ts";
import { Discovery } from "./discovery.ts";
import { listAll, listPages } from "./list.ts";
import { readLogs } from "./logs.ts";
import { OutageMonitor } from "./outage-monitor.ts";
import { groupResourceOf, pathOf, withQuery, type ObjectLocation, type Resource, type KindOrResource } from "./resource.ts";
import { retryWatch } from "./retry-watch.ts";
import { withRetry } from "./with-retry.ts";
import { orAborted, namespaceSuffix } from "./selection.ts";
import { openWatch } from "./watch.ts";
import type { WriteGate } from "./write-gate.ts";
import { deleteBody, patchTypes, writeQuery, type WriteOptions } from "./write-options.ts";

export type ConnectOptions = {
  readonly clock?: Clock;
  /** Between 0 and 1, for jitter. Default: always one half, which means none. */
  readonly random?: () => number;
  /** The default namespace for namespaced objects that name none. Default `default`. */
  readonly namespace?: string;
  /** The default field manager. Default `sluice`. */
  readonly manager?: string;
  /** The maximum number of attempts for a request. Default 10. */
  readonly attempts?: number;
  /** How many connections have ended so far: see `Transport.lostConnections`. */
  readonly lostConnections?: () => number;
  /** Every attempt of a request that writes goes through it. Default: none. */
  readonly writeGate?: WriteGate;
  /** Receives every warning of the server. */
  readonly warn?: (warning: string) => void;
};

const json = { accept: "application/json", "content-type": "application/json" };
const never = new AbortController().signal;

/** Creates a client of anything that answers requests. */
export function connect(exchange: Exchange, options: ConnectOptions = {}): Cluster {
  const { clock = new RealClock(), random = () => 0.5, namespace: home = "default", manager: owner = "sluice" } = options;
  const attempts = options.attempts ?? 10;
  const outages = new OutageMonitor(clock);
  // Below the retries: a process that was suspended may wake up in the middle of them.
  const observed = outages.observe(options.writeGate?.guard(exchange, clock) ?? exchange);
  const backOff = (ms: number, signal?: AbortSignal) => outages.backOff(ms, signal);
  const client = restClientOver(withRetry(observed, { clock, random, attempts, backOff }), options.warn);
  const discovery = new Discovery(client);

  /** Runs `work` with the discovered resource, and invalidates discovery when the server does not know the path. */
  async function withResource<T>(
    target: KindOrResource,
    signal: AbortSignal | undefined,
    work: (resource: Resource) => Promise<T>,
  ): Promise<T> {
    const resource = await orAborted(discovery.resolve(target), signal);
    try {
      return await work(resource);
    } catch (error) {
      throw invalidateUnserved(error, resource);
    }
  }

  function invalidateUnserved(error: unknown, resource: Resource): unknown {
    if (isNotServed(error)) discovery.invalidate(resource);
    return error;
  }

  const namespaceFor = (resource: Resource, namespace: string) => (resource.namespaced ? namespace || home : "");

  type ObjectRequest = Omit<RestRequest, "doing" | "path"> & {
    verb: string;
    query?: Parameters<typeof withQuery>[1];
    subresource?: string | undefined;
  };

  /** Sends a request about one object and returns the object in the response. A deletion may return a Status, which gives undefined. */
  function requestObject(
    ref: ObjectLocation,
    { verb, query = {}, subresource = "", ...call }: ObjectRequest,
  ): Promise<KubeObject | undefined> {
    return withResource(ref, call.signal, async (resource) => {
      const namespace = namespaceFor(resource, ref.namespace);
      const path = withQuery(pathOf(resource, namespace, ref.name, subresource), query);
      const what = `${groupResourceOf(resource)}${subresource === "" ? "" : `/${subresource}`}`;
      const doing = `${verb} ${what} ${namespace === "" ? "" : `${namespace}/`}${ref.name}`;
      const answer = await client.json({ ...call, doing, path });
      return call.method === "DELETE" && isStatus(answer) ? undefined : asObject(doing, answer);
    });
  }

  async function requestOne(ref: ObjectLocation, request: ObjectRequest): Promise<KubeObject> {
    const object = await requestObject(ref, request);
    if (object === undefined) throw new Fault(`${request.verb} ${ref.name}: the answer is no object`);
    return object;
  }

  const impersonated = new Map<string, Cluster>();

  const write = ({ manager = owner, ...rest }: WriteOptions) => writeQuery({ manager, ...rest });

  const cluster: Cluster = {
    discovery,
    namespace: home,
    clock,
    random,
    lostConnections: options.lostConnections ?? (() => 0),
    backOff,
    onRecovery: (listener, signal) => outages.onRecovery(listener, signal),

    get: (ref, { signal, subresource } = {}) => requestOne(ref, { verb: "get", method: "GET", subresource, signal }),

    async find(ref, options) {
      try {
        return await cluster.get(ref, options);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },

    list: (target, options = {}) => withResource(target, options.signal, (resource) => listAll(client, resource, options)),

    async *pages(target, options = {}) {
      const resource = await orAborted(discovery.resolve(target), options.signal);
      try {
        yield* listPages(client, resource, options);
      } catch (error) {
        throw invalidateUnserved(error, resource);
      }
    },

    create(object, { under, ...options } = {}) {
      const { subresource, signal } = options;
      const sent = { method: "POST", headers: json, body: JSON.stringify(object), signal };
      if (under !== undefined) return requestOne(under, { verb: "create", query: write(options), subresource, ...sent });
      return withResource(locationOf(object), signal, async (resource) => {
        const { name, generateName = "", namespace = "" } = object.metadata;
        const place = namespaceFor(resource, namespace);
        const doing = `create ${groupResourceOf(resource)} ${place === "" ? "" : `${place}/`}${name ?? `${generateName}*`}`;
        return asObject(doing, await client.json({ doing, path: withQuery(pathOf(resource, place), write(options)), ...sent }));
      });
    },

    replace(object, options = {}) {
      const { signal, subresource } = options;
      const body = JSON.stringify(object);
      return requestOne(locationOf(object), {
        verb: "replace",
        method: "PUT",
        query: write(options),
        headers: json,
        body,
        subresource,
        signal,
      });
    },

    patch(ref, patch, options = {}) {
      const { signal, subresource } = options;
      const query = { ...write(options), force: patch.type === "apply" && patch.force };
      const headers = { accept: "application/json", "content-type": patchTypes[patch.type] };
      const verb = patch.type === "apply" ? "apply" : "patch";
      return requestOne(ref, { verb, method: "PATCH", query, headers, body: JSON.stringify(patch.patch), subresource, signal });
    },

    apply: (object, { force = false, ...options } = {}) =>
      cluster.patch(locationOf(object), { type: "apply", patch: object, force }, options),

    delete(ref, options = {}) {
      const body = deleteBody(options);
      const sent = body === undefined ? {} : { headers: json, body };
      return requestObject(ref, { verb: "delete", method: "DELETE", ...sent, signal: options.signal });
    },

    deleteCollection: (target, options = {}) =>
      withResource(target, options.signal, async (resource) => {
        const { namespace = "", labelSelector, fieldSelector, signal } = options;
        const body = deleteBody(options);
        const sent = body === undefined ? {} : { headers: json, body };
        const path = withQuery(pathOf(resource, namespace), { labelSelector, fieldSelector });
        const doing = `delete ${groupResourceOf(resource)}${namespaceSuffix(namespace)}`;
        const answer = await client.json({ doing, method: "DELETE", path, ...sent, signal });
        return itemsOf(answer);
      }),

    openWatch: (target, options = {}) => withResource(target, options.signal, (resource) => openWatch(client, resource, options)),
    watch: (target, options = {}) => retryWatch(cluster, target, options),
    logs: (namespace, pod, options = {}) => readLogs(client, namespace || home, pod, options),

    async version({ signal } = {}) {
      const answer = await client.json({ doing: "read the server's version", method: "GET", path: "/version", signal });
      const text = (name: string) => stringAt(answer, name, "");
      return { major: text("major"), minor: text("minor"), gitVersion: text("gitVersion") };
    },

    impersonate(user) {
      let other = impersonated.get(user);
      if (other === undefined) impersonated.set(user, (other = connect(withImpersonation(exchange, { user }), options)));
      return other;
    },
    raw: ({ headers = {}, signal = never, ...request }) => observed({ ...request, headers, signal }),
  };
  return cluster;
}

/** Whether the server does not know the path, as opposed to the object. */
export function isNotServed(error: unknown): boolean {
  return isApiFault(error) && error.code === 404 && error.details.name === undefined;
}

function locationOf(object: KubeObject): ObjectLocation {
  const { name, namespace = "" } = object.metadata;
  return { ...groupVersionOf(object.apiVersion), kind: object.kind, namespace, name };
}

/** The one place that trusts the server to return objects. */
function asObject(doing: string, value: unknown): KubeObject {
  if (isKubeObject(value)) return value;
  throw new Fault(`${doing}: the server answered with something that is no object: ${JSON.stringify(value).slice(0, 100)}`);
}

function itemsOf(list: unknown): readonly KubeObject[] {
  const items = typeof list === "object" && list !== null && "items" in list ? list.items : undefined;
  const kind = stringAt(list, "kind", "").replace(/List$/, "");
  const apiVersion = stringAt(list, "apiVersion", apiVersionOf({ group: "", version: "v1" }));
  return Array.isArray(items) ? items.map((item: object) => ({ apiVersion, kind, ...item }) as KubeObject) : [];
}
