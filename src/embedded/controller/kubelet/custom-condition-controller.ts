import { conditionsOf, isFields, type KubeObject } from "../../../core/object/index.ts";
import { customConditions, timestamp, type Behaviour } from "../../behaviour/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf, splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";

/** Stands in for the operators of custom resources: writes the conditions of the rules, after their delays. */
export function customConditionController({ behaviour, seed }: { behaviour: Behaviour; seed: number }): ControllerConstructor {
  const named = behaviour.rules.filter(({ conditions }) => conditions !== undefined).map(({ match }) => match.crd ?? "*");
  const watched = named.includes("*") ? ["*"] : [...new Set(named)];
  const keysOf = ({ type, resource, object }: StoreEvent) => {
    if (type === "DELETED" || customConditions(object, resource, behaviour, seed).length === 0) return [];
    return [`${resource} ${namespacedKeyOf(object)}`];
  };
  return (context) => ({
    name: "custom-condition",
    watches: Object.fromEntries(watched.map((resource) => [resource, keysOf])),
    reconcile: (key) => reconcileConditions(context, key, behaviour, seed),
  });
}

function reconcileConditions(context: EmbeddedControllerContext, key: string, behaviour: Behaviour, seed: number): number | undefined {
  const space = key.indexOf(" ");
  const resource = key.slice(0, space);
  const { namespace, name } = splitKey(key.slice(space + 1));
  const object = context.api.read(resource, namespace, name);
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return undefined;
  const age = context.clock.now() - lastChangeOf(object);
  const expected = customConditions(object, resource, behaviour, seed);
  const due = expected.filter(({ afterMs }) => afterMs <= age);
  const next = due.length === 0 ? object : withConditions(object, due, timestamp(context.clock.now()));
  if (next !== object) context.api.updateStatus(resource, next, "sim-operator");
  const waits = expected.filter(({ afterMs }) => afterMs > age).map(({ afterMs }) => afterMs - age);
  return waits.length === 0 ? undefined : Math.min(...waits);
}

/** When somebody last changed what the operator acts on: its own writes are to the status. */
function lastChangeOf({ metadata: { creationTimestamp = "", managedFields = [] } }: KubeObject): number {
  const changes = managedFields.filter(({ subresource }) => subresource === undefined).map(({ time = "" }) => Date.parse(time));
  return Math.max(Date.parse(creationTimestamp), ...changes.filter((ms) => !Number.isNaN(ms)));
}

function withConditions(object: KubeObject, due: ReturnType<typeof customConditions>, time: string): KubeObject {
  const { generation } = object.metadata;
  const before = conditionsOf(object);
  const next = due.map(({ type, status, reason = type, message = "" }) => {
    const known = before.find((item) => item.type === type);
    const lastTransitionTime = known?.status === status ? known.lastTransitionTime : time;
    return { type, status, reason, message, lastTransitionTime, ...(generation === undefined ? {} : { observedGeneration: generation }) };
  });
  const kept = before.filter(({ type }) => !due.some((item) => item.type === type));
  const status = isFields(object["status"]) ? object["status"] : {};
  return {
    ...object,
    status: { ...status, ...(generation === undefined ? {} : { observedGeneration: generation }), conditions: [...kept, ...next] },
  };
}
