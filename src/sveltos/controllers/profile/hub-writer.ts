import { finalizers } from "../../api/index.ts";
import { resetFeatures, summaryStatusOf } from "../../deploy/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { isObserved } from "./desired-summary.ts";
import { ownersOf } from "./profile-index.ts";
import { profileIdentity } from "./profile-key.ts";
import type { SummaryWrite } from "./roll-out.ts";

/** Writes to the management cluster, and waits at the end until the cache has all writes. */
export class HubWriter {
  readonly #context: ControllerContext;
  readonly #signal: AbortSignal;
  readonly #written: KubeObject[] = [];
  readonly #deleted: KubeObject[] = [];

  constructor(context: ControllerContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
  }

  async write(write: SummaryWrite): Promise<void> {
    const { verb, object } = write;
    if (verb === "create") await this.create(object);
    else if (verb === "delete") await this.#updateAndDelete(object, write.finalUpdate);
    else await this.#update(object, write);
  }

  async create(summary: KubeObject): Promise<void> {
    const { hub, telemetry } = this.#context;
    try {
      this.#written.push(await hub.create(summary, { signal: this.#signal }));
      telemetry.count("sluice_records_written_total", { kind: summary.kind, verb: "create" });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await this.#adoptExisting(summary);
    }
  }

  /** Different profiles and clusters can give the same name: `a-sveltos-b` in `c`, and `a` in `b-sveltos-c`. */
  async #adoptExisting(summary: KubeObject): Promise<void> {
    const found = await this.#context.hub.find(refOf(summary), { signal: this.#signal });
    if (found === undefined) return;
    const [owner = "nobody"] = ownersOf(found).map(profileIdentity);
    if (ownersOf(summary).map(profileIdentity).includes(owner)) return void this.#written.push(found);
    const { namespace = "", name } = found.metadata;
    throw new Fault(`create ClusterSummary ${namespace}/${name}`, `that name is taken by ${owner}: rename one of the two profiles`);
  }

  async #update(
    summary: KubeObject,
    { resetStatus = false, sameContent = false }: { readonly resetStatus?: boolean; readonly sameContent?: boolean } = {},
  ): Promise<void> {
    const { hub, telemetry } = this.#context;
    const at = resetStatus ? await this.#resetStatus(summary) : summary.metadata.resourceVersion;
    const { managedFields: _fields, ...metadata } = summary.metadata;
    const object = { ...summary, metadata: { ...metadata, ...(at !== undefined && { resourceVersion: at }) } };
    const written = await hub.replace(object, { signal: this.#signal });
    telemetry.count("sluice_records_written_total", { kind: summary.kind, verb: "update" });
    const { generation } = written.metadata;
    if (sameContent && generation !== summary.metadata.generation && isObserved(summary))
      await this.patch(written, { status: { observedGeneration: generation } });
    else this.#written.push(written);
  }

  async #updateAndDelete(summary: KubeObject, finalUpdate: KubeObject | undefined): Promise<void> {
    if (finalUpdate !== undefined) await this.#update(finalUpdate);
    await this.delete(summary);
  }

  /**
   * Resets the status of a ClusterSummary and gives the resourceVersion at which the new spec is written next. A Provisioned
   * that is written in between makes that write fail; one that is written later means the new spec.
   */
  async #resetStatus(summary: KubeObject): Promise<string | undefined> {
    const { resourceVersion } = summary.metadata;
    const status = resetFeatures(summaryStatusOf(summary));
    if (status.featureSummaries === undefined) return resourceVersion;
    const patch = { type: "merge", patch: { metadata: { resourceVersion }, status } } as const;
    const written = await this.#context.hub.patch(refOf(summary), patch, { subresource: "status", signal: this.#signal });
    return written.metadata.resourceVersion;
  }

  async delete(object: KubeObject): Promise<void> {
    const { hub, telemetry } = this.#context;
    const { uid } = object.metadata;
    const left = await hub.delete(refOf(object), { signal: this.#signal, ...(uid !== undefined && { preconditions: { uid } }) });
    if (left === undefined) this.#deleted.push(object);
    else this.#written.push(left);
    telemetry.count("sluice_records_written_total", { kind: object.kind, verb: "delete" });
  }

  /** Removes a finalizer from an object. */
  async removeFinalizer(object: KubeObject, finalizer: string = finalizers.ClusterSummary): Promise<void> {
    const { finalizers: before = [], resourceVersion } = object.metadata;
    if (!before.includes(finalizer)) return;
    const patch = { metadata: { resourceVersion, finalizers: before.filter((each) => each !== finalizer) } };
    this.#written.push(await this.#context.hub.patch(refOf(object), { type: "merge", patch }, { signal: this.#signal }));
  }

  async patch(object: KubeObject, patch: { readonly metadata?: object; readonly status?: object }): Promise<KubeObject> {
    const { resourceVersion } = object.metadata;
    const body = { ...patch, metadata: { ...patch.metadata, resourceVersion } };
    const part = patch.status === undefined ? {} : { subresource: "status" };
    const written = await this.#context.hub.patch(refOf(object), { type: "merge", patch: body }, { ...part, signal: this.#signal });
    this.#written.push(written);
    return written;
  }

  /** Resolves when the cache has all writes. */
  async waitForCache(): Promise<void> {
    const { cache } = this.#context;
    await Promise.all([cache.waitForWrites(this.#written, this.#signal), cache.waitForDeletes(this.#deleted, this.#signal)]);
  }
}

/** The object was changed or deleted meanwhile: that change requeues the key. */
export function isStaleWrite(error: unknown): boolean {
  return isConflict(error) || isNotFound(error);
}
