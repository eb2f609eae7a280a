import { equal, fieldsAt } from "../../../core/object/index.ts";
import { asPod } from "../../behaviour/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf, splitKey, type Controller, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { quotaUsageOf } from "./quota-usage.ts";

const quotas = "resourcequotas";

/** Maintains `status.hard` and `status.used` of ResourceQuotas. */
export const quotaController: ControllerConstructor = (context) => new QuotaController(context);

/** Models pkg/controller/resourcequota */
class QuotaController implements Controller {
  readonly name = "resourcequota";
  readonly #context: EmbeddedControllerContext;
  /** The quotas by namespace. */
  readonly #byNamespace = new Map<string, Set<string>>();

  constructor(context: EmbeddedControllerContext) {
    this.#context = context;
  }

  readonly watches = {
    [quotas]: ({ type, object }: StoreEvent) => {
      const { namespace = "" } = object.metadata;
      const own = this.#byNamespace.get(namespace) ?? new Set();
      this.#byNamespace.set(namespace, own);
      if (type === "DELETED") own.delete(namespacedKeyOf(object));
      else own.add(namespacedKeyOf(object));
      return own;
    },
    "*": (change: StoreEvent) => {
      const own = this.#byNamespace.get(change.object.metadata.namespace ?? "");
      return own !== undefined && change.resource !== quotas && changesUsage(change) ? own : [];
    },
  };

  reconcile(key: string): undefined {
    const { namespace, name } = splitKey(key);
    const quota = this.#context.api.read(quotas, namespace, name);
    if (quota === undefined) return;
    const used = quotaUsageOf(quota, (resource) => this.#context.api.list(resource, namespace));
    const status = { hard: fieldsAt(quota, "spec.hard"), used };
    if (!equal(quota["status"], status)) this.#context.api.updateStatus(quotas, { ...quota, status }, "kube-controller-manager");
  }
}

/** Creations and deletions change the usage. Updates do only when the spec, or the phase of a Pod, changes. */
function changesUsage({ type, resource, object, previous }: StoreEvent): boolean {
  if (resource === "events") return false;
  if (type !== "MODIFIED" || previous === undefined) return true;
  if (resource !== "pods") return object["spec"] !== previous["spec"];
  return asPod(object).status?.phase !== asPod(previous).status?.phase;
}
