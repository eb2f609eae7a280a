import { keyOf, listAt, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";
import { writeYaml } from "../../lang/yaml/index.ts";
import { concealed, logConcealer, mergeSensitivity, textConcealer, type Sensitivity } from "../../release/conceal/index.ts";
import { sensitivityIn } from "../../release/order/index.ts";
import { defaultTracking } from "../../release/plan/index.ts";
import { readRevisionManifests } from "../../release/prepare/index.ts";
import type { Revision } from "../../release/record/index.ts";
import { readRevisions } from "../../release/status/index.ts";
import { readHealth, readObjectDiagnostics } from "../../release/track/index.ts";
import type { ObjectCondition, ObjectDetail } from "../api/index.ts";
import { readManifestDiff } from "./read-manifest-diff.ts";
import { readObjectEvents } from "./read-object-events.ts";
import { objectIn, releaseIn, revisionNumberIn } from "./release-request.ts";

type RequestContext = { readonly cluster: Cluster; readonly signal: AbortSignal };

/** Reads what is known of one object, and what its release says of it. What may not be read is left out, with a notice. */
export async function readObjectDetail(query: URLSearchParams, { cluster, signal }: RequestContext): Promise<ObjectDetail> {
  const ref = objectIn(query);
  const notices: string[] = [];
  const unlessForbidden = async <T>(what: string, work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (!isForbidden(error)) throw error;
      notices.push(`You may not read ${what}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  const release = releaseIn(query, "release");
  const number = revisionNumberIn(query, "revision");
  const revisions =
    release === undefined ? [] : ((await unlessForbidden("its release", readRevisions(release, cluster, { signal }))) ?? []);
  const revision = revisions.find((each) => (number === undefined ? each === revisions.at(-1) : each.revision === number));
  const sensitivities = await sensitiveObjectsIn(revision, cluster);
  const conceal = textConcealer(() => sensitivities.sensitive);
  const [live, [found], events, diagnostics, diff] = await Promise.all([
    unlessForbidden("it", findServed(ref, cluster, signal)),
    readHealth([{ ref, gates: [{ until: "ready" }], tracking: defaultTracking }], cluster, { signal }),
    unlessForbidden("its Events", readObjectEvents(ref, cluster, signal)),
    readObjectDiagnostics(ref, cluster, { signal }),
    revision === undefined ? undefined : readManifestDiff(ref, revision, revisions, cluster),
  ]);
  const concealLine = logConcealer(sensitivities.sensitive);
  return {
    ref,
    health: healthOf(live, found!, conceal),
    ...(live?.metadata.creationTimestamp === undefined ? {} : { createdAtMs: Date.parse(live.metadata.creationTimestamp) }),
    conditions: conditionsOf(live).map((each) => ({ ...each, message: conceal(each.message) })),
    events: (events ?? []).map((each) => ({ ...each, message: conceal(each.message) })),
    logs: diagnostics.logs.map(({ pod, container, lines }) => ({ pod, container, lines: lines.map(concealLine) })),
    ...(diff === undefined ? {} : { diff }),
    ...(live === undefined ? {} : { yaml: yamlOf(live, sensitivities.of(ref)) }),
    notices,
  };
}

/** A kind that is not served has no objects. */
async function findServed(ref: ObjectRef, cluster: Cluster, signal: AbortSignal): Promise<KubeObject | undefined> {
  return (await cluster.discovery.find(ref)) === undefined ? undefined : cluster.find(ref, { signal });
}

type Sensitivities = {
  readonly sensitive: readonly { readonly object: KubeObject; readonly sensitive: Sensitivity }[];
  readonly of: (ref: ObjectRef) => Sensitivity;
};

const plainly: Sensitivity = { whole: false, paths: [] };

/** What a revision marks as sensitive. */
async function sensitiveObjectsIn(revision: Revision | undefined, cluster: Cluster): Promise<Sensitivities> {
  const members = revision === undefined || revision.state === "unknown" ? [] : await readRevisionManifests(revision, cluster);
  const byKey = new Map(members.map(({ ref, constraints }) => [keyOf(ref), constraints.sensitive]));
  return {
    sensitive: members.map(({ item, constraints }) => ({ object: item.object, sensitive: constraints.sensitive })),
    of: (ref) => byKey.get(keyOf(ref)) ?? plainly,
  };
}

function healthOf(
  live: KubeObject | undefined,
  { health, hidden }: Awaited<ReturnType<typeof readHealth>>[number],
  conceal: (text: string) => string,
): ObjectDetail["health"] {
  if (live === undefined && hidden === undefined) return { state: "gone", because: "it does not exist" };
  const because = health.state === "ready" ? health.note : health.because;
  return { state: health.state, ...(because === undefined ? {} : { because: conceal(because) }) };
}

function conditionsOf(live: KubeObject | undefined): readonly ObjectCondition[] {
  return listAt(live, "status.conditions").map((condition) => {
    const atMs = Date.parse(stringAt(condition, "lastTransitionTime", ""));
    return {
      type: stringAt(condition, "type", ""),
      status: stringAt(condition, "status", ""),
      reason: stringAt(condition, "reason", ""),
      message: stringAt(condition, "message", ""),
      ...(Number.isNaN(atMs) ? {} : { atMs }),
    };
  });
}

function yamlOf(live: KubeObject, recorded: Sensitivity): string {
  const at = { file: "the live object" };
  const sensitive = mergeSensitivity(recorded, sensitivityIn({ object: live, at, positionOf: () => at }));
  const { metadata, ...rest } = concealed(live, sensitive);
  const { managedFields: _fields, ...kept } = metadata;
  return writeYaml({ ...rest, metadata: kept });
}
