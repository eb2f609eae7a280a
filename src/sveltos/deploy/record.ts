import { gunzipSync, gzipSync } from "node:zlib";
import { contentHash, valueHash, type FeatureRelease } from "../api/index.ts";
import { isKubeObject, keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Operation, Ordered, Stage } from "../../release/order/index.ts";
import type { Wanted } from "../../release/plan/index.ts";
import type { Manifest } from "../../lang/yaml/index.ts";
import type { Placed } from "./place.ts";

/** A hash of the objects as they were written: while it is the same no hook runs again. */
export function hashOfContent(placed: readonly Placed[]): string {
  return valueHash(placed.map(({ object }) => contentHash(object)).toSorted());
}

/** Content to deploy. */
type Content = { readonly contentHash: string; readonly placed: readonly Placed[] };

/** What a deploy is to be: the operation that hooks hear of, and the record that it begins with. */
export type Beginning = {
  readonly operation: "install" | "upgrade";
  readonly release: FeatureRelease;
  /** The same content was begun before and is carried on: hooks that have succeeded do not run again. */
  readonly carriedOn: boolean;
};

/**
 * How the deploy of some content begins. The first is an install, and so is the one after a withdrawal; what never was
 * deployed counts for nothing, so that an install which failed is an install again.
 */
export function beginningOf(desire: Content, before: FeatureRelease | undefined, former: readonly KubeObject[]): Beginning {
  const { contentHash: hash, placed } = desire;
  const live = before === undefined || before.state === "withdrawing" ? undefined : before;
  const carriedOn = live !== undefined && live.state !== "deployed" && live.hash === hash;
  const revision = live === undefined ? 1 : live.state === "deployed" ? live.revision + 1 : live.revision;
  const release: FeatureRelease = {
    featureID: "Resources",
    revision,
    state: "deploying",
    hash,
    ...contentOf(placed, former),
    hooks: carriedOn ? (live.hooks ?? []) : [],
  };
  return { operation: revision === 1 ? "install" : "upgrade", release, carriedOn };
}

/** The record of content that is all there, and alone. */
export function deployedRelease(release: FeatureRelease, placed: readonly Placed[]): FeatureRelease {
  return { ...release, state: "deployed", ...contentOf(placed, []) };
}

/** The record of a withdrawal, with all that may have to go: it is known from here alone when the content is gone. */
export function withdrawingRelease(before: FeatureRelease | undefined, former: readonly KubeObject[]): FeatureRelease {
  if (before?.state === "withdrawing") return before;
  const base = before ?? { featureID: "Resources", revision: 1, hash: "", ...contentOf([], former) };
  return { ...base, state: "withdrawing", hooks: [] };
}

type Recorded = Pick<FeatureRelease, "objects" | "content">;

/** A deploy writes the same content down when it begins and when it is done. */
const alone = new WeakMap<readonly Placed[], Recorded>();

/** The objects and the manifests of content, with what may be left of the content before. */
function contentOf(placed: readonly Placed[], former: readonly KubeObject[]): Recorded {
  if (former.length > 0) return recordedWith(placed, former);
  const known = alone.get(placed) ?? recordedWith(placed, []);
  alone.set(placed, known);
  return known;
}

function recordedWith(placed: readonly Placed[], former: readonly KubeObject[]): Recorded {
  const keys = new Set(placed.map(({ object }) => placeOf(object)));
  const left = former.filter((object) => !keys.has(placeOf(object)));
  const kept = [...left, ...placed.filter(isKept).map(remembered)];
  return {
    objects: [
      ...left.filter((object) => !isHook(object)).map((object) => refOf(object)),
      ...placed.filter(({ object }) => !isHook(object)).map(({ ref, object }) => ({ ...ref, hash: contentHash(object) })),
    ],
    content: gzipSync(JSON.stringify(kept)).toString("base64"),
  };
}

/** An object may be a hook now and a resource before: what it was may still have to go. */
function placeOf(object: KubeObject): string {
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
function isKept({ object }: Placed): boolean {
  return !isHook(object) || isDeleteHook(object);
}

/**
 * A manifest as it is remembered: to take it away again its head and its references are enough. What is secret is not
 * written into a status; only a hook of the deletion must be known in full.
 */
function remembered({ object, reference }: Placed): KubeObject {
  if (isDeleteHook(object)) return object;
  const { data: _data, stringData: _text, ...rest } = object;
  const { apiVersion, kind, metadata } = object;
  if (reference.kind === "Secret") return { apiVersion, kind, metadata };
  return object.kind === "Secret" ? { ...rest, apiVersion, kind, metadata } : object;
}

/** What a record remembers of the manifests that it was made of. */
export function formerManifests(release: FeatureRelease | undefined): readonly KubeObject[] {
  if (release?.content === undefined) return [];
  const read: unknown = JSON.parse(gunzipSync(Buffer.from(release.content, "base64")).toString("utf8"));
  return Array.isArray(read) ? read.filter(isKubeObject) : [];
}

/** An object of a record as a manifest; messages call it by its record. */
export function recordedManifest(object: KubeObject, at: number): Manifest {
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

/** The event that a stage of an operation is to a hook. */
export function eventOf(operation: Operation, stage: Stage): string {
  return `${stage === "post" ? "post" : "pre"}-${operation}`;
}

/** The hooks that have run for this content and are not to run again, as the planner names them. */
export function hooksDoneIn(release: FeatureRelease, hooks: readonly Ordered<Wanted>[], operation: Operation): ReadonlySet<string> {
  const done = new Set<string>();
  for (const { ref, claims } of hooks) {
    for (const stage of claims.hook ? (claims.stages[operation] ?? []) : []) {
      const event = eventOf(operation, stage);
      if ((release.hooks ?? []).some((hook) => isOf(hook, ref) && hook.operation === event && hook.succeeded))
        done.add(`${stage}/${keyOf(ref)}`);
    }
  }
  return done;
}

function isOf({ group, kind, namespace = "", name }: Hook, ref: ObjectRef): boolean {
  return group === ref.group && kind === ref.kind && namespace === ref.namespace && name === ref.name;
}
