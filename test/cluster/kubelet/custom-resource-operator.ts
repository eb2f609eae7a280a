import { isApiFault, isUnknownKind, type Cluster, type WatchEvent } from "../../../src/kube/index.ts";
import { findCondition, conditionsOf, listAt, refOf, stringAt, type KubeObject } from "../../../src/core/object/index.ts";
import { customConditions, matchesGlob, timestamp, type Behaviour } from "../../../src/embedded/behaviour/index.ts";
import { watchForever } from "./watch-forever.ts";

const seed = 1;

/** Replaces the operators of custom resources: writes the conditions of the behaviour rules when they are due. */
export class CustomResourceOperator {
  readonly #cluster: Cluster;
  readonly #behaviour: Behaviour;
  readonly #signal: AbortSignal;
  readonly #fail: (error: unknown) => void;
  readonly #followed = new Set<string>();
  readonly #promised = new Set<string>();

  constructor(cluster: Cluster, behaviour: Behaviour, signal: AbortSignal, fail: (error: unknown) => void) {
    this.#cluster = cluster;
    this.#behaviour = behaviour;
    this.#signal = signal;
    this.#fail = fail;
  }

  /** Watches the objects of a CRD that a rule names, from when it is established until it is deleted. */
  readonly onCrdEvent = ({ type, object }: WatchEvent): void => {
    const { name } = object.metadata;
    const isNamed = this.#behaviour.rules.some(({ match, conditions }) => conditions !== undefined && matchesGlob(match.crd ?? "*", name));
    const isServed = type !== "DELETED" && findCondition(object, "Established", "True") !== undefined;
    if (!isNamed || !isServed || this.#followed.has(name)) return;
    this.#followed.add(name);
    const version = listAt(object, "spec.versions").find((item) => item["served"] === true);
    const target = {
      group: stringAt(object, "spec.group", ""),
      version: stringAt(version, "name", ""),
      kind: stringAt(object, "spec.names.kind", ""),
    };
    watchForever(this.#cluster, target, this.#signal, (event) => this.#onObjectEvent(name, event))
      .catch((error: unknown) => {
        const isOver = error instanceof Error && (isApiFault(error.cause) || isUnknownKind(error.cause));
        if (!isOver && !this.#signal.aborted) this.#fail(error);
      })
      .finally(() => this.#followed.delete(name));
  };

  #onObjectEvent(crd: string, { type, object }: WatchEvent): void {
    if (type === "DELETED") return;
    const { clock } = this.#cluster;
    const age = clock.now() - Date.parse(object.metadata.creationTimestamp ?? "");
    for (const { afterMs, ...promise } of customConditions(object, crd, this.#behaviour, seed)) {
      const key = `${object.metadata.uid} ${promise.type} ${object.metadata.generation ?? 0}`;
      if (this.#promised.has(key)) continue;
      this.#promised.add(key);
      clock.after(Math.max(0, afterMs - age), () => {
        if (!this.#signal.aborted) this.#writeCondition(object, promise).catch(this.#fail);
      });
    }
  }

  async #writeCondition(object: KubeObject, promise: { type: string; status: string; reason?: string; message?: string }): Promise<void> {
    const live = await this.#cluster.find(refOf(object), { signal: this.#signal });
    if (live === undefined) return;
    const { type, status, reason = type, message = "" } = promise;
    const { generation } = live.metadata;
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    const next = { type, status, reason, message, lastTransitionTime: timestamp(this.#cluster.clock.now()), ...observed };
    const conditions = [...conditionsOf(live).filter((item) => item.type !== type), next];
    const patch = { type: "merge", patch: { status: { ...observed, conditions } } } as const;
    const { subresources } = await this.#cluster.discovery.resolve(refOf(object));
    const options = { manager: "sim-operator", ...(subresources.includes("status") ? { subresource: "status" } : {}) };
    await this.#cluster.patch(refOf(object), patch, options);
  }
}
