import type { Clock } from "../../core/clock/index.ts";
import { equal, isKubeObject, type KubeObject } from "../../core/object/index.ts";
import { nameConflict, withSystemMetadata, withVersionOf } from "./create-metadata.ts";
import { generateUid } from "./generate-name.ts";
import type { ApiClient } from "./api-client.ts";
import { ComponentClient } from "./component-client.ts";
import { attributesOf, updateAttributesOf, type Admission, type WriteAttributes } from "./admission.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import { checkPreconditions, deletionOf, isDeletionComplete } from "./deletion.ts";
import { checkDnsSubdomain, validateObjectMeta } from "../builtin/index.ts";
import { updateManagedFields, type FieldConversion } from "./field-manager.ts";
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
import { isConvertedByWebhook, ObjectConverter } from "./object-converter.ts";
import { strategyOf } from "./strategy-of.ts";
import { preparedUpdate, validatedUpdate } from "./prepared-update.ts";
import { checkCurrent, keepSystemMetadata, withCommonErrors } from "./update-metadata.ts";
import { warnOfCreate, warnOfUpdate } from "./write-warnings.ts";
import { StoredSizes } from "./stored-sizes.ts";
import { timestampOf } from "../timestamp.ts";
import { invalidError, notFoundError } from "../status-error.ts";
import type { FieldError } from "../field-error.ts";
import type { ObjectStorage } from "../storage/index.ts";
import type { ApiServerDeleteOptions, ApiServerWriteOptions } from "./write-options.ts";
import type { WebhookRunner } from "../webhook/index.ts";

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

/**
 * Takes every write through the stages of a real API server: defaulting, managed fields, admission, preparation,
 * validation, storage. Models apiserver pkg/registry/generic/registry/store.go and pkg/registry/rest
 */
export class ApiServer {
  readonly store: ObjectStorage;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  /** The same for the components of the cluster. */
  readonly components: ApiClient = new ComponentClient(this);
  readonly #random: () => number;
  readonly #sizes = new StoredSizes();
  readonly #admission: Admission;
  readonly #runner: WebhookRunner | undefined;
  readonly #converter: ObjectConverter;

