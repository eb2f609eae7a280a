import { Fault } from "../../core/fault/index.ts";
import { readJson, type Cluster } from "../../kube/index.ts";
import { stringAt } from "../../core/object/index.ts";

const timeoutMs = 10_000;

/** Requests the version of a cluster once, which also tests the credentials. Throws a Fault that says what is wrong. */
export async function probe(cluster: Cluster, signal: AbortSignal): Promise<string> {
  const { status, text } = await getWithin(timeoutMs, "/version", cluster, signal);
  if (status === 200) return stringAt(readJson(text), "gitVersion", "");
  if (status === 401)
    throw new Fault("its credentials are not accepted (401): they may have expired; put a new kubeconfig into the Secret");
  throw new Fault(`it answers ${status} when asked for its version`);
}

/** Which cluster it is. `withheld`: it does not say so to these credentials. `unknown`: it gave no answer this time. */
type ClusterIdentity = { readonly state: "read"; readonly uid: string } | { readonly state: "withheld" | "unknown" };

/**
 * Reads the uid of the namespace kube-system, which is made with a cluster and goes with it: the identity of a cluster, as
 * OpenTelemetry's k8s.cluster.uid. Throws nothing.
 */
export async function readClusterIdentity(cluster: Cluster, signal: AbortSignal): Promise<ClusterIdentity> {
  try {
    const { status, text } = await getWithin(timeoutMs, "/api/v1/namespaces/kube-system", cluster, signal);
    if (status === 403 || status === 404) return { state: "withheld" };
    const uid = status === 200 ? stringAt(readJson(text), "metadata.uid", "") : "";
    return uid === "" ? { state: "unknown" } : { state: "read", uid };
  } catch {
    // The probe beside it says why a cluster does not answer.
    return { state: "unknown" };
  }
}

async function getWithin(
  ms: number,
  path: string,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const late = new AbortController();
  const tooLate = new Fault(`no answer within ${ms / 1000} s`);
  const cancel = cluster.clock.after(ms, () => late.abort(tooLate));
  const either = AbortSignal.any([signal, late.signal]);
  try {
    const request = cluster.raw({ method: "GET", path, headers: { accept: "application/json" }, signal: either });
    const { status, body } = await Promise.race([request, whenAborted(either)]);
    return { status, text: await textOf(body) };
  } catch (error) {
    throw late.signal.aborted ? tooLate : error;
  } finally {
    cancel();
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

async function textOf(body: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(typeof piece === "string" ? Buffer.from(piece) : piece);
  return Buffer.concat(pieces).toString("utf8");
}
