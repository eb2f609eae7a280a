import { gunzipSync, gzipSync } from "node:zlib";
import { contentHash, valueHash, type FeatureRelease } from "../api/index.ts";
import { isKubeObject, keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Operation, Ordered } from "../../release/order/index.ts";
import type { DesiredManifest } from "../../release/plan/index.ts";
import { hooksDone } from "../../release/prepare/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import type { ProfileManifest } from "./profile-manifest.ts";

/** The hash of the objects as they are written. While it is unchanged, no hook runs again. */
export function hashOfContent(profileManifests: readonly ProfileManifest[]): string {
  return valueHash(profileManifests.map(({ object }) => contentHash(object)).toSorted());
}

/** Content to deploy. */
type Content = { readonly contentHash: string; readonly manifests: readonly ProfileManifest[] };

/** How a deploy starts: its operation, which selects the hooks, and its first record. */
export type ReleaseStart = {
  readonly operation: "install" | "upgrade";
  readonly release: FeatureRelease;
  /** A deploy of the same content was interrupted and continues: hooks that have succeeded do not run again. */
  readonly isContinued: boolean;
};

/**
 * The start of a deploy. The first deploy is an install, and so is one after a withdrawal. A failed install does not count: the
 * next deploy is an install again.
 */
export function releaseStartOf(
  desiredResources: Content,
  before: FeatureRelease | undefined,
  previous: readonly KubeObject[],
): ReleaseStart {
  const { contentHash: hash, manifests: profileManifests } = desiredResources;
  const live = before === undefined || before.state === "withdrawing" ? undefined : before;
  const isContinued = live !== undefined && live.state !== "deployed" && live.hash === hash;
  const revision = live === undefined ? 1 : live.state === "deployed" ? live.revision + 1 : live.revision;
  const release: FeatureRelease = {
    featureID: "Resources",
    revision,
    state: "deploying",
    hash,
    ...contentOf(profileManifests, previous),
    hooks: isContinued ? (live.hooks ?? []) : [],
  };
  return { operation: revision === 1 ? "install" : "upgrade", release, isContinued };
}

/** The record of a finished deploy. */
export function deployedRelease(release: FeatureRelease, profileManifests: readonly ProfileManifest[]): FeatureRelease {
  return { ...release, state: "deployed", ...contentOf(profileManifests, []) };
}

/** The record of a withdrawal, with all objects to delete: the sources of the content may be gone. */
export function withdrawingRelease(before: FeatureRelease | undefined, previous: readonly KubeObject[]): FeatureRelease {
  if (before?.state === "withdrawing") return before;
  const base = before ?? { featureID: "Resources", revision: 1, hash: "", ...contentOf([], previous) };
  return { ...base, state: "withdrawing", hooks: [] };
}

type Recorded = Pick<FeatureRelease, "objects" | "content">;

/** A deploy records the same content at its start and at its end. */
const recordedContents = new WeakMap<readonly ProfileManifest[], Recorded>();

/** The recorded objects and manifests of the content, and of previous content that may still be there. */
function contentOf(profileManifests: readonly ProfileManifest[], previous: readonly KubeObject[]): Recorded {
  if (previous.length > 0) return recordedWith(profileManifests, previous);
  const known = recordedContents.get(profileManifests) ?? recordedWith(profileManifests, []);
  recordedContents.set(profileManifests, known);
  return known;
}

function recordedWith(profileManifests: readonly ProfileManifest[], previous: readonly KubeObject[]): Recorded {
  const keys = new Set(profileManifests.map(({ object }) => recordKeyOf(object)));
  const left = previous.filter((object) => !keys.has(recordKeyOf(object)));
  const kept = [...left, ...profileManifests.filter(isKept).map(recordedObject)];
  return {
    objects: [
      ...left.filter((object) => !isHook(object)).map((object) => refOf(object)),
      ...profileManifests.filter(({ object }) => !isHook(object)).map(({ ref, object }) => ({ ...ref, hash: contentHash(object) })),
    ],
    content: gzipSync(JSON.stringify(kept)).toString("base64"),
  };
}

/** Tells a hook from a resource of the same name: the previous one may still have to be deleted. */
function recordKeyOf(object: KubeObject): string {
  return `${isHook(object) ? "hook " : ""}${keyOf(refOf(object))}`;
}

/** Whether an object is a Helm hook, which is not part of the deployed content. */
export function isHook({ metadata }: KubeObject): boolean {
  return metadata.annotations?.["helm.sh/hook"] !== undefined;
}

function isDeleteHook(object: KubeObject): boolean {
  return isHook(object) && (object.metadata.annotations?.["helm.sh/hook"] ?? "").includes("delete");
}

/** Only delete hooks are needed after a deploy. */
function isKept({ object }: ProfileManifest): boolean {
  return !isHook(object) || isDeleteHook(object);
}

/**
 * A manifest as it is recorded. A deletion needs its metadata and references only, so that the data of Secrets stays out of the
 * status. Delete hooks are recorded in full.
 */
function recordedObject({ object, reference }: ProfileManifest): KubeObject {
  if (isDeleteHook(object)) return object;
  const { data: _data, stringData: _text, ...rest } = object;
  const { apiVersion, kind, metadata } = object;
  if (reference.kind === "Secret") return { apiVersion, kind, metadata };
  return object.kind === "Secret" ? { ...rest, apiVersion, kind, metadata } : object;
}

/** Far more than the content of a profile, of which all but Secrets' data is in the record. */
const maxContentBytes = 256 * 2 ** 20;

/** The manifests of a record. */
export function previousManifests(release: FeatureRelease | undefined): readonly KubeObject[] {
  if (release?.content === undefined) return [];
  const read: unknown = JSON.parse(
    gunzipSync(Buffer.from(release.content, "base64"), { maxOutputLength: maxContentBytes }).toString("utf8"),
  );
  return Array.isArray(read) ? read.filter(isKubeObject) : [];
}

/** A recorded object as a manifest, with a position for messages. */
export function recordedManifest(object: KubeObject, at: number): LocatedManifest {
  const position = { file: "deployed before", line: at + 1 };
  return { object, at: position, positionOf: () => position };
}

type Hook = NonNullable<FeatureRelease["hooks"]>[number];

/** The record with a hook that has succeeded. */
export function withHook(release: FeatureRelease, ref: ObjectRef, event: string, time: string): FeatureRelease {
  const others = (release.hooks ?? []).filter((hook) => !(isOf(hook, ref) && hook.operation === event));
  const { group, version, kind, namespace, name } = ref;
  return { ...release, hooks: [...others, { group, version, kind, namespace, name, operation: event, succeeded: true, time }] };
}

/** The hooks that have succeeded for this content, in the form that the planner expects. */
export function succeededHooks(
  release: FeatureRelease,
  hooks: readonly Ordered<DesiredManifest>[],
  operation: Operation,
): ReadonlySet<string> {
  return hooksDone(hooks, operation, (ref, event) =>
    (release.hooks ?? []).some((hook) => isOf(hook, ref) && hook.operation === event && hook.succeeded),
  );
}

function isOf({ group, kind, namespace = "", name }: Hook, ref: ObjectRef): boolean {
  return group === ref.group && kind === ref.kind && namespace === ref.namespace && name === ref.name;
}
