import type { Clock } from "../../core/clock/index.ts";
import { equal, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { generateName, generateUid } from "./generate-name.ts";
import type { ApiClient, DeleteOptions } from "./api-client.ts";
import { attributesOf, updateAttributesOf, type Admission, type AdmittedView } from "./admission.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import { checkPreconditions, deletionOf, isDeletionComplete } from "./deletion.ts";
import { checkDnsSubdomain, validateObjectMeta } from "../builtin/index.ts";
import { applyManagedFields, updateManagedFields } from "./field-manager.ts";
import {
  apiVersionFor,
  inStorageVersion,
  inVersion,
  isConverted,
  storageApiVersionOf,
  storedKindOf,
  type ServedResource,
} from "./served-resource.ts";
import { decodeStored } from "./decode-stored.ts";
import { strategyOf } from "./strategy-of.ts";
import { preparedUpdate, validatedUpdate } from "./prepared-update.ts";
import { checkCurrent, keepSystemMetadata } from "./update-metadata.ts";
import { StoredSizes } from "./stored-sizes.ts";
import { timestampOf } from "../timestamp.ts";
import { alreadyExistsError, generatedNameConflict, invalidError, notFoundError, StatusError } from "../status-error.ts";
import type { FieldError } from "../field-error.ts";
import type { UserInfo } from "../authentication/index.ts";
import type { ObjectStorage } from "../storage/index.ts";
import type { WebhookRunner } from "../webhook/index.ts";

/** The options of a write. */
export type ApiServerWriteOptions = {
  /** The field manager that owns the fields which the write sets. */
  readonly manager: string;
  /** The subresource that is written. Default: the object itself, without its status. */
  readonly subresource?: string;
  /** Runs every stage but storage. */
  readonly dryRun?: boolean;
  /** The length of the request's body. Default: 0, a write of an embedded controller. */
  readonly sentBytes?: number;
  /** The managedFields are up to date: server-side apply has computed them. */
  readonly owned?: boolean;
  /** Who writes. Default: a component of the cluster. */
  readonly user?: UserInfo;
  /** The query's part of CreateOptions and UpdateOptions, as admission sees them. Default: the field manager. */
  readonly requestOptions?: Fields;
  /** What admission sees instead of the object, where the subresource has a kind of its own. Default: the object. */
  readonly admittedAs?: AdmittedView;
  /** Warns the client. Default: nobody listens. */
  readonly warn?: (message: string) => void;
  /** An embedded controller writes: its changes are valid, and the spec of its Pod was validated as a template. */
  readonly trusted?: boolean;
  /** The API server writes by itself, past the webhooks. Default: false. */
  readonly internal?: boolean;
};

/** The options of a deletion that a client asks for. */
export type ApiServerDeleteOptions = DeleteOptions &
  Pick<ApiServerWriteOptions, "dryRun" | "user" | "requestOptions" | "warn" | "internal"> & {
    /** The object goes with its collection: the request does not name it. Default false. */
    readonly isCollection?: boolean;
  };

type ApiServerParts = {
  readonly store: ObjectStorage;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly random: () => number;
  readonly admission: Admission;
  /** Runs requests that webhooks take part in. Default: none do. */
  readonly runner?: WebhookRunner;
};

/** The result of a deletion: the object while finalizers or a grace period hold it, otherwise its last state. */
type DeletionResult = { readonly removed: boolean; readonly object: KubeObject };

/** The field manager of writes that the API server makes by itself. */
const ownManager = "kube-apiserver";

/**
 * Takes every write through the stages of a real API server: defaulting, managed fields, admission, preparation,
 * validation, storage. Models apiserver pkg/registry/generic/registry/store.go and pkg/registry/rest
 */
export class ApiServer implements ApiClient {
  readonly store: ObjectStorage;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly #random: () => number;
  readonly #sizes = new StoredSizes();
  readonly #admission: Admission;
  readonly #runner: WebhookRunner | undefined;

  constructor(parts: ApiServerParts) {
    this.store = parts.store;
    this.catalog = parts.catalog;
    this.clock = parts.clock;
    this.#random = parts.random;
    this.#admission = parts.admission;
    this.#runner = parts.runner;
  }

  /** The current time as the API writes it: to the second. */
  timestamp(): string {
    return timestampOf(this.#runner?.now() ?? this.clock.now());
  }

  /** Does a step of a request once, however often the request runs again for webhooks. */
  once<T>(step: () => T): T {
    return this.#runner === undefined ? step() : this.#runner.once(step);
  }

  read(key: string, namespace: string, name: string): KubeObject | undefined {
    const object = this.store.read(key, namespace, name);
    return object === undefined ? undefined : this.decoded(key, object);
  }

  list(key: string, namespace = ""): readonly KubeObject[] {
    return this.decodedAll(key, this.store.list(key, namespace));
  }

  /** An object from the storage, of any revision, as it is served now. */
  decoded(key: string, object: KubeObject): KubeObject {
    return decodeStored(object, this.catalog.stored(key));
  }

  decodedAll(key: string, objects: readonly KubeObject[]): readonly KubeObject[] {
    const resource = this.catalog.stored(key);
    return resource?.custom === undefined ? objects : objects.map((object) => decodeStored(object, resource));
  }

  ownedBy(uid: string): readonly { readonly resource: string; readonly object: KubeObject }[] {
    return this.store.ownedBy(uid);
  }

  create(key: string, object: KubeObject, manager: string): KubeObject {
    return this.createAs(this.#stored(key), object, { manager, trusted: true, internal: manager === ownManager });
  }

  update(key: string, object: KubeObject, manager: string): KubeObject {
    const live = this.read(key, object.metadata.namespace ?? "", object.metadata.name);
    return this.#updateTrusted(key, object, { manager, ...controllerSubresource(key, live, object) });
  }

  updateStatus(key: string, object: KubeObject, manager: string): KubeObject {
    return this.#updateTrusted(key, object, { manager, subresource: "status" });
  }

  apply(key: string, config: KubeObject, manager: string): KubeObject {
    return this.#applyTrusted(key, config, { manager });
  }

  applyStatus(key: string, config: KubeObject, manager: string): KubeObject {
    return this.#applyTrusted(key, config, { manager, subresource: "status" });
  }

  #applyTrusted(key: string, config: KubeObject, options: ApiServerWriteOptions): KubeObject {
    const resource = this.#stored(key);
    const live = this.read(key, config.metadata.namespace ?? "", config.metadata.name);
    if (live === undefined) throw notFoundError(resource, config.metadata.name);
    const merged = applyManagedFields(resource, live, config, { ...options, force: true }, this.timestamp());
    return this.updateAs(resource, live, merged, { ...options, owned: true, trusted: true });
  }

  delete(key: string, namespace: string, name: string, options: DeleteOptions = {}): void {
    const resource = this.#stored(key);
    if (this.store.read(key, namespace, name) !== undefined) this.deleteAs(resource, namespace, name, options);
  }

  /** Creates an object that was sent in the resource's version. */
  createAs(resource: ServedResource, sent: KubeObject, options: ApiServerWriteOptions): KubeObject {
    const strategy = strategyOf(resource);
    const named = this.#withSystemMetadata(sent);
    const { namespace = "" } = named.metadata;
    const defaulted = strategy.defaults(named, undefined, { applied: options.owned ?? false });
    const owned = options.owned ? defaulted : updateManagedFields(resource, undefined, defaulted, options, this.timestamp());
    const object = inStorageVersion(resource, owned);
    const unnamed = !sent.metadata.name;
    const admitted = this.#admission.mutate({ ...attributesOf("CREATE", resource, object, options), unnamed });
    const prepared = strategy.prepareForCreate(admitted, { now: this.timestamp(), user: options.user });
    const { name = "" } = prepared.metadata;
    const errors = options.trusted && resource.key === "pods" ? metadataErrors(prepared) : strategy.validate(prepared);
    if (errors.length > 0) throw invalidError(storedKindOf(resource), name, errors);
    this.#admission.validate(attributesOf("CREATE", resource, prepared, options));
    if (this.store.read(resource.key, namespace, name) !== undefined) throw nameConflict(resource, prepared);
    const created = isConverted(resource) ? strategy.defaults(prepared) : prepared;
    return options.dryRun ? withVersionOf(created, sent) : this.#put(resource, created, options.sentBytes);
  }

  /** Replaces `live` by `next`, which may be in any version. Writes nothing when nothing changes. */
  updateAs(resource: ServedResource, live: KubeObject, next: KubeObject, options: ApiServerWriteOptions): KubeObject {
    const strategy = strategyOf(resource);
    const { name, namespace = "" } = live.metadata;
    checkCurrent(resource, live, next);
    const kept = keepSystemMetadata(live, isConverted(resource) ? inVersion(next, apiVersionFor(resource)) : next);
    const defaulted = strategy.defaults(kept, live, { applied: options.owned ?? false });
    const owned = options.owned ? defaulted : updateManagedFields(resource, live, defaulted, options, this.timestamp());
    const object = inStorageVersion(resource, owned);
    const admitted = this.#admitUpdate(resource, live, object, options);
    const prepared = preparedUpdate(strategy, admitted, live, options.subresource, this.timestamp());
    const errors = options.trusted ? [] : validatedUpdate(strategy, prepared, live, options.subresource);
    if (errors.length > 0) throw invalidError(storedKindOf(resource), name, errors);
    this.#admission.validate(updateAttributesOf(resource, live, prepared, options));
    const stored = isConverted(resource) ? strategy.defaults(prepared) : inVersion(prepared, storageApiVersionOf(resource));
    if (equal({ ...stored, metadata: { ...stored.metadata, resourceVersion: live.metadata.resourceVersion } }, live)) return live;
    if (options.dryRun) return stored;
    if (isDeletionComplete(resource, stored)) {
      this.#remove(resource, namespace, name);
      return stored;
    }
    return this.#put(resource, stored, options.sentBytes);
  }

  /** A view of the object is looked at, and not changed. */
  #admitUpdate(resource: ServedResource, live: KubeObject, object: KubeObject, options: ApiServerWriteOptions): KubeObject {
    const admitted = this.#admission.mutate(updateAttributesOf(resource, live, object, options));
    return options.admittedAs === undefined ? admitted : object;
  }

  /** Deletes an object, or starts its deletion when finalizers or a grace period hold it. */
  deleteAs(resource: ServedResource, namespace: string, name: string, options: ApiServerDeleteOptions = {}): DeletionResult {
    const live = this.read(resource.key, namespace, name);
    if (live === undefined) throw notFoundError(resource, name);
    checkPreconditions(resource, live, options);
    this.#admission.validate(attributesOf("DELETE", resource, live, { ...options, ...(options.isCollection ? { name: "" } : {}) }));
    const next = deletionOf(resource, live, options, this.clock.now());
    if (options.dryRun) return { removed: next === undefined, object: next ?? live };
    if (next === undefined) return { removed: true, object: withoutGrace(resource, this.#remove(resource, namespace, name)) };
    return { removed: false, object: next === live ? live : this.#put(resource, next) };
  }

  #updateTrusted(key: string, object: KubeObject, options: ApiServerWriteOptions): KubeObject {
    const resource = this.#stored(key);
    const { namespace = "", name } = object.metadata;
    const live = this.read(key, namespace, name);
    if (live === undefined) throw notFoundError(resource, name);
    return this.updateAs(resource, live, object, { ...options, trusted: true, internal: options.manager === ownManager });
  }

  #remove({ key }: ServedResource, namespace: string, name: string): KubeObject {
    this.#runner?.commit();
    return this.store.remove(key, namespace, name)!;
  }

  #put(resource: ServedResource, object: KubeObject, sentBytes?: number): KubeObject {
    this.#runner?.commit();
    const stored = inVersion(object, storageApiVersionOf(resource));
    return this.#sizes.put(this.store, resource.key, stored, sentBytes);
  }

  #stored(key: string): ServedResource {
    const resource = this.catalog.stored(key);
    if (resource === undefined) throw new StatusError(404, "NotFound", "the server could not find the requested resource");
    return resource;
  }

  /** Models apiserver pkg/registry/rest/create.go BeforeCreate and meta.go FillObjectMetaSystemFields */
  #withSystemMetadata({ metadata, ...rest }: KubeObject): KubeObject {
    const { resourceVersion: _sent, deletionTimestamp: _never, deletionGracePeriodSeconds: _grace, ...kept } = metadata;
    const name = metadata.name || (metadata.generateName ? generateName(metadata.generateName, this.#random) : "");
    const uid = generateUid(this.#random);
    const creationTimestamp = this.timestamp();
    return { ...rest, metadata: { ...kept, name, uid, creationTimestamp } } as KubeObject;
  }
}

/**
 * What changes through a subresource alone, and controllers write: a namespace's spec.finalizers, a pod's spec.nodeName and
 * the decision on a CertificateSigningRequest.
 */
function controllerSubresource(key: string, live: KubeObject | undefined, next: KubeObject): { subresource?: string } {
  if (key === "namespaces") return { subresource: "finalize" };
  if (key === "certificatesigningrequests.certificates.k8s.io") return { subresource: "approval" };
  const binds = key === "pods" && !stringAt(live, "spec.nodeName") && stringAt(next, "spec.nodeName", "") !== "";
  return binds ? { subresource: "binding" } : {};
}

function metadataErrors(pod: KubeObject): readonly FieldError[] {
  return validateObjectMeta(pod, { name: checkDnsSubdomain, namespaced: true });
}

/** A kind that supports a grace period reports that it had none. */
function withoutGrace(resource: ServedResource, object: KubeObject): KubeObject {
  if (strategyOf(resource).gracePeriod(object, 0) === undefined) return object;
  return { ...object, metadata: { ...object.metadata, deletionGracePeriodSeconds: 0 } };
}

function nameConflict(resource: ServedResource, { metadata: { name, generateName } }: KubeObject): StatusError {
  return generateName ? generatedNameConflict(resource, name) : alreadyExistsError(resource, name);
}

/** A dry run shows the version that was sent, since none is given. */
function withVersionOf(created: KubeObject, { metadata: { resourceVersion } }: KubeObject): KubeObject {
  return resourceVersion ? { ...created, metadata: { ...created.metadata, resourceVersion } } : created;
}
