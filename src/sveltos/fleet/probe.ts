import { Fault } from "../../core/fault/index.ts";
import { readJson, type Cluster } from "../../kube/index.ts";
import { stringAt } from "../../core/object/index.ts";

const timeoutMs = 10_000;

/** Requests the version of a cluster once, which also tests the credentials. Throws a Fault that says what is wrong. */
export async function probe(cluster: Cluster, signal: AbortSignal): Promise<string> {
  const late = new AbortController();
  const tooLate = new Fault(`no answer within ${timeoutMs / 1000} s`);
  const cancel = cluster.clock.after(timeoutMs, () => late.abort(tooLate));
  const either = AbortSignal.any([signal, late.signal]);
  try {
    const request = cluster.raw({ method: "GET", path: "/version", headers: { accept: "application/json" }, signal: either });
    const { status, body } = await Promise.race([request, whenAborted(either)]);
    const text = await textOf(body);
    if (status === 200) return stringAt(readJson(text), "gitVersion", "");
    if (status === 401)
      throw new Fault("its credentials are not accepted (401): they may have expired; put a new kubeconfig into the Secret");
    throw new Fault(`it answers ${status} when asked for its version`);
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
