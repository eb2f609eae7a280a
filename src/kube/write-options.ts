import type { KubeObject } from "../core/object/index.ts";
import type { ObjectLocation } from "./resource.ts";
import type { Abortable } from "./selection.ts";

export type WriteOptions = Abortable & {
  /** Check and answer as if, but store nothing. Default false. */
  readonly dryRun?: boolean;
  /** Under which name the written fields are owned. Default: the client's. */
  readonly manager?: string;
  /** What to do about fields that the schema does not know. Default: the server's, which is Warn. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Write this part of the object only: `status`, `scale`. Default: the object itself. */
  readonly subresource?: string;
};

export type CreateOptions = WriteOptions & {
  /** The object that this is created for, as its `subresource`: an eviction of a pod, a token of a service account. Default: none. */
  readonly under?: ObjectLocation;
};

export type ApplyOptions = WriteOptions & {
  /** Take fields over from whoever owns them. Default false: conflicts are refused. */
  readonly force?: boolean;
};

/** A patch, with the manner in which it is meant. `apply` is server-side apply. */
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
  /** What becomes of what the object owns. Default: the kind's own (background, for nearly all). */
  readonly propagation?: "background" | "foreground" | "orphan";
  /** Delete only if the object is still this one. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
};

const policies = { background: "Background", foreground: "Foreground", orphan: "Orphan" };

/** The DeleteOptions to send, or nothing when there is nothing to say. */
export function deleteBody({ propagation, preconditions, gracePeriodSeconds, dryRun }: DeleteOptions): string | undefined {
  const said = {
    ...(propagation === undefined ? {} : { propagationPolicy: policies[propagation] }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
  return Object.keys(said).length === 0 ? undefined : JSON.stringify({ apiVersion: "v1", kind: "DeleteOptions", ...said });
}

export function writeQuery({ dryRun, manager, fieldValidation }: WriteOptions) {
  return { dryRun: dryRun ? "All" : undefined, fieldManager: manager, fieldValidation };
}

/** What a deletion came to: the object as it still is (finalizers, a grace period), or undefined when it is gone. */
export type Deleted = KubeObject | undefined;
