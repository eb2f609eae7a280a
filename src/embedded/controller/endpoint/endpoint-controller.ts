import type { Change } from "../../store/index.ts";
import { itself, partsOf, type Controller, type MakeController, type World } from "../controller.ts";
import { controllerName, writeSlices } from "./endpoint-slice.ts";
import { dropEndpoints, writeEndpoints } from "./endpoints.ts";
import { selectorOf, ServicePods } from "./service-pods.ts";
import { managedByLabel, serviceNameLabel, slicesResource } from "./slices.ts";
import { TriggerTimes } from "./trigger-time.ts";

/**
 * Keeps the Endpoints and EndpointSlices of Services that select pods. Two controllers in a real cluster, one here, since
 * they answer the same changes from the same pods.
 */
export const endpointController: MakeController = (world) => new EndpointController(world);

class EndpointController implements Controller {
  readonly name = "endpoint";
  readonly #world: World;
  readonly #pods: ServicePods;
  readonly #triggers = new TriggerTimes();

  constructor(world: World) {
    this.#world = world;
    this.#pods = new ServicePods(world.api);
  }

  readonly watches = {
    pods: (change: Change) => this.#pods.notePod(change),
    services: (change: Change) => this.#pods.noteService(change),
    endpoints: (change: Change) => (change.type === "DELETED" ? itself(change) : []),
    [slicesResource]: ({ type, object }: Change) => {
      const { labels = {}, namespace = "" } = object.metadata;
      return type === "DELETED" && labels[managedByLabel] === controllerName ? [`${namespace}/${labels[serviceNameLabel] ?? ""}`] : [];
    },
  };

  reconcile(key: string): undefined {
    const { namespace, name } = partsOf(key);
    const service = this.#world.api.read("services", namespace, name);
    if (service === undefined) {
      this.#triggers.forget(key);
      dropEndpoints(this.#world, namespace, name);
      return;
    }
    if (Object.keys(selectorOf(service)).length === 0) return;
    const pods = this.#pods.podsOf(key);
    const trigger = this.#triggers.next(key, service, pods);
    writeEndpoints(this.#world, service, pods, trigger);
    // Slices go with their Service; one that is going gets no new ones.
    if (service.metadata.deletionTimestamp === undefined) writeSlices(this.#world, service, pods, trigger);
  }
}
