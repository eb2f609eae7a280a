import { ApiConnection } from "./api-client.ts";
import { bodyOf, podNamed, type Encoding } from "./api-pods.ts";
import type { ApiSide } from "./api-side.ts";

/** How many Pods there are in the namespace `default`, and in one page. */
export const listed = 500;
const together = 16;
const idleMs = 5000;
const namespaces = ["default", "made", "watched"] as const;

/** A request of which many are sent at once. */
export type Operation = {
  readonly name: string;
  readonly count: number;
  readonly send: (connection: ApiConnection, index: number) => Promise<unknown>;
  /** What is done before each request, which is then sent alone. Not counted. */
  readonly before?: (side: ApiSide, encoding: Encoding) => Promise<void>;
};

/** The cost of one request. */
export type RequestCost = { readonly cpuMs: number; readonly perSecond: number };

/** Fills a new server with the Pods that operations read and apply. */
export async function preparePods({ kubeconfig }: ApiSide): Promise<void> {
  const connection = new ApiConnection(kubeconfig, "JSON");
  for (const name of namespaces.slice(1)) {
    const body = Buffer.from(JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
    await connection.send({ method: "POST", path: "/api/v1/namespaces", body });
  }
  // Pods are refused before their service account is there.
  for (const namespace of namespaces)
    await new Promise<void>((resolve, reject) => {
      connection.watch(`/api/v1/namespaces/${namespace}/serviceaccounts?watch=true`, resolve).catch(reject);
    });
  await inParallel(listed, (index) => applyPod(connection, { namespace: "default", name: `pod-${index}` }, 0));
  connection.close();
}

export function getPods(count: number): Operation {
  return {
    name: "get",
    count,
    send: (connection, index) => connection.send({ method: "GET", path: pathOf("default", `pod-${index % listed}`) }),
  };
}

export function listPods(count: number): Operation {
  const path = `${pathOf("default")}?limit=${listed}`;
  return { name: `list of ${listed}`, count, send: (connection) => connection.send({ method: "GET", path }) };
}

/** The same when each object has changed, and been answered in the other encoding alone: no server can have its bytes at hand. */
export function listChangedPods(count: number): Operation {
  return {
    ...listPods(count),
    name: `list of ${listed}, all changed`,
    before: async (side, encoding) => {
      await measureOperation(side, encoding === "JSON" ? "protobuf" : "JSON", applyPods(listed));
    },
  };
}

let made = 0;

/** The Pods have names that no other operation uses. */
export function createPods(count: number, encoding: Encoding): Operation {
  const send = (connection: ApiConnection) =>
    connection.send({ method: "POST", path: pathOf("made"), body: bodyOf(podNamed("made", `made-${made++}`), encoding) });
  return { name: "create", count, send };
}

/** Every apply changes an annotation. */
export function applyPods(count: number): Operation {
  return {
    name: "apply",
    count,
    send: (connection, index) => applyPod(connection, { namespace: "default", name: `pod-${index % listed}` }, ++made),
  };
}

export function applyPod(
  connection: ApiConnection,
  { namespace, name }: { namespace: string; name: string },
  round: number,
): Promise<unknown> {
  return connection.send({
    method: "PATCH",
    path: `${pathOf(namespace, name)}?fieldManager=bench&force=true`,
    body: bodyOf(podNamed(namespace, name, round), "JSON"),
    contentType: "application/apply-patch+yaml",
  });
}

export function pathOf(namespace: string, name?: string): string {
  return `/api/v1/namespaces/${namespace}/pods${name === undefined ? "" : `/${name}`}`;
}

/** The part of a core that a server uses when nobody asks it. */
export async function idleShareOf(side: ApiSide, ms = idleMs): Promise<number> {
  const before = side.cpuMs();
  await new Promise((resolve) => void setTimeout(resolve, ms));
  return (side.cpuMs() - before) / ms;
}

/** Sends the requests over one connection. What the server would have used without them is not counted. */
export async function measureOperation(
  side: ApiSide,
  encoding: Encoding,
  { count, send, before }: Operation,
  idleShare = 0,
): Promise<RequestCost> {
  const connection = new ApiConnection(side.kubeconfig, encoding);
  try {
    const cost = { cpuMs: 0, wallMs: 0 };
    const measure = async (work: () => Promise<unknown>) => {
      const [cpuBefore, startedAt] = [side.cpuMs(), performance.now()];
      await work();
      const wallMs = performance.now() - startedAt;
      cost.wallMs += wallMs;
      cost.cpuMs += side.cpuMs() - cpuBefore - idleShare * wallMs;
    };
    if (before === undefined) await measure(() => inParallel(count, (index) => send(connection, index)));
    else {
      for (let index = 0; index < count; index++) {
        await before(side, encoding);
        await measure(() => send(connection, index));
      }
    }
    return { cpuMs: cost.cpuMs / count, perSecond: (count / cost.wallMs) * 1000 };
  } finally {
    connection.close();
  }
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: together }, worker));
}
