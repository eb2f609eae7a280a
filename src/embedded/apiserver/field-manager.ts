import { groupVersionOf, isKubeObject, type Fields, type KubeObject } from "../../core/object/index.ts";
import { encodedObject, isConvertible } from "../builtin/index.ts";
import { schemaNameOf, schemaOf, mergeTypeNamed } from "../data/index.ts";
import { conversionError } from "../schema/index.ts";
import {
  applyManaged,
  deducedType,
  excluding,
  resolverBy,
  fieldSetOf,
  titleOfKind,
  titleOfObject,
  typeOfCustomResource,
  updateManaged,
  updateManagedLater,
  type FieldSetFilter,
  type ManagedKind,
  type MergeType,
} from "../managedfields/index.ts";
import { StatusError } from "../status-error.ts";
import { apiVersionFor, inVersion, isConverted, type ServedResource } from "./served-resource.ts";

/** Converts objects of a custom resource between its versions. Default: all versions have the same fields. */
export type FieldConversion = Pick<Partial<ManagedKind>, "convert">;

/** A field manager, and the subresource that it writes. */
type FieldManager = {
  readonly manager: string;
  readonly subresource?: string;
  /** An embedded controller writes: the object is known to fit its type. */
  readonly trusted?: boolean;
} & FieldConversion;

/** The object that a create or update is about to store, with its managedFields up to date. */
export function updateManagedFields(
  resource: ServedResource,
  live: KubeObject | undefined,
  next: KubeObject,
  writer: FieldManager,
  time: string,
): KubeObject {
  const { manager, subresource, trusted = false } = writer;
  const write = {
    kind: managedKindFor(resource, writer),
    live: asRequested(resource, live),
    next,
    time,
    manager,
    subresource,
    reset: resetOf(resource, writer),
    fits: trusted,
  };
  // What a webhook converts cannot wait.
  return trusted && resource.custom === undefined ? updateManagedLater(write) : updateManaged(write);
}

type ApplyFieldManager = FieldManager & { readonly force: boolean };

/**
 * The live object with the applied configuration merged into it. A conflict with another field manager or a value of
 * the wrong type throws a StatusError.
 */
export function applyManagedFields(
  resource: ServedResource,
  live: KubeObject | undefined,
  config: KubeObject,
  writer: ApplyFieldManager,
  time: string,
): KubeObject {
  const { manager, subresource, force } = writer;
  const result = applyManaged({
    kind: managedKindFor(resource, writer),
    live: asRequested(resource, live),
    config,
    time,
    manager,
    subresource,
    force,
    reset: resetOf(resource, writer),
  });
  switch (result.state) {
    case "applied":
      checkConversion(resource, result.object, config);
      return result.object;
    case "conflicting": {
      const causes = result.causes.map((cause) => ({ reason: "FieldManagerConflict", ...cause }));
      throw new StatusError(409, "Conflict", result.message, { causes });
    }
    case "rejected":
      throw new StatusError(result.code, result.code === 400 ? "BadRequest" : "", result.message);
  }
}

/** The stored object in the version of the request. */
function asRequested(resource: ServedResource, live: KubeObject | undefined): KubeObject | undefined {
  return live === undefined || !isConverted(resource) ? live : inVersion(live, apiVersionFor(resource));
}

/** Merging is about trees; only the Go type of a built-in kind knows what fits into its numbers, quantities and bytes. */
function checkConversion(resource: ServedResource, merged: KubeObject, config: KubeObject): void {
  const schema = resource.custom === undefined ? schemaOf(resource) : undefined;
  const wrong = schema === undefined ? undefined : conversionError(merged, schema);
  // A number that is too large is cut without a word.
  if (wrong === undefined || wrong.startsWith("unrecognized type: ")) return;
  const kind = titleOfKind(config.apiVersion, config.kind);
  const what = `failed to convert new object (${titleOfObject(config)}) to proper version`;
  throw new StatusError(500, "", `${what}: unable to convert unstructured object to ${kind}: ${wrong}`);
}

const status = excluding(fieldSetOf(["status"]));
const spec = excluding(fieldSetOf(["spec"]));

/** The fields that a status write of these kinds resets beside the spec. Models GetResetFields of pkg/registry/.../strategy.go */
const statusResets: Readonly<Record<string, FieldSetFilter>> = {
  "deployments.apps": excluding(fieldSetOf(["spec"], ["metadata", "labels"])),
  pods: excluding(fieldSetOf(["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"])),
};

const signingRequests = "certificatesigningrequests.certificates.k8s.io";

/** The fields that each endpoint of a CertificateSigningRequest resets: its spec never changes. */
const signingRequestResets: Readonly<Record<string, FieldSetFilter>> = {
  "": excluding(fieldSetOf(["spec"], ["status"])),
  status: excluding(fieldSetOf(["spec"], ["status", "conditions"])),
  approval: excluding(fieldSetOf(["spec"], ["status", "certificate"])),
};

/** The fields that the endpoint resets, which no manager comes to own by writing to it. */
function resetOf({ key, subresources }: ServedResource, { subresource }: FieldManager): FieldSetFilter | undefined {
  if (key === signingRequests) return signingRequestResets[subresource ?? ""];
  if (!subresources.has("status")) return undefined;
  return subresource === "status" ? (statusResets[key] ?? spec) : status;
}

const builtIn = resolverBy(mergeTypeNamed);
const kinds = new WeakMap<ServedResource, ManagedKind>();

function managedKindFor(resource: ServedResource, { convert }: FieldConversion): ManagedKind {
  const kind = managedKindOf(resource);
  return convert === undefined ? kind : { ...kind, convert };
}

function managedKindOf(resource: ServedResource): ManagedKind {
  const known = kinds.get(resource);
  if (known !== undefined) return known;
  const apiVersion = apiVersionFor(resource);
  const own = { apiVersion, kind: resource.kind, type: mergeTypeOf(resource) };
  const made: ManagedKind =
    resource.custom === undefined ? { ...own, ...builtInKindOf(resource) } : { ...own, served: resource.custom.servedType };
  kinds.set(resource, made);
  return made;
}

/** A built-in kind, whose other versions belong to the same group: managers of another group's version are dropped. */
function builtInKindOf({ group, version, kind }: ServedResource): Pick<ManagedKind, "blank" | "served" | "convert"> {
  const own = apiVersionFor({ group, version });
  return {
    blank: blankOf(own, kind),
    served: (apiVersion) => {
      const other = groupVersionOf(apiVersion);
      if (other.group !== group || !isConvertible(kind, own, apiVersion)) return undefined;
      const name = schemaNameOf({ ...other, kind });
      return name === undefined ? undefined : builtIn.named(name);
    },
    convert: (object, apiVersion) => (isKubeObject(object) ? inVersion(object, apiVersion) : object),
  };
}

/** The zero value of the Go type. Structs that are always present have no owner. */
function blankOf(apiVersion: string, kind: string): Fields {
  return encodedObject({ apiVersion, kind, metadata: { name: "" } });
}

/** The merge type of a resource. */
function mergeTypeOf(resource: ServedResource): MergeType {
  if (resource.custom !== undefined) return typeOfCustomResource(resource.custom.served.schema);
  const name = schemaNameOf(resource);
  return (name === undefined ? undefined : builtIn.named(name)) ?? deducedType;
}
