import { progressing, readyWith, type Health } from "../../health/index.ts";
import { hasStatus, isApiFault, isForbidden, type Cluster, type Resource } from "../../kube/index.ts";
import type { KubeObject, ObjectRef } from "../../core/object/index.ts";
import { judgeOf, type Around } from "./judge.ts";
import { silenceMs, takenAsReady } from "./patience.ts";
import { readSurroundings, type Surroundings } from "./surroundings.ts";
import type { Awaited } from "./wait.ts";

/** An object to look at, and what is asked of it. */
export type Asked = Pick<Awaited, "ref" | "gates" | "tracking" | "resource" | "uid">;

/** What there was to see. `ready` means that its gates are open. */
export type Looked = { readonly ref: ObjectRef; readonly live?: KubeObject; readonly health: Health };

/** An object as it was found, before it is judged. */
export type Seen = { readonly asked: Asked; readonly resource?: Resource; readonly live?: KubeObject; readonly hidden?: string };

/** How many questions are put at once: a cluster has others to answer too. */
const atOnce = 20;

/**
 * Looks once at how objects are doing, each with its pods and with what its controller was told, in the order in which
 * they were asked for. Who waits sees the same, but is patient with what may pass.
 */
export async function look(
  asked: readonly Asked[],
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly Looked[]> {
  const seen = asked.map((each): Seen => ({ asked: each }));
  const queue = asked.entries();
  const work = async () => {
    for (const [at, each] of queue) seen[at] = await see(each, cluster, signal);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, asked.length) }, work));
  const surroundings = await readSurroundings(seen, cluster, signal);
  return seen.map((each) => lookedAt(each, surroundings, cluster));
}

async function see(asked: Asked, cluster: Cluster, signal: AbortSignal): Promise<Seen> {
  const { ref, resource: name } = asked;
  const resource = await (name === undefined ? cluster.discovery.find(ref) : cluster.discovery.named(name));
  if (resource === undefined) return { asked };
  const { group, version, kind, namespaced } = resource;
  const namespace = namespaced ? ref.namespace || cluster.namespace : "";
  try {
    const live = await cluster.find({ group, version, kind, namespace, name: ref.name }, { signal });
    return { asked, resource, ...(live === undefined ? {} : { live }) };
  } catch (error) {
    if (isApiFault(error) && isForbidden(error)) return { asked, resource, hidden: error.explanation };
    throw error;
  }
}

function lookedAt(seen: Seen, surroundings: Surroundings, cluster: Cluster): Looked {
  const { asked, resource, live } = seen;
  const ref = resource === undefined ? asked.ref : properRef(asked.ref, resource, cluster);
  return { ref, ...(live === undefined ? {} : { live }), health: patient(judged(seen, surroundings), live, cluster) };
}

/** The ref as the cluster spells it, where somebody has named a resource in words of their own. */
function properRef(ref: ObjectRef, { group, version, kind, namespaced }: Resource, cluster: Cluster): ObjectRef {
  return { group, version, kind, namespace: namespaced ? ref.namespace || cluster.namespace : "", name: ref.name };
}

function judged({ asked, resource, live, hidden }: Seen, surroundings: Surroundings): Health {
  const { gates, tracking, ref, uid } = asked;
  const wantsAbsence = gates.some(({ until }) => until === "absent");
  if (resource === undefined) {
    const because = `the cluster does not serve ${asked.resource ?? ref.kind}`;
    return wantsAbsence ? readyWith(because) : progressing(because);
  }
  if (hidden !== undefined) return progressing(`it cannot be looked at: ${hidden}`);
  const around: Around = {
    ...surroundings,
    all: (kind) => surroundings.all(kind, live?.metadata.namespace ?? ""),
    hasStatus: hasStatus(resource),
    ...(uid === undefined ? {} : { uid }),
  };
  return judgeOf(gates, tracking)(live, around);
}

/** Whoever waits takes what nobody ever speaks for as ready after a while, and so does who looks later. */
function patient(health: Health, live: KubeObject | undefined, { clock }: Cluster): Health {
  if (health.state !== "progressing" || health.silent !== true) return health;
  const age = clock.now() - Date.parse(live?.metadata.creationTimestamp ?? "");
  return age >= silenceMs ? takenAsReady(health.because) : health;
}
