import type { Fields, KubeObject } from "../../core/object/index.ts";
import { encoded } from "../builtin/index.ts";
import { definitionOf, mergeTypeNamed } from "../data/index.ts";
import {
  applyManaged,
  deducedType,
  excluding,
  resolverBy,
  setOf,
  typeOfCustomResource,
  updateManaged,
  type Filter,
  type ManagedKind,
  type Type,
} from "../merge/index.ts";
import { Refusal } from "../refusal.ts";
import { apiVersionFor, type Resource } from "./resource.ts";

/** Who writes, and to which part of the object. */
export type Writer = {
  readonly manager: string;
  readonly subresource?: string;
  /** One of our own: what it writes is known to fit. */
  readonly trusted?: boolean;
};

/** The object that an ordinary write is about to store, with who owns its fields from now on. */
export function takeOwnership(
  resource: Resource,
  live: KubeObject | undefined,
  next: KubeObject,
  writer: Writer,
  time: string,
): KubeObject {
  const { manager, subresource, trusted = false } = writer;
  return updateManaged({ kind: kindOf(resource), live, next, time, manager, subresource, reset: resetOf(resource, writer), fits: trusted });
}

export type ApplyWriter = Writer & { readonly force: boolean };

/** The live object with what was applied merged into it. Another owner in the way, or a value of the wrong type, refuses it. */
export function applyOwned(
  resource: Resource,
  live: KubeObject | undefined,
  config: KubeObject,
  writer: ApplyWriter,
  time: string,
): KubeObject {
  const { manager, subresource, force } = writer;
  const result = applyManaged({
    kind: kindOf(resource),
    live,
    config,
    time,
    manager,
    subresource,
    force,
    reset: resetOf(resource, writer),
  });
  switch (result.state) {
    case "applied":
      return result.object;
    case "conflicting": {
      const causes = result.causes.map((cause) => ({ reason: "FieldManagerConflict", ...cause }));
      throw new Refusal(409, "Conflict", result.message, { causes });
    }
    case "refused":
      throw new Refusal(result.code, result.code === 400 ? "BadRequest" : "", result.message);
  }
}

const status = excluding(setOf(["status"]));
const spec = excluding(setOf(["spec"]));

/** What a status write of these kinds cannot change beside the spec. Models GetResetFields of pkg/registry/.../strategy.go */
const statusResets: Readonly<Record<string, Filter>> = {
  "deployments.apps": excluding(setOf(["spec"], ["metadata", "labels"])),
  pods: excluding(setOf(["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"])),
};

/** Nobody comes to own what the endpoint takes no notice of. */
function resetOf({ key, subresources }: Resource, { subresource }: Writer): Filter | undefined {
  if (!subresources.has("status")) return undefined;
  return subresource === "status" ? (statusResets[key] ?? spec) : status;
}

const builtIn = resolverBy(mergeTypeNamed);
const kinds = new WeakMap<Resource, ManagedKind>();

function kindOf(resource: Resource): ManagedKind {
  const known = kinds.get(resource);
  if (known !== undefined) return known;
  const apiVersion = apiVersionFor(resource);
  const own = { apiVersion, kind: resource.kind, type: typeOf(resource) };
  const made: ManagedKind =
    resource.custom === undefined ? { ...own, blank: blankOf(apiVersion, resource.kind) } : { ...own, served: resource.custom.servedType };
  kinds.set(resource, made);
  return made;
}

/** The zero value of the Go type: nobody owns a struct that is always there. */
function blankOf(apiVersion: string, kind: string): Fields {
  return encoded({ apiVersion, kind, metadata: { name: "" } });
}

/** How the fields of a resource's objects are merged. */
export function typeOf(resource: Resource): Type {
  if (resource.custom !== undefined) return typeOfCustomResource(resource.custom.served.schema);
  const name = definitionOf(resource);
  return (name === undefined ? undefined : builtIn.named(name)) ?? deducedType;
}
