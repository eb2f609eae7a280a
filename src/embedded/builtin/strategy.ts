import { numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { FieldError } from "../field-error.ts";
import { defaultsByKind } from "./defaulting/defaults-by-kind.ts";
import { podSubresources, type SubresourceStrategy } from "./pod-subresources.ts";
import { prepareApproval } from "./prepare/certificate-signing-request.ts";
import { prepareByKind } from "./prepare/prepare-by-kind.ts";
import { keepGeneration, keepStatus, takeStatusOnly, withStatus, type WriteTime } from "./prepare/generation-and-status.ts";
import { selectableFieldsOf } from "./selectable-fields.ts";
import { validateApproval } from "./validation/certificate-signing-request.ts";
import { validationFor } from "./validation/validation-by-kind.ts";
import { warningsByKind, type WarningStrategy } from "./warning/warnings-by-kind.ts";
import { encodedObject } from "./wire/encode.ts";
import { goStructNameOf, goStructOf } from "./wire/go-struct-type.ts";

/**
 * The strategy of one kind. All functions are pure and return the same object when nothing changes.
 *
 * A create runs defaults, mutating admission, prepareForCreate (uid, name and creationTimestamp are set by then),
 * validate and validating admission; an update runs defaults, mutating admission, prepareForUpdate, validateUpdate and
 * validating admission. Services are allocated right before they are prepared.
 */
export type Strategy = {
  /**
   * The object as the server's Go types hold it, with the defaults of its version: without unknown and empty fields,
   * and with canonical quantities. Parts that are shared with `live` have been through this before and are not visited
   * again. `applied`: it comes from server-side apply, and no body was decoded.
   */
  defaults(object: KubeObject, live?: KubeObject, options?: { readonly applied?: boolean }): KubeObject;
  prepareForCreate(object: KubeObject, moment: WriteTime): KubeObject;
  prepareForUpdate(object: KubeObject, live: KubeObject): KubeObject;
  /** A write to the status subresource: only the status changes, and the metadata where the kind allows it. */
  prepareStatus(object: KubeObject, live: KubeObject, moment: WriteTime): KubeObject;
  validate(object: KubeObject): readonly FieldError[];
  validateUpdate(object: KubeObject, live: KubeObject): readonly FieldError[];
  validateStatus(object: KubeObject, live: KubeObject): readonly FieldError[];
  /** What a valid write is warned of. Default: nothing. */
  readonly warnings?: WarningStrategy;
  /** All fields that field selectors of this kind support, metadata.name and metadata.namespace included. */
  selectableFields(object: KubeObject): Readonly<Record<string, string>>;
  /** The grace period in seconds, for kinds that are deleted gracefully; undefined for kinds that are removed at once. */
  gracePeriod(object: KubeObject, requested?: number): number | undefined;
  /** Whether a PUT or PATCH without resourceVersion is accepted. */
  readonly allowsUnconditionalUpdate: boolean;
  /** Whether a PUT of an absent object creates it. */
  readonly allowsCreateOnUpdate: boolean;
  /** What happens to dependents when a delete request does not set a propagation policy. */
  readonly dependents: "delete" | "orphan" | "unsupported";
  /** Writes to subresources that change a part of the object other than its status. Default: none. */
  readonly subresources?: Readonly<Record<string, SubresourceStrategy>>;
};

const neverUnconditional = new Set([
  "apiextensions.k8s.io/CustomResourceDefinition",
  "apiregistration.k8s.io/APIService",
  "admissionregistration.k8s.io/MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
  "coordination.k8s.io/Lease",
  "node.k8s.io/RuntimeClass",
  "policy/PodDisruptionBudget",
  "storage.k8s.io/CSIDriver",
  "storage.k8s.io/CSINode",
  "storage.k8s.io/CSIStorageCapacity",
  "storage.k8s.io/VolumeAttachment",
]);

const createdByPut = new Set([
  "/Endpoints",
  "/Event",
  "/LimitRange",
  "/Service",
  "coordination.k8s.io/Lease",
  "events.k8s.io/Event",
  "node.k8s.io/RuntimeClass",
  "rbac.authorization.k8s.io/ClusterRole",
  "rbac.authorization.k8s.io/ClusterRoleBinding",
  "rbac.authorization.k8s.io/Role",
  "rbac.authorization.k8s.io/RoleBinding",
]);

const dependentsOf: Readonly<Record<string, Strategy["dependents"]>> = {
  "/ReplicationController": "orphan",
  "batch/Job": "orphan",
  "/Event": "unsupported",
  "events.k8s.io/Event": "unsupported",
};

/** Models pkg/registry/core/pod/strategy.go CheckGracefulDelete */
function podGracePeriod(pod: KubeObject, requested?: number): number {
  const ended = ["Failed", "Succeeded"].includes(stringAt(pod, "status.phase", ""));
  if (ended || stringAt(pod, "spec.nodeName", "") === "") return 0;
  const period = requested ?? numberAt(pod, "spec.terminationGracePeriodSeconds", 0);
  return period < 0 ? 1 : period;
}

function hasStatus(object: KubeObject): boolean {
  const name = goStructNameOf(object.apiVersion, object.kind);
  return name !== undefined && goStructOf(name).byName.has("status");
}

const subresourcesOf: Readonly<Record<string, Strategy["subresources"]>> = {
  "/Pod": podSubresources,
  "certificates.k8s.io/CertificateSigningRequest": { approval: { prepare: prepareApproval, validate: validateApproval } },
};

const strategies = new Map<string, Strategy>();

/** The strategy of a built-in kind; a generic one for a kind without its own rules. */
export function builtInStrategyFor(group: string, kind: string): Strategy {
  const key = `${group}/${kind}`;
  const known = strategies.get(key);
  if (known) return known;
  const strategy = newBuiltInStrategy(key);
  strategies.set(key, strategy);
  return strategy;
}

/** Kinds whose status has defaults: see ./defaulting. */
const statusHasDefaults: ReadonlySet<string> = new Set(
  ["Namespace", "Node", "PersistentVolume", "PersistentVolumeClaim", "Pod", "Service"].map((kind) => `/${kind}`),
);

function newBuiltInStrategy(key: string): Strategy {
  const preparation = prepareByKind[key] ?? {};
  const ownDefaults = defaultsByKind[key];
  const defaults = (object: KubeObject, ...known: readonly (KubeObject | undefined)[]): KubeObject => {
    const whole = encodedObject(object, [known[0], known[1]]);
    const isKnown = (part: string) => known.some((other) => other?.[part] === whole[part]);
    // For most kinds only the spec has defaults, so a status write has nothing to fill in.
    const filledIn = whole["spec"] !== undefined && isKnown("spec") && (!statusHasDefaults.has(key) || isKnown("status"));
    return ownDefaults === undefined || filledIn ? whole : ownDefaults(whole);
  };
  const create = preparation.create ?? ((object: KubeObject) => (hasStatus(object) ? withStatus(object, {}) : object));
  const update = preparation.update ?? ((object: KubeObject, live: KubeObject) => (hasStatus(object) ? keepStatus(object, live) : object));
  const status = preparation.status ?? takeStatusOnly;
  return {
    defaults: (object, live) => defaults(object, live),
    // Fields that a strategy clears are defaulted again when the object is read from storage.
    prepareForCreate: (object, moment) => defaults(create(object, moment), object),
    prepareForUpdate: (object, live) => defaults(update(keepGeneration(object, live), live), live, object),
    prepareStatus: (object, live, moment) => defaults(status(object, live, moment), live, object),
    ...validationFor(key),
    selectableFields: selectableFieldsOf(key),
    gracePeriod: key === "/Pod" ? podGracePeriod : () => undefined,
    allowsUnconditionalUpdate: !neverUnconditional.has(key),
    allowsCreateOnUpdate: createdByPut.has(key),
    dependents: dependentsOf[key] ?? "delete",
    ...(warningsByKind[key] === undefined ? {} : { warnings: warningsByKind[key] }),
    ...(subresourcesOf[key] === undefined ? {} : { subresources: subresourcesOf[key] }),
  };
}
