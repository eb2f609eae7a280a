import { conditionsOf, equal, isFields, stringsAt, type Condition, type KubeObject } from "../../../core/object/index.ts";
import { isStatusError } from "../../status-error.ts";
import { timestamp } from "../../behaviour/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import type { Controller, ControllerConstructor, EmbeddedControllerContext } from "../controller.ts";

const finalizer = "kubernetes";
const writer = "kube-controller-manager";

/** Deletes the content of terminating namespaces, pods first, and then finalizes them. */
export const namespaceController: ControllerConstructor = (context) => new NamespaceController(context);

/** The remaining content of a namespace: the number of objects by resource, and by finalizer. */
type RemainingContent = { readonly resources: Map<string, number>; readonly finalizers: Map<string, number>; readonly failures: string[] };

function noRemainingContent(): RemainingContent {
  return { resources: new Map(), finalizers: new Map(), failures: [] };
}

/** Models pkg/controller/namespace/deletion/namespaced_resources_deleter.go */
class NamespaceController implements Controller {
  readonly name = "namespace";
  readonly #context: EmbeddedControllerContext;
  /** The terminating namespaces, with the number of pods at the last sync. */
  readonly #terminating = new Map<string, number>();

  constructor(context: EmbeddedControllerContext) {
    this.#context = context;
  }

  readonly watches = {
    namespaces: ({ type, object }: StoreEvent) => {
      const { name, deletionTimestamp } = object.metadata;
      if (type === "DELETED" || deletionTimestamp === undefined) {
        this.#terminating.delete(name);
        return [];
      }
      this.#terminating.set(name, this.#terminating.get(name) ?? 0);
      return [name];
    },
    "*": ({ type, resource, object }: StoreEvent) => {
      const { namespace = "" } = object.metadata;
      const pods = this.#terminating.get(namespace);
      if (type !== "DELETED" || pods === undefined) return [];
      if (resource !== "pods") return [namespace];
      // Only the deletion of the last pod enqueues the namespace: everything else waits for it.
      this.#terminating.set(namespace, pods - 1);
      return pods > 1 ? [] : [namespace];
    },
  };

  reconcile(name: string): undefined {
    const namespace = this.#context.api.read("namespaces", "", name);
    if (namespace?.metadata.deletionTimestamp === undefined || !stringsAt(namespace, "spec.finalizers").includes(finalizer)) return;
    const pods = noRemainingContent();
    this.#deleteAllOf("pods", name, pods);
    this.#terminating.set(name, pods.resources.get("pods") ?? 0);
    // Other resources are deleted after the pods that may need them, and are not reported before.
    if (pods.resources.size > 0) return void this.#updateConditions(namespace, { ...noRemainingContent(), failures: pods.failures });
    const remaining = noRemainingContent();
    for (const { resource, namespaced } of this.#context.resources()) if (namespaced) this.#deleteAllOf(resource, name, remaining);
    if (remaining.resources.size === 0) this.#finalize(namespace);
    else this.#updateConditions(namespace, remaining);
  }

  #deleteAllOf(resource: string, namespace: string, { resources, finalizers, failures }: RemainingContent): void {
    for (const { metadata } of this.#context.api.list(resource, namespace)) {
      if (metadata.deletionTimestamp !== undefined) continue;
      try {
        this.#context.api.delete(resource, namespace, metadata.name, { propagation: "background" });
      } catch (error) {
        if (!isStatusError(error)) throw error;
        failures.push(error.message);
      }
    }
    const left = this.#context.api.list(resource, namespace);
    if (left.length > 0) resources.set(resource, left.length);
    for (const { metadata } of left) for (const name of metadata.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
  }

  #finalize(namespace: KubeObject): void {
    const updated = this.#updateConditions(namespace, noRemainingContent());
    const spec = isFields(updated["spec"]) ? updated["spec"] : {};
    const finalizers = stringsAt(updated, "spec.finalizers").filter((name) => name !== finalizer);
    const { finalizers: _all, ...rest } = spec;
    this.#context.api.update("namespaces", { ...updated, spec: finalizers.length === 0 ? rest : { ...rest, finalizers } }, writer);
  }

  #updateConditions(namespace: KubeObject, remaining: RemainingContent): KubeObject {
    const time = timestamp(this.#context.clock.now());
    const before = conditionsOf(namespace);
    const next = deletionConditionsOf(remaining).map((condition): Condition => {
      const known = before.find(({ type }) => type === condition.type);
      return { ...condition, lastTransitionTime: known?.status === condition.status ? (known.lastTransitionTime ?? time) : time };
    });
    const others = before.filter(({ type }) => !next.some((item) => item.type === type));
    const conditions = [...others, ...next];
    if (equal(conditions, before)) return namespace;
    const status = isFields(namespace["status"]) ? namespace["status"] : {};
    return this.#context.api.updateStatus("namespaces", { ...namespace, status: { ...status, phase: "Terminating", conditions } }, writer);
  }
}

type ReasonAndMessage = readonly [reason: string, message: string];

function deletionCondition(
  type: string,
  isTrue: boolean,
  [reason, message]: ReasonAndMessage,
  [okReason, okMessage]: ReasonAndMessage,
): Condition {
  return isTrue ? { type, status: "True", reason, message } : { type, status: "False", reason: okReason, message: okMessage };
}

/** Models pkg/controller/namespace/deletion/status_condition_utils.go */
function deletionConditionsOf({ resources, finalizers, failures }: RemainingContent): readonly Condition[] {
  const left = [...resources]
    .map(([resource, count]) => `${resource.includes(".") ? resource : `${resource}.`} has ${count} resource instances`)
    .sort();
  const held = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`).sort();
  const never = ["", ""] as const;
  return [
    deletionCondition("NamespaceDeletionDiscoveryFailure", false, never, ["ResourcesDiscovered", "All resources successfully discovered"]),
    deletionCondition("NamespaceDeletionGroupVersionParsingFailure", false, never, [
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ]),
    deletionCondition(
      "NamespaceDeletionContentFailure",
      failures.length > 0,
      ["ContentDeletionFailed", `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(", ")}`],
      ["ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
    ),
    deletionCondition(
      "NamespaceContentRemaining",
      left.length > 0,
      ["SomeResourcesRemain", `Some resources are remaining: ${left.join(", ")}`],
      ["ContentRemoved", "All content successfully removed"],
    ),
    deletionCondition(
      "NamespaceFinalizersRemaining",
      held.length > 0,
      ["SomeFinalizersRemain", `Some content in the namespace has finalizers remaining: ${held.join(", ")}`],
      ["ContentHasNoFinalizers", "All content-preserving finalizers finished"],
    ),
  ];
}
