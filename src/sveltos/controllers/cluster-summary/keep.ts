import type { ObjectChange } from "../../../kube/index.ts";
import { control, WorkQueue, type Source } from "../../../reconcile/index.ts";
import type { Desk } from "../context/index.ts";
import { matters } from "./change.ts";
import { configurationKind, Configurations } from "./configuration.ts";
import { keep } from "./keeper.ts";
import { clusterOfKey, summaryKey } from "./key.ts";
import { Mender } from "./mender.ts";
import type { Keeping } from "./post.ts";
import { configMapKind, References, secretKind } from "./references.ts";
import { reportKind } from "./report.ts";
import { Roll, summaryKind } from "./roll.ts";
import { Standing } from "./standing.ts";
import { Watches } from "./watches.ts";

/** Keeps every ClusterSummary of the clusters that this replica attends to, until the signal aborts and the last work has ended. */
export async function keepSummaries(desk: Desk, signal: AbortSignal): Promise<void> {
  const { clock, random } = desk.hub;
  const report = desk.chronicle.failures("summaries");
  // As many as all lanes may have: clusters that hang must not take the places of those that answer.
  const queue = new WorkQueue({ clock, random, workers: 10_000, perLane: 32, laneOf: clusterOfKey, report });
  desk.chronicle.watch("summaries", queue);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const standing = new Standing();
  const want = (key: string) => {
    standing.doubt(key);
    queue.add(key);
  };
  const refused = (error: unknown) => report({ key: "", error, failures: 1, againInMs: undefined });
  const references = new References(desk, want, refused, either);
  const watches = new Watches(
    (key, object) => {
      mender.suspect(key, object);
      queue.add(key);
    },
    refused,
    either,
  );
  const mender = new Mender(watches);
  const roll = new Roll(desk.copies);
  const keeping: Keeping = { desk, queue, roll, references, standing, mender, configurations: new Configurations(desk) };
  try {
    await desk.copies.ready([summaryKind, configMapKind, secretKind, configurationKind, reportKind]);
    const following = follow(desk, roll, want, either);
    following.catch((error: unknown) => stop.abort(error));
    await control(sourcesOf(desk, roll, references, standing), queue, (key, each) => keep(key, keeping, each), either);
    await following;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stop.abort(new Error("the keeping of ClusterSummaries has ended"));
    await Promise.all([references.ended(), watches.ended(), keeping.configurations.ended()]);
  }
}

/** Clusters that are there again, or are described otherwise, are reason to look at all that is for them. */
async function follow({ fleet }: Desk, roll: Roll, want: (key: string) => void, signal: AbortSignal): Promise<void> {
  for await (const event of fleet.events(signal)) {
    if (event.type !== "ready" && event.type !== "changed" && event.type !== "gone") continue;
    for (const summary of roll.inCluster(event.cluster.key)) want(summaryKey(summary));
  }
}

function sourcesOf({ copies }: Desk, roll: Roll, references: References, standing: Standing): readonly Source[] {
  const doubted = (keys: Iterable<string>): readonly string[] => {
    const all = [...keys];
    for (const key of all) standing.doubt(key);
    return all;
  };
  const contents = [configMapKind, secretKind].map((kind) => ({
    changes: copies.of(kind),
    keysOf: (change: ObjectChange) => doubted(references.readersOf(change)),
  }));
  const summaries = {
    changes: copies.of(summaryKind),
    keysOf: (change: ObjectChange) => (matters(change) ? [...doubted([summaryKey(change.object)]), ...waitingFor(change, roll)] : []),
  };
  return [summaries, ...contents];
}

/** Those that could not go because of this one, and those that could not come. */
function waitingFor(change: ObjectChange, roll: Roll): readonly string[] {
  const { object } = change;
  const before = change.type === "modified" ? change.previous : object;
  const leaving = roll.dependenciesOf(before).flatMap(([, found]) => (found?.metadata.deletionTimestamp === undefined ? [] : [found]));
  return [...leaving, ...roll.dependentsOf(object)].map(summaryKey);
}
