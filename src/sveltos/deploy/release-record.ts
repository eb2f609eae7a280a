import { gunzipSync, gzipSync } from "node:zlib";
import { contentHash, valueHash, type FeatureRelease } from "../api/index.ts";
import { isKubeObject, keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Operation, Ordered } from "../../release/order/index.ts";
import type { DesiredManifest } from "../../release/plan/index.ts";
import { hooksDone } from "../../release/prepare/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import type { ProfileManifest } from "./profile-manifest.ts";

/** A hash of the objects as they were written: while it is the same no hook runs again. */
export function hashOfContent(profileManifests: readonly ProfileManifest[]): string {
  return valueHash(profileManifests.map(({ object }) => contentHash(object)).toSorted());
}

/** Content to deploy. */
type Content = { readonly contentHash: string; readonly manifests: readonly ProfileManifest[] };

/** What a deploy is to be: the operation that hooks hear of, and the record that it begins with. */
export type ReleaseStart = {
  readonly operation: "install" | "upgrade";
  readonly release: FeatureRelease;
  /** The same content was begun before and is carried on: hooks that have succeeded do not run again. */
  readonly carriedOn: boolean;
};

/**
 * How the deploy of some content begins. The first is an install, and so is the one after a withdrawal; what never was
 * deployed counts for nothing, so that an install which failed is an install again.
 */
export function releaseStartOf(
  desiredResources: Content,
  before: FeatureRelease | undefined,
  previous: readonly KubeObject[],
): ReleaseStart {
  const { contentHash: hash, manifests: profileManifests } = desiredResources;
  const live = before === undefined || before.state === "withdrawing" ? undefined : before;
  const carriedOn = live !== undefined && live.state !== "deployed" && live.hash === hash;
  const revision = live === undefined ? 1 : live.state === "deployed" ? live.revision + 1 : live.revision;
  const release: FeatureRelease = {
    featureID: "Resources",
    revision,
    state: "deploying",
    hash,
    ...contentOf(profileManifests, previous),
    hooks: carriedOn ? (live.hooks ?? []) : [],
  };
  return { operation: revision === 1 ? "install" : "upgrade", release, carriedOn };
}

/** The record of content that is all there, and alone. */
export function deployedRelease(release: FeatureRelease, profileManifests: readonly ProfileManifest[]): FeatureRelease {
  return { ...release, state: "deployed", ...contentOf(profileManifests, []) };
}

/** The record of a withdrawal, with all that may have to go: it is known from here alone when the content is gone. */
export function withdrawingRelease(before: FeatureRelease | undefined, previous: readonly KubeObject[]): FeatureRelease {
  if (before?.state === "withdrawing") return before;
  const base = before ?? { featureID: "Resources", revision: 1, hash: "", ...contentOf([], previous) };
  return { ...base, state: "withdrawing", hooks: [] };
}

type Recorded = Pick<FeatureRelease, "objects" | "content">;

/** A deploy writes the same content down when it begins and when it is done. */
const recordedContents = new WeakMap<readonly ProfileManifest[], Recorded>();

/** The objects and the manifests of content, with what may be left of the content before. */
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

/** An object may be a hook now and a resource before: what it was may still have to go. */
function recordKeyOf(object: KubeObject): string {
  return `${isHook(object) ? "hook " : ""}${keyOf(refOf(object))}`;
}

/** Tells whether an object is a hook: it takes part in an operation, and is no part of what is deployed. */
export function isHook({ metadata }: KubeObject): boolean {
  return metadata.annotations?.["helm.sh/hook"] !== undefined;
}

function isDeleteHook(object: KubeObject): boolean {
  return isHook(object) && (object.metadata.annotations?.["helm.sh/hook"] ?? "").includes("delete");
}

/** Of hooks only those are needed later that run when all is deleted. */
function isKept({ object }: ProfileManifest): boolean {
  return !isHook(object) || isDeleteHook(object);
}

/**
 * A manifest as it is remembered: to take it away again its head and its references are enough. What is secret is not
 * written into a status; only a hook of the deletion must be known in full.
 */
function recordedObject({ object, reference }: ProfileManifest): KubeObject {
  if (isDeleteHook(object)) return object;
  const { data: _data, stringData: _text, ...rest } = object;
  const { apiVersion, kind, metadata } = object;
  if (reference.kind === "Secret") return { apiVersion, kind, metadata };
  return object.kind === "Secret" ? { ...rest, apiVersion, kind, metadata } : object;
}

/** What a record remembers of the manifests that it was made of. */
export function previousManifests(release: FeatureRelease | undefined): readonly KubeObject[] {
  if (release?.content === undefined) return [];
  const read: unknown = JSON.parse(gunzipSync(Buffer.from(release.content, "base64")).toString("utf8"));
  return Array.isArray(read) ? read.filter(isKubeObject) : [];
}

/** An object of a record as a manifest; messages call it by its record. */
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

/** The hooks that have run for this content and are not to run again, as the planner names them. */
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
