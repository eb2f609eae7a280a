import { condition, equal, numberAt, stringAt, valueAt, type KubeObject } from "../../../core/object/index.ts";
import type { Change } from "../../store/index.ts";
import { keyOf, partsOf, type Controller, type MakeController, type World } from "../controller.ts";
import { controllerOf, manager, selectorOf } from "../owner/index.ts";
import { isActive, isReady, scaledCount } from "../pod/index.ts";

const budgets = "poddisruptionbudgets.policy";

/** What says how many Pods there should be. */
const scaled: Readonly<Record<string, string>> = {
  ReplicaSet: "replicasets.apps",
  Deployment: "deployments.apps",
  StatefulSet: "statefulsets.apps",
  ReplicationController: "replicationcontrollers",
};

export const disruptionController: MakeController = (world) => new DisruptionController(world);

/** Models pkg/controller/disruption */
class DisruptionController implements Controller {
  readonly name = "disruption";
  readonly #world: World;
  /** The budgets of each namespace that has any. */
  readonly #byNamespace = new Map<string, Set<string>>();

  constructor(world: World) {
    this.#world = world;
  }

  readonly watches = {
    [budgets]: ({ type, object }: Change) => {
      const { namespace = "" } = object.metadata;
      const own = this.#byNamespace.get(namespace) ?? new Set();
      this.#byNamespace.set(namespace, own);
      if (type === "DELETED") own.delete(keyOf(object));
      else own.add(keyOf(object));
      return [keyOf(object)];
    },
    pods: ({ object, previous }: Change) => {
      if (previous !== undefined && isReady(previous) === isReady(object) && isActive(previous) === isActive(object)) return [];
      return this.#byNamespace.get(object.metadata.namespace ?? "") ?? [];
    },
  };

  reconcile(key: string): undefined {
    const { namespace, name } = partsOf(key);
    const budget = this.#world.api.read(budgets, namespace, name);
    if (budget === undefined) return;
    const selector = selectorOf(budget);
    const pods = this.#world.api.list("pods", namespace).filter((pod) => isActive(pod) && selector.matches(pod.metadata.labels ?? {}));
    const status = statusOf(budget, pods, this.#scaleOf(pods), this.#world.clock.now());
    if (!equal(budget["status"], status)) this.#world.api.updateStatus(budgets, { ...budget, status }, manager);
  }

  /** How many Pods those who made these want in all. Models getExpectedScale */
  #scaleOf(pods: readonly KubeObject[]): number {
    const scales = new Map<string, number>();
    for (const pod of pods) {
      const maker = this.#makerOf(pod);
      if (maker !== undefined) scales.set(maker.metadata.uid ?? "", numberAt(maker, "spec.replicas", 1));
    }
    return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  /** The last in the line of controllers that has a scale: a Deployment rather than its ReplicaSet. */
  #makerOf(object: KubeObject): KubeObject | undefined {
    const { kind = "", name = "", uid } = controllerOf(object) ?? {};
    const resource = scaled[kind];
    const maker = resource === undefined ? undefined : this.#world.api.read(resource, object.metadata.namespace ?? "", name);
    if (maker === undefined || maker.metadata.uid !== uid) return undefined;
    return this.#makerOf(maker) ?? maker;
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
  const currentHealthy = pods.filter(isReady).length;
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
  const known = condition(budget, "DisruptionAllowed", status);
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
