import { equal, isExactInteger, isFields, keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { isUnknownKind, type Cluster } from "../../kube/index.ts";

/** What objects say, by `keyOf`, without what every write and every controller changes. */
type ReleaseState = ReadonlyMap<string, { readonly ref: ObjectRef; readonly content: unknown }>;

export async function readReleaseState(refs: readonly ObjectRef[], cluster: Cluster): Promise<ReleaseState> {
  const state = new Map<string, { readonly ref: ObjectRef; readonly content: unknown }>();
  for (const ref of refs) {
    const found = await findIfServed(ref, cluster);
    if (found !== undefined) state.set(keyOf(ref), { ref, content: contentOf(found) });
  }
  return state;
}

async function findIfServed(ref: ObjectRef, cluster: Cluster): Promise<KubeObject | undefined> {
  try {
    return await cluster.find(ref);
  } catch (error) {
    if (isUnknownKind(error)) return undefined;
    throw error;
  }
}

/** The objects that are in one state and not in the other, or say something else there. */
export function changedSince(before: ReleaseState, after: ReleaseState): readonly ObjectRef[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    return equal(old?.content, now?.content) ? [] : [(now ?? old)!.ref];
  });
}

/** What the server or a controller chooses anew for each object, by the name of the field wherever it is. */
const chosenFields = new Set(["clusterIP", "clusterIPs", "healthCheckNodePort", "nodePort", "volumeName"]);
const chosenKey =
  /^(deployment\.kubernetes\.io\/revision|(pv|volume(\.beta)?)\.kubernetes\.io\/.*|(batch\.kubernetes\.io\/)?controller-uid)$/;

function contentOf({ status: _status, metadata, ...object }: KubeObject): unknown {
  const { annotations = {}, labels = {}, deletionTimestamp } = metadata;
  return withoutChosen({ ...object, annotations, labels, deleting: deletionTimestamp !== undefined });
}

function withoutChosen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutChosen);
  if (!isFields(value) || isExactInteger(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !chosenFields.has(name) && !chosenKey.test(name));
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutChosen(field)]));
}
