import { finalizers } from "../../api/index.ts";
import { resetFeatures, summaryStatusOf } from "../../deploy/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { ownerKeysOf } from "./profile-index.ts";
import type { SummaryWrite } from "./roll-out.ts";

/** Writes to the management cluster, and remembers what the copies have to catch up with. */
export class HubWriter {
  readonly #desk: ControllerContext;
  readonly #signal: AbortSignal;
  readonly #written: KubeObject[] = [];
  readonly #deleted: KubeObject[] = [];

  constructor(context: ControllerContext, signal: AbortSignal) {
    this.#desk = context;
    this.#signal = signal;
  }

  async write(step: SummaryWrite): Promise<void> {
    const { verb, object } = step;
    if (verb === "create") await this.create(object);
    else if (verb === "delete") await this.#withdraw(object, step.farewell);
    else await this.#update(object, step.counted);
  }

  async create(summary: KubeObject): Promise<void> {
    const { hub, telemetry } = this.#desk;
    try {
      this.#written.push(await hub.create(summary, { signal: this.#signal }));
      telemetry.count("sluice_records_written_total", { kind: summary.kind, verb: "create" });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await this.#recognise(summary);
    }
  }

  /** Two profiles and two clusters can make the same name: `a-sveltos-b` in `c`, and `a` in `b-sveltos-c`. */
  async #recognise(summary: KubeObject): Promise<void> {
    const found = await this.#desk.hub.find(refOf(summary), { signal: this.#signal });
    if (found === undefined) return;
    const [owner = "nobody"] = ownerKeysOf(found);
    if (ownerKeysOf(summary).includes(owner)) return void this.#written.push(found);
    const { namespace = "", name } = found.metadata;
    throw new Fault(`create ClusterSummary ${namespace}/${name}`, `that name is taken by ${owner}: rename one of the two profiles`);
  }

  async #update(summary: KubeObject, counted: boolean): Promise<void> {
    const { hub, telemetry } = this.#desk;
    const at = counted ? await this.#uncounted(summary) : summary.metadata.resourceVersion;
    const { managedFields: _fields, ...metadata } = summary.metadata;
    const object = { ...summary, metadata: { ...metadata, ...(at !== undefined && { resourceVersion: at }) } };
    this.#written.push(await hub.replace(object, { signal: this.#signal }));
    telemetry.count("sluice_records_written_total", { kind: summary.kind, verb: "update" });
  }

  async #withdraw(summary: KubeObject, farewell: KubeObject | undefined): Promise<void> {
    if (farewell !== undefined) await this.#update(farewell, false);
    await this.delete(summary);
  }

  /**
   * Says of a ClusterSummary that nothing is provisioned, at a version on which the new spec is written next: whoever
   * writes Provisioned in between makes that fail, and whoever writes it later means the new spec.
   */
  async #uncounted(summary: KubeObject): Promise<string | undefined> {
    const { resourceVersion } = summary.metadata;
    const status = resetFeatures(summaryStatusOf(summary));
    if (status.featureSummaries === undefined) return resourceVersion;
    const patch = { type: "merge", patch: { metadata: { resourceVersion }, status } } as const;
    const written = await this.#desk.hub.patch(refOf(summary), patch, { subresource: "status", signal: this.#signal });
    return written.metadata.resourceVersion;
  }

  async delete(object: KubeObject): Promise<void> {
    const { hub, telemetry } = this.#desk;
    const { uid } = object.metadata;
    const left = await hub.delete(refOf(object), { signal: this.#signal, ...(uid !== undefined && { preconditions: { uid } }) });
    if (left === undefined) this.#deleted.push(object);
    else this.#written.push(left);
    telemetry.count("sluice_records_written_total", { kind: object.kind, verb: "delete" });
  }

  /** Takes our finalizer off an object that nothing holds any more. */
  async removeFinalizer(object: KubeObject, finalizer: string = finalizers.ClusterSummary): Promise<void> {
    const { finalizers: before = [], resourceVersion } = object.metadata;
    if (!before.includes(finalizer)) return;
    const patch = { metadata: { resourceVersion, finalizers: before.filter((each) => each !== finalizer) } };
    this.#written.push(await this.#desk.hub.patch(refOf(object), { type: "merge", patch }, { signal: this.#signal }));
  }

  async patch(object: KubeObject, patch: { readonly metadata?: object; readonly status?: object }): Promise<KubeObject> {
    const { resourceVersion } = object.metadata;
    const body = { ...patch, metadata: { ...patch.metadata, resourceVersion } };
    const part = patch.status === undefined ? {} : { subresource: "status" };
    const written = await this.#desk.hub.patch(refOf(object), { type: "merge", patch: body }, { ...part, signal: this.#signal });
    this.#written.push(written);
    return written;
  }

  /** Resolves when the next look at the copies shows what was written here. */
  async waitForCache(): Promise<void> {
    const { cache } = this.#desk;
    await Promise.all([cache.waitForWrites(this.#written, this.#signal), cache.waitForDeletes(this.#deleted, this.#signal)]);
  }
}

/** Somebody has changed it or taken it away meanwhile, which we shall hear of. */
export function isStaleWrite(error: unknown): boolean {
  return isConflict(error) || isNotFound(error);
}
