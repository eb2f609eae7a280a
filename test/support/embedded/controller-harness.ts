import { VirtualClock } from "../../../src/core/clock/index.ts";
import type { KubeObject } from "../../../src/core/object/index.ts";
import { ApiServer, ResourceCatalog, type ApiClient } from "../../../src/embedded/apiserver/index.ts";
import { defaultAdmission } from "../../../src/embedded/apiserver/default-admission.ts";
import { parseBehaviour } from "../../../src/embedded/behaviour/index.ts";
import { bootstrapObjects } from "../../../src/embedded/bootstrap-objects.ts";
import { seededRandom } from "../../../src/embedded/seeded-random.ts";
import { ObjectStorage } from "../../../src/embedded/storage/index.ts";
import { clusterControllers } from "../../../src/embedded/controller/cluster-controllers.ts";
import type { EmbeddedControllerContext } from "../../../src/embedded/controller/controller.ts";
import type { NodeTemplate } from "../../../src/embedded/controller/kubelet/index.ts";
import { ControllerWorkQueue } from "../../../src/embedded/controller/controller-work-queue.ts";

/** The field manager of the tests' own writes. */
const writer = "test";

/** An API server with the cluster's controllers and no workload controllers, on a virtual clock. */
export class ControllerHarness {
  readonly clock = new VirtualClock();
  readonly api: ApiClient;
  readonly #server: ApiServer;
  /** The recorded events, oldest first: `Pod/web Scheduled: Successfully assigned…`. */
  readonly events: string[] = [];
  readonly #startMs = this.clock.now();

  constructor({ rules = [], nodes = [{ name: "node-1" }] }: { rules?: readonly object[]; nodes?: readonly NodeTemplate[] } = {}) {
    const random = seededRandom(1);
    const store = new ObjectStorage();
    const catalog = new ResourceCatalog();
    const admission = defaultAdmission(() => this.#server, random);
    this.#server = new ApiServer({ store, catalog, clock: this.clock, random, admission });
    this.api = this.#server.components;
    const context: EmbeddedControllerContext = {
      api: this.api,
      clock: this.clock,
      random,
      record: ({ kind, metadata }, { reason, message }) => this.events.push(`${kind}/${metadata.name} ${reason}: ${message}`),
      resources: () => catalog.all().map(({ key, namespaced }) => ({ resource: key, namespaced })),
    };
    for (const { resource, object } of bootstrapObjects()) this.api.create(resource, object, "kube-apiserver");
    const { behaviour } = parseBehaviour(rules);
    const makers = clusterControllers({ behaviour, seed: 1, nodes, certificate: "PEM", isNew: true, issueToken: () => "token" });
    for (const make of makers) new ControllerWorkQueue(make(context), this.clock).start(store);
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (this.clock.now() - this.#startMs) / 1000;
  }

  create(
    resource: string,
    object: { metadata: object; [field: string]: unknown },
    apiVersion = "v1",
    kind = kinds[resource] ?? "",
  ): KubeObject {
    const metadata = { name: "", ...(clusterScoped.has(resource) ? {} : { namespace: "default" }), ...object.metadata };
    return this.api.create(resource, { ...object, apiVersion, kind, metadata }, writer);
  }

  /** Reads an object that must exist, in `default` or cluster-scoped. */
  read(resource: string, name: string, namespace = clusterScoped.has(resource) ? "" : "default"): KubeObject {
    const found = this.api.read(resource, namespace, name);
    if (found === undefined) throw new Error(`${resource} ${name} is not there`);
    return found;
  }

  names(resource: string, namespace = clusterScoped.has(resource) ? "" : "default"): string {
    return this.api
      .list(resource, namespace)
      .map(({ metadata }) => metadata.name)
      .join(" ");
  }

  /** Advances the clock until nothing is left to do, by ten minutes at most. */
  async settle(): Promise<void> {
    await this.clock.settle({ withinMs: 600_000 });
  }
}

const kinds: Readonly<Record<string, string>> = {
  pods: "Pod",
  services: "Service",
  endpoints: "Endpoints",
  configmaps: "ConfigMap",
  namespaces: "Namespace",
  resourcequotas: "ResourceQuota",
  persistentvolumes: "PersistentVolume",
  persistentvolumeclaims: "PersistentVolumeClaim",
};

const clusterScoped = new Set(["namespaces", "nodes", "persistentvolumes", "storageclasses.storage.k8s.io"]);
