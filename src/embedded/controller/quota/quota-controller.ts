import { equal, fieldsAt } from "../../../core/object/index.ts";
import { podOf } from "../../behaviour/index.ts";
import type { Change } from "../../store/index.ts";
import { keyOf, partsOf, type Controller, type MakeController, type World } from "../controller.ts";
import { usageOf } from "./usage.ts";

const quotas = "resourcequotas";

/** Keeps `status.hard` and `status.used` of ResourceQuotas. */
export const quotaController: MakeController = (world) => new QuotaController(world);

/** Models pkg/controller/resourcequota */
class QuotaController implements Controller {
  readonly name = "resourcequota";
  readonly #world: World;
  /** The quotas of each namespace that has any. */
  readonly #byNamespace = new Map<string, Set<string>>();

  constructor(world: World) {
    this.#world = world;
  }

  readonly watches = {
    [quotas]: ({ type, object }: Change) => {
      const { namespace = "" } = object.metadata;
      const own = this.#byNamespace.get(namespace) ?? new Set();
      this.#byNamespace.set(namespace, own);
      if (type === "DELETED") own.delete(keyOf(object));
      else own.add(keyOf(object));
      return own;
    },
    "*": (change: Change) => {
      const own = this.#byNamespace.get(change.object.metadata.namespace ?? "");
      return own !== undefined && change.resource !== quotas && changesUsage(change) ? own : [];
    },
  };

  reconcile(key: string): undefined {
    const { namespace, name } = partsOf(key);
    const quota = this.#world.api.read(quotas, namespace, name);
    if (quota === undefined) return;
    const used = usageOf(quota, (resource) => this.#world.api.list(resource, namespace));
    const status = { hard: fieldsAt(quota, "spec.hard"), used };
    if (!equal(quota["status"], status)) this.#world.api.updateStatus(quotas, { ...quota, status }, "kube-controller-manager");
  }
}

/** What comes and goes is counted, what is written is seldom: only sizes, types and ends matter. */
function changesUsage({ type, resource, object, previous }: Change): boolean {
  if (resource === "events") return false;
  if (type !== "MODIFIED" || previous === undefined) return true;
  if (resource !== "pods") return object["spec"] !== previous["spec"];
  return podOf(object).status?.phase !== podOf(previous).status?.phase;
}
