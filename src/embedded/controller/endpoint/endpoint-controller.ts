import type { StoreEvent } from "../../storage/index.ts";
import { enqueueObject, splitKey, type Controller, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { controllerName, syncEndpointSlices } from "./endpoint-slice.ts";
import { deleteEndpoints, syncEndpoints } from "./endpoints.ts";
import { serviceSelectorOf, ServicePodIndex } from "./service-pod-index.ts";
import { managedByLabel, serviceNameLabel, endpointSlices } from "./reconcile-slices.ts";
import { TriggerTimeTracker } from "./trigger-time-tracker.ts";

/**
 * Maintains the Endpoints and EndpointSlices of Services with a selector. These are two controllers in a real cluster;
 * here they are one, since they react to the same events.
 */
export const endpointController: ControllerConstructor = (context) => new EndpointController(context);

class EndpointController implements Controller {
  readonly name = "endpoint";
  readonly #context: EmbeddedControllerContext;
  readonly #pods: ServicePodIndex;
  readonly #triggers = new TriggerTimeTracker();

  constructor(context: EmbeddedControllerContext) {
    this.#context = context;
    this.#pods = new ServicePodIndex(context.api);
  }

  readonly watches = {
    pods: (change: StoreEvent) => this.#pods.onPodEvent(change),
    services: (change: StoreEvent) => this.#pods.onServiceEvent(change),
    endpoints: (change: StoreEvent) => (change.type === "DELETED" ? enqueueObject(change) : []),
    [endpointSlices]: ({ type, object }: StoreEvent) => {
      const { labels = {}, namespace = "" } = object.metadata;
      return type === "DELETED" && labels[managedByLabel] === controllerName ? [`${namespace}/${labels[serviceNameLabel] ?? ""}`] : [];
    },
  };

  reconcile(key: string): undefined {
    const { namespace, name } = splitKey(key);
    const service = this.#context.api.read("services", namespace, name);
    if (service === undefined) {
      this.#triggers.forget(key);
      deleteEndpoints(this.#context, namespace, name);
      return;
    }
    if (Object.keys(serviceSelectorOf(service)).length === 0) return;
    const pods = this.#pods.podsOf(key);
    const trigger = this.#triggers.next(key, service, pods);
    syncEndpoints(this.#context, service, pods, trigger);
    // EndpointSlices are garbage-collected with their Service; a terminating one gets no new slices.
    if (service.metadata.deletionTimestamp === undefined) syncEndpointSlices(this.#context, service, pods, trigger);
  }
}
