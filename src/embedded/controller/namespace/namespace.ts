import { conditionsOf, equal, isFields, stringsAt, type Condition, type KubeObject } from "../../../core/object/index.ts";
import { isRefusal } from "../../refusal.ts";
import { timestamp } from "../../behaviour/index.ts";
import type { Change } from "../../store/index.ts";
import type { Controller, MakeController, World } from "../controller.ts";

const finalizer = "kubernetes";
const writer = "kube-controller-manager";

/** Empties namespaces that are being deleted, pods first, and lets them go. */
export const namespaceController: MakeController = (world) => new NamespaceController(world);

/** What is left of a namespace's content: how many of each resource, and how many wait on each finalizer. */
type Remains = { readonly resources: Map<string, number>; readonly finalizers: Map<string, number>; readonly failures: string[] };

function nothingLeft(): Remains {
  return { resources: new Map(), finalizers: new Map(), failures: [] };
}

/** Models pkg/controller/namespace/deletion/namespaced_resources_deleter.go */
class NamespaceController implements Controller {
  readonly name = "namespace";
  readonly #world: World;
  /** The namespaces that are being deleted, with how many pods each had when it was last looked at. */
  readonly #ending = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  readonly watches = {
    namespaces: ({ type, object }: Change) => {
      const { name, deletionTimestamp } = object.metadata;
      if (type === "DELETED" || deletionTimestamp === undefined) {
        this.#ending.delete(name);
        return [];
      }
      this.#ending.set(name, this.#ending.get(name) ?? 0);
      return [name];
    },
    "*": ({ type, resource, object }: Change) => {
      const { namespace = "" } = object.metadata;
      const pods = this.#ending.get(namespace);
      if (type !== "DELETED" || pods === undefined) return [];
      if (resource !== "pods") return [namespace];
      // Only the last pod's end is news: everything else waits for it.
      this.#ending.set(namespace, pods - 1);
      return pods > 1 ? [] : [namespace];
    },
  };

  reconcile(name: string): undefined {
    const namespace = this.#world.api.read("namespaces", "", name);
    if (namespace?.metadata.deletionTimestamp === undefined || !stringsAt(namespace, "spec.finalizers").includes(finalizer)) return;
    const pods = nothingLeft();
    this.#emptyOf("pods", name, pods);
    this.#ending.set(name, pods.resources.get("pods") ?? 0);
    // What pods may still need goes after them, and as long as any is left nothing is said of it.
    if (pods.resources.size > 0) return void this.#explain(namespace, { ...nothingLeft(), failures: pods.failures });
    const remains = nothingLeft();
    for (const { resource, namespaced } of this.#world.resources()) if (namespaced) this.#emptyOf(resource, name, remains);
    if (remains.resources.size === 0) this.#finish(namespace);
    else this.#explain(namespace, remains);
  }

  #emptyOf(resource: string, namespace: string, { resources, finalizers, failures }: Remains): void {
    for (const { metadata } of this.#world.api.list(resource, namespace)) {
      if (metadata.deletionTimestamp !== undefined) continue;
      try {
        this.#world.api.delete(resource, namespace, metadata.name, { propagation: "background" });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        failures.push(error.message);
      }
    }
    const left = this.#world.api.list(resource, namespace);
    if (left.length > 0) resources.set(resource, left.length);
    for (const { metadata } of left) for (const name of metadata.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
  }

  #finish(namespace: KubeObject): void {
    const explained = this.#explain(namespace, nothingLeft());
    const spec = isFields(explained["spec"]) ? explained["spec"] : {};
    const finalizers = stringsAt(explained, "spec.finalizers").filter((name) => name !== finalizer);
    const { finalizers: _all, ...rest } = spec;
    this.#world.api.update("namespaces", { ...explained, spec: finalizers.length === 0 ? rest : { ...rest, finalizers } }, writer);
  }

  #explain(namespace: KubeObject, remains: Remains): KubeObject {
    const time = timestamp(this.#world.clock.now());
    const before = conditionsOf(namespace);
    const next = verdictsOn(remains).map((verdict): Condition => {
      const known = before.find(({ type }) => type === verdict.type);
      return { ...verdict, lastTransitionTime: known?.status === verdict.status ? (known.lastTransitionTime ?? time) : time };
    });
    const others = before.filter(({ type }) => !next.some((item) => item.type === type));
    const conditions = [...others, ...next];
    if (equal(conditions, before)) return namespace;
    const status = isFields(namespace["status"]) ? namespace["status"] : {};
    return this.#world.api.updateStatus("namespaces", { ...namespace, status: { ...status, phase: "Terminating", conditions } }, writer);
  }
}

type Words = readonly [reason: string, message: string];

function verdict(type: string, isTrue: boolean, [reason, message]: Words, [okReason, okMessage]: Words): Condition {
  return isTrue ? { type, status: "True", reason, message } : { type, status: "False", reason: okReason, message: okMessage };
}

/** Models pkg/controller/namespace/deletion/status_condition_utils.go */
function verdictsOn({ resources, finalizers, failures }: Remains): readonly Condition[] {
  const left = [...resources]
    .map(([resource, count]) => `${resource.includes(".") ? resource : `${resource}.`} has ${count} resource instances`)
    .sort();
  const held = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`).sort();
  const never = ["", ""] as const;
  return [
    verdict("NamespaceDeletionDiscoveryFailure", false, never, ["ResourcesDiscovered", "All resources successfully discovered"]),
    verdict("NamespaceDeletionGroupVersionParsingFailure", false, never, [
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ]),
    verdict(
      "NamespaceDeletionContentFailure",
      failures.length > 0,
      ["ContentDeletionFailed", `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(", ")}`],
      ["ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
    ),
    verdict(
      "NamespaceContentRemaining",
      left.length > 0,
      ["SomeResourcesRemain", `Some resources are remaining: ${left.join(", ")}`],
      ["ContentRemoved", "All content successfully removed"],
    ),
    verdict(
      "NamespaceFinalizersRemaining",
      held.length > 0,
      ["SomeFinalizersRemain", `Some content in the namespace has finalizers remaining: ${held.join(", ")}`],
      ["ContentHasNoFinalizers", "All content-preserving finalizers finished"],
    ),
  ];
}
