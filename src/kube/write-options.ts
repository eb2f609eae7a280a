import type { KubeObject } from "../core/object/index.ts";
import type { ObjectLocation } from "./resource.ts";
import type { Abortable } from "./selection.ts";

export type WriteOptions = Abortable & {
  /** Validate without storing anything. Default false. */
  readonly dryRun?: boolean;
  /** The field manager. Default: the client's. */
  readonly manager?: string;
  /** How to treat unknown fields. Default: the server's, which is Warn. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Write this subresource: `status`, `scale`. Default: the object itself. */
  readonly subresource?: string;
};

export type CreateOptions = WriteOptions & {
  /** The object whose `subresource` is created: an eviction of a pod, a token of a service account. Default: none. */
  readonly under?: ObjectLocation;
};

export type ApplyOptions = WriteOptions & {
  /** Take over fields from other field managers. Default false: conflicts are refused. */
  readonly force?: boolean;
};

/** A patch and its type. `apply` is server-side apply. */
export type Patch =
  | { readonly type: "json"; readonly patch: readonly unknown[] }
  | { readonly type: "merge" | "strategic"; readonly patch: unknown }
  | { readonly type: "apply"; readonly patch: unknown; readonly force?: boolean };

export const patchTypes: Readonly<Record<Patch["type"], string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

export type DeleteOptions = Abortable & {
  /** The deletion propagation of dependents. Default: the kind's own (background, for nearly all). */
  readonly propagation?: "background" | "foreground" | "orphan";
  /** Delete only this state of the object. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
};

const policies = { background: "Background", foreground: "Foreground", orphan: "Orphan" };

/** The DeleteOptions body. Undefined when all options are defaults. */
export function deleteBody({ propagation, preconditions, gracePeriodSeconds, dryRun }: DeleteOptions): string | undefined {
  const body = {
    ...(propagation === undefined ? {} : { propagationPolicy: policies[propagation] }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
  return Object.keys(body).length === 0 ? undefined : JSON.stringify({ apiVersion: "v1", kind: "DeleteOptions", ...body });
}

export function writeQuery({ dryRun, manager, fieldValidation }: WriteOptions) {
  return { dryRun: dryRun ? "All" : undefined, fieldManager: manager, fieldValidation };
}

/** The result of a deletion: the remaining object (finalizers, a grace period), or undefined when it is gone. */
export type Deleted = KubeObject | undefined;
