import { findCondition, equal, numberAt, stringAt, valueAt, type KubeObject } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf, splitKey, type Controller, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { controllerOf, controllerManager, ownerSelectorOf } from "../owner/index.ts";
import { isPodActive, isPodReady, scaledCount } from "../pod/index.ts";

const budgets = "poddisruptionbudgets.policy";

/** The kinds that have a scale. */
const scaled: Readonly<Record<string, string>> = {
  ReplicaSet: "replicasets.apps",
  Deployment: "deployments.apps",
  StatefulSet: "statefulsets.apps",
  ReplicationController: "replicationcontrollers",
};

export const disruptionController: ControllerConstructor = (context) => new DisruptionController(context);

/** Models pkg/controller/disruption */
class DisruptionController implements Controller {
  readonly name = "disruption";
  readonly #context: EmbeddedControllerContext;
  /** The budgets by namespace. */
  readonly #byNamespace = new Map<string, Set<string>>();

  constructor(context: EmbeddedControllerContext) {
    this.#context = context;
  }

  readonly watches = {
    [budgets]: ({ type, object }: StoreEvent) => {
      const { namespace = "" } = object.metadata;
      const own = this.#byNamespace.get(namespace) ?? new Set();
      this.#byNamespace.set(namespace, own);
      if (type === "DELETED") own.delete(namespacedKeyOf(object));
      else own.add(namespacedKeyOf(object));
      return [namespacedKeyOf(object)];
    },
    pods: ({ object, previous }: StoreEvent) => {
      if (previous !== undefined && isPodReady(previous) === isPodReady(object) && isPodActive(previous) === isPodActive(object)) return [];
      return this.#byNamespace.get(object.metadata.namespace ?? "") ?? [];
    },
  };

  reconcile(key: string): undefined {
    const { namespace, name } = splitKey(key);
    const budget = this.#context.api.read(budgets, namespace, name);
    if (budget === undefined) return;
    const selector = ownerSelectorOf(budget);
    const pods = this.#context.api.list("pods", namespace).filter((pod) => isPodActive(pod) && selector.matches(pod.metadata.labels ?? {}));
    const status = statusOf(budget, pods, this.#scaleOf(pods), this.#context.clock.now());
    if (!equal(budget["status"], status)) this.#context.api.updateStatus(budgets, { ...budget, status }, controllerManager);
  }

  /** The sum of the replicas of the Pods' owners. Models getExpectedScale */
  #scaleOf(pods: readonly KubeObject[]): number {
    const scales = new Map<string, number>();
    for (const pod of pods) {
      const owner = this.#scaledOwnerOf(pod);
      if (owner !== undefined) scales.set(owner.metadata.uid ?? "", numberAt(owner, "spec.replicas", 1));
    }
    return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  /** The topmost controller that has a scale: a Deployment rather than its ReplicaSet. */
  #scaledOwnerOf(object: KubeObject): KubeObject | undefined {
    const { kind = "", name = "", uid } = controllerOf(object) ?? {};
    const resource = scaled[kind];
    const owner = resource === undefined ? undefined : this.#context.api.read(resource, object.metadata.namespace ?? "", name);
    if (owner === undefined || owner.metadata.uid !== uid) return undefined;
    return this.#scaledOwnerOf(owner) ?? owner;
  }
}

/** Models getExpectedPodCount and updatePdbStatus */
function statusOf(budget: KubeObject, pods: readonly KubeObject[], scale: number, nowMs: number): Readonly<Record<string, unknown>> {
  const minAvailable = valueAt(budget, "spec.minAvailable");
  const maxUnavailable = valueAt(budget, "spec.maxUnavailable");
  const expectedPods = typeof minAvailable === "number" ? pods.length : scale;
  const desiredHealthy =
    maxUnavailable === undefined
      ? scaledCount(minAvailable, expectedPods, "up")
      : Math.max(0, expectedPods - scaledCount(maxUnavailable, expectedPods, "up"));
  const currentHealthy = pods.filter(isPodReady).length;
  const disruptionsAllowed = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  return {
    conditions: [allowance(budget, disruptionsAllowed > 0, nowMs)],
    currentHealthy,
    desiredHealthy,
    disruptionsAllowed,
    expectedPods,
    observedGeneration: budget.metadata.generation ?? 1,
  };
}

/** Models component-helpers apps/poddisruptionbudget UpdateDisruptionAllowedCondition */
function allowance(budget: KubeObject, isAllowed: boolean, nowMs: number): Readonly<Record<string, unknown>> {
  const status = isAllowed ? "True" : "False";
  const known = findCondition(budget, "DisruptionAllowed", status);
  const since = known === undefined ? undefined : stringAt(known, "lastTransitionTime");
  return {
    lastTransitionTime: since ?? `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    message: "",
    observedGeneration: budget.metadata.generation ?? 1,
    reason: isAllowed ? "SufficientPods" : "InsufficientPods",
    status,
    type: "DisruptionAllowed",
  };
}
