import type { KubeObject } from "../../core/object/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";
import { revisionIn, storageSelector, type Release, type Revision } from "../../release/record/index.ts";
import { recordingIn, recordingSelector, revisionRecordedIn, type Recording } from "../../release/recording/index.ts";

const secret = { group: "", version: "v1", kind: "Secret" };
const configMap = { group: "", version: "v1", kind: "ConfigMap" };

/** What the cluster holds about a release. */
export type ReleaseRecords = {
  /** Oldest first. */
  readonly revisions: readonly Revision[];
  /** The Secrets of its recordings. */
  readonly recordings: readonly KubeObject[];
};

/** Reads the records of one release. What was unpacked once is not unpacked again. */
export class RecordReader {
  readonly #release: Release;
  readonly #cluster: Cluster;
  readonly #revisions = new WeakMap<KubeObject, Revision>();
  readonly #recordings = new WeakMap<KubeObject, Recording | Error>();

  constructor(release: Release, cluster: Cluster) {
    this.#release = release;
    this.#cluster = cluster;
  }

  async read(): Promise<ReleaseRecords> {
    const { name, namespace } = this.#release;
    const selection = { namespace, labelSelector: storageSelector(name) };
    const [secrets, configMaps, recordings] = await Promise.all([
      this.#cluster.list(secret, selection),
      this.#cluster.list(configMap, selection).catch((error: unknown) => {
        if (isForbidden(error)) return { items: [] };
        throw error;
      }),
      this.#cluster.list(secret, { namespace, labelSelector: recordingSelector(name) }),
    ]);
    const revisions = [...secrets.items, ...configMaps.items].flatMap((object) => this.#revisionIn(object) ?? []);
    return { revisions: revisions.toSorted((a, b) => a.revision - b.revision), recordings: recordings.items };
  }

  /** The recording of a revision; an Error when it cannot be read, undefined when there is none. */
  recordingOf({ revision, state }: Revision, secrets: readonly KubeObject[]): Recording | Error | undefined {
    const wantsDeletion = state === "uninstalling" || state === "uninstalled";
    const those = secrets.filter((each) => revisionRecordedIn(each)?.revision === revision);
    const found = those.find((each) => revisionRecordedIn(each)?.isDeletion === wantsDeletion) ?? those[0];
    return found === undefined ? undefined : this.#recordingIn(found);
  }

  #revisionIn(object: KubeObject): Revision | undefined {
    const found = this.#revisions.get(object) ?? revisionIn(object);
    if (found !== undefined) this.#revisions.set(object, found);
    return found;
  }

  #recordingIn(object: KubeObject): Recording | Error {
    const found = this.#recordings.get(object) ?? decoded(object);
    this.#recordings.set(object, found);
    return found;
  }
}

function decoded(object: KubeObject): Recording | Error {
  try {
    return recordingIn(object);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}
