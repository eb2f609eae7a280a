import type { KubeObject } from "../../../core/object/index.ts";
import * as refuse from "../../refusal.ts";

/** A write that is being decided on; `live` is what it replaces. */
export type Attempt = {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: refuse.ResourceName & { readonly key: string };
  readonly object: KubeObject;
  readonly live?: KubeObject;
  readonly subresource?: string;
  readonly dryRun?: boolean;
};

/** All that admission asks of the cluster beside the object itself. */
export type Surroundings = {
  read(resource: string, namespace: string, name: string): KubeObject | undefined;
  /** An empty namespace means all of them. */
  list(resource: string, namespace?: string): readonly KubeObject[];
  /** A name with a random end. */
  generatedName(prefix: string): string;
  /** Takes it down that a quota is used up to here from now on. */
  charge(quota: KubeObject, used: Readonly<Record<string, string>>): void;
};

/** Gives the object as the plugin leaves it: the same one when nothing changes. A refusal is thrown. */
export type Mutation = (object: KubeObject, attempt: Attempt, around: Surroundings) => KubeObject;

/** Throws a refusal, or lets the write pass. */
export type Check = (attempt: Attempt, around: Surroundings) => void;

/** Models apiserver pkg/admission/errors.go NewForbidden */
export function forbidden({ resource, object }: Attempt, why: string): refuse.Refusal {
  return refuse.forbidden(resource, object.metadata.name, why);
}

/** Several complaints as one. Models apimachinery pkg/util/errors NewAggregate */
export function together(complaints: readonly string[]): string {
  const said = [...new Set(complaints)];
  return said.length === 1 ? said[0]! : `[${said.join(", ")}]`;
}