  constructor(parts: ApiServerParts) {
    this.store = parts.store;
    this.catalog = parts.catalog;
    this.clock = parts.clock;
    this.#random = parts.random;
    this.#admission = parts.admission;
    this.#runner = parts.runner;
    this.#converter = new ObjectConverter({ runner: parts.runner, read: (key, namespace, name) => this.read(key, namespace, name) });
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

  /** An object as a request in the resource's version reads it. Throws PendingWebhooks while a webhook converts it. */
  readAs(resource: ServedResource, namespace: string, name: string): KubeObject | undefined {
    const object = this.store.read(resource.key, namespace, name);
    return object === undefined ? undefined : this.decodedAs(resource, [object])[0];
  }

  /** Objects from the storage as a request in the resource's version reads them: only webhooks convert already here. */
  decodedAs(resource: ServedResource, objects: readonly KubeObject[]): readonly KubeObject[] {
    if (!isConvertedByWebhook(resource)) return this.decodedAll(resource.key, objects);
    const versions = this.catalog.versionsOf(resource.key);
    const own = objects.map((object) => {
      const version = versions.find((each) => apiVersionFor(each) === object.apiVersion);
      return decodeStored(object, version);
    });
    return this.#converter.convertAll(own, resource, apiVersionFor(resource));
  }

  /** The same outside of a request. Resolves when webhooks have converted them. */
  async decodedLater(resource: ServedResource, objects: readonly KubeObject[], signal: AbortSignal): Promise<readonly KubeObject[]> {
    const decode = () => this.decodedAs(resource, objects);
    return this.#runner === undefined ? decode() : this.#runner.settle(decode, { signal });
  }

  /** An object in the version of a resource. Throws PendingWebhooks while a webhook converts it. */
  convertTo(resource: ServedResource, object: KubeObject): KubeObject {
    return this.#converter.convert(object, resource, apiVersionFor(resource));
  }

  /** How the fields that managers of other versions own are compared: by objects in their version. */
  fieldConversion(resource: ServedResource): FieldConversion {
    if (!isConvertedByWebhook(resource)) return {};
    return { convert: (object, apiVersion) => (isKubeObject(object) ? this.#converter.convert(object, resource, apiVersion) : object) };
  }

  /** What the mutating plugins make of something that is created and not stored, such as an Eviction. */
  admitCreate(resource: ServedResource, object: KubeObject, options: WriteAttributes): KubeObject {
    return this.#admission.mutate(attributesOf("CREATE", resource, object, options));
  }

  /** Puts it before the validating plugins. Throws a StatusError to reject it. */
  validateCreate(resource: ServedResource, object: KubeObject, options: WriteAttributes): void {
    this.#admission.validate(attributesOf("CREATE", resource, object, options));
  }

  /** Creates an object that was sent in the resource's version. */
  createAs(resource: ServedResource, sent: KubeObject, options: ApiServerWriteOptions): KubeObject {
    const strategy = strategyOf(resource);
    const named = withSystemMetadata(sent, this.#random, this.timestamp());
    const { namespace = "" } = named.metadata;
    const defaulted = strategy.defaults(named, undefined, { applied: options.owned ?? false });
    const owned = options.owned ? defaulted : this.#managed(resource, undefined, defaulted, options);
    const object = inStorageVersion(resource, owned);
    const unnamed = !sent.metadata.name;
    const admitted = this.#admission.mutate({
      ...attributesOf("CREATE", resource, object, { ...options, ...(unnamed ? { name: "" } : {}) }),
      unnamed,
    });
    const prepared = strategy.prepareForCreate(admitted, {
      now: this.timestamp(),
      user: options.user,
      newUid: () => generateUid(this.#random),
      warn: options.warn,
    });
    const { name = "" } = prepared.metadata;
    const errors = options.trusted && resource.key === "pods" ? metadataErrors(prepared) : strategy.validate(prepared);
    if (errors.length > 0) throw invalidError(storedKindOf(resource), name, errors);
    warnOfCreate(strategy, prepared, options);
    this.#admission.validate(attributesOf("CREATE", resource, prepared, options));
    const taken = this.store.read(resource.key, namespace, name);
    if (taken !== undefined) throw nameConflict(resource, prepared, taken);
    const created = isConverted(resource) ? strategy.defaults(prepared) : prepared;
    return options.dryRun ? withVersionOf(created, sent) : this.#put(resource, created, options.sentBytes);
  }

  /** Replaces `live` by `next`, which may be in any version. Writes nothing when nothing changes. */
  updateAs(resource: ServedResource, live: KubeObject, next: KubeObject, options: ApiServerWriteOptions): KubeObject {
    const strategy = strategyOf(resource);
    const { name, namespace = "" } = live.metadata;
    checkCurrent(resource, live, next, options);
    const kept = keepSystemMetadata(live, isConverted(resource) ? inVersion(next, apiVersionFor(resource)) : next);
    const defaulted = strategy.defaults(kept, live, { applied: options.owned ?? false });
    const owned = options.owned ? defaulted : this.#managed(resource, live, defaulted, options);
    const object = inStorageVersion(resource, owned);
    const admitted = this.#admitUpdate(resource, live, object, options);
    const prepared = preparedUpdate(strategy, admitted, live, options.subresource, this.timestamp());
    const errors = options.trusted ? [] : withCommonErrors(live, next, validatedUpdate(strategy, prepared, live, options.subresource));
    if (errors.length > 0) throw invalidError(storedKindOf(resource), name, errors);
    warnOfUpdate(strategy, prepared, live, options);
    this.#admission.validate(updateAttributesOf(resource, live, prepared, options));
    const stored = isConverted(resource) ? strategy.defaults(prepared) : this.#comparable(resource, prepared);
    if (equal({ ...stored, metadata: { ...stored.metadata, resourceVersion: live.metadata.resourceVersion } }, live)) return live;
    if (options.dryRun) return stored;
    if (isDeletionComplete(resource, stored)) {
      this.#remove(resource, namespace, name);
      return stored;
    }
    return this.#put(resource, stored, options.sentBytes);
  }

  #managed(resource: ServedResource, live: KubeObject | undefined, next: KubeObject, options: ApiServerWriteOptions): KubeObject {
    return updateManagedFields(resource, live, next, { ...options, ...this.fieldConversion(resource) }, this.timestamp());
  }

  #admitUpdate(resource: ServedResource, live: KubeObject, object: KubeObject, options: ApiServerWriteOptions): KubeObject {
    const attributes = updateAttributesOf(resource, live, object, options);
    const admitted = this.#admission.mutate(attributes);
    if (options.admittedAs === undefined) return admitted;
    return admitted === attributes.object ? object : options.admittedAs.take(object, admitted);
  }

  /** Deletes an object, or starts its deletion when finalizers or a grace period hold it. */
  deleteAs(resource: ServedResource, namespace: string, name: string, options: ApiServerDeleteOptions = {}): DeletionResult {
    const live = this.readAs(resource, namespace, name);
    if (live === undefined) throw notFoundError(resource, name);
    checkPreconditions(resource, live, options);
    this.#admission.validate(attributesOf("DELETE", resource, live, { ...options, ...(options.isCollection ? { name: "" } : {}) }));
    const next = deletionOf(resource, live, options, this.clock.now());
    if (options.dryRun) return { removed: next === undefined, object: next ?? live };
    if (next === undefined) return { removed: true, object: withoutGrace(resource, this.#remove(resource, namespace, name)) };
    return { removed: false, object: next === live ? live : this.#put(resource, next) };
  }

  #remove({ key }: ServedResource, namespace: string, name: string): KubeObject {
    this.#runner?.commit();
    return this.store.remove(key, namespace, name)!;
  }

  /** A custom object in the version of what it replaces: that of the request, if a webhook converts. */
  #comparable(resource: ServedResource, prepared: KubeObject): KubeObject {
    return isConvertedByWebhook(resource) ? prepared : inVersion(prepared, storageApiVersionOf(resource));
  }

  /** Stores an object, and returns it as it is read again: a webhook converts it there and back before anything is written. */
  #put(resource: ServedResource, object: KubeObject, sentBytes?: number): KubeObject {
    const stored = this.#converter.convert(object, resource, storageApiVersionOf(resource));
    const shown = isConvertedByWebhook(resource) ? this.convertTo(resource, stored) : undefined;
    this.#runner?.commit();
    const saved = this.#sizes.put(this.store, resource.key, stored, sentBytes);
    if (shown === undefined || shown === stored) return saved;
    const { resourceVersion } = saved.metadata;
    const read = { ...shown, metadata: { ...shown.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) } };
    this.#converter.remember(this.decoded(resource.key, saved), resource, read);
    return read;
  }
}

function metadataErrors(pod: KubeObject): readonly FieldError[] {
  return validateObjectMeta(pod, { name: checkDnsSubdomain, namespaced: true });
}

/** A kind that supports a grace period reports that it had none. */
function withoutGrace(resource: ServedResource, object: KubeObject): KubeObject {
  if (strategyOf(resource).gracePeriod(object, 0) === undefined) return object;
  return { ...object, metadata: { ...object.metadata, deletionGracePeriodSeconds: 0 } };
}
