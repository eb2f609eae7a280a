import { isFields, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { addressWait, type Behaviour } from "../../behaviour/index.ts";
import type { Change } from "../../store/index.ts";
import { itself, keyOf, partsOf, type Controller, type MakeController, type World } from "../controller.ts";

const finalizer = "service.kubernetes.io/load-balancer-cleanup";
const writer = "cloud-controller-manager";

/** Addresses come from 192.0.2.0/24, which RFC 5737 keeps for examples. */
const poolSize = 254;

export function loadBalancerController({ behaviour, seed }: { behaviour: Behaviour; seed: number }): MakeController {
  return (world) => new LoadBalancerController(world, behaviour, seed);
}

/** Models k8s.io/cloud-provider controllers/service/controller.go */
class LoadBalancerController implements Controller {
  readonly name = "service";
  readonly #world: World;
  readonly #behaviour: Behaviour;
  readonly #seed: number;
  /** When the work on each Service began, to the millisecond. */
  readonly #begun = new Map<string, number>();
  readonly #taken = new Map<string, string>();
  #last = 0;

  constructor(world: World, behaviour: Behaviour, seed: number) {
    this.#world = world;
    this.#behaviour = behaviour;
    this.#seed = seed;
  }

  readonly watches = {
    services: (change: Change) => {
      const key = keyOf(change.object);
      if (change.type === "DELETED") {
        this.#begun.delete(key);
        this.#free(key);
        return [];
      }
      for (const ip of addressesOf(change.object)) this.#taken.set(ip, key);
      return wantsBalancer(change.object) || isFinalized(change.object) ? itself(change) : [];
    },
  };

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOf(key);
    const service = this.#world.api.read("services", namespace, name);
    if (service === undefined) return undefined;
    if (!wantsBalancer(service) || service.metadata.deletionTimestamp !== undefined) return this.#release(key, service);
    if (addressesOf(service).length > 0) return undefined;
    const now = this.#world.clock.now();
    if (!this.#begun.has(key)) {
      this.#begun.set(key, now);
      this.#tell(service, "EnsuringLoadBalancer", "Ensuring load balancer");
    }
    const current = isFinalized(service) ? service : this.#withFinalizers(service, [...(service.metadata.finalizers ?? []), finalizer]);
    const wait = addressWait(service, this.#behaviour, this.#seed);
    if ("never" in wait) return undefined;
    const due = (this.#begun.get(key) ?? now) + wait.afterMs;
    if (due > now) return due - now;
    const ip = this.#addressFor(key, current);
    this.#taken.set(ip, key);
    this.#world.api.updateStatus("services", withIngress(current, [{ ip, ipMode: "VIP" }]), writer);
    this.#tell(current, "EnsuredLoadBalancer", "Ensured load balancer");
    return undefined;
  }

  #release(key: string, service: KubeObject): undefined {
    if (!isFinalized(service)) return;
    this.#tell(service, "DeletingLoadBalancer", "Deleting load balancer");
    const bare = addressesOf(service).length === 0 ? service : this.#world.api.updateStatus("services", withIngress(service, []), writer);
    this.#begun.delete(key);
    this.#free(key);
    this.#tell(service, "DeletedLoadBalancer", "Deleted load balancer");
    this.#withFinalizers(
      bare,
      (bare.metadata.finalizers ?? []).filter((name) => name !== finalizer),
    );
  }

  #withFinalizers(service: KubeObject, finalizers: readonly string[]): KubeObject {
    const { finalizers: _before, ...metadata } = service.metadata;
    return this.#world.api.update(
      "services",
      { ...service, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers } },
      writer,
    );
  }

  #addressFor(key: string, service: KubeObject): string {
    const asked = stringAt(service, "spec.loadBalancerIP", "");
    if (asked !== "") return asked;
    for (let tries = 0; tries < poolSize; tries++) {
      this.#last = (this.#last % poolSize) + 1;
      const ip = `192.0.2.${this.#last}`;
      if ((this.#taken.get(ip) ?? key) === key) return ip;
    }
    // More Services than addresses: some share one, as behind one balancer with several ports.
    this.#last = (this.#last % poolSize) + 1;
    return `192.0.2.${this.#last}`;
  }

  #free(key: string): void {
    for (const [ip, holder] of this.#taken) if (holder === key) this.#taken.delete(ip);
  }

  #tell(service: KubeObject, reason: string, message: string): void {
    this.#world.record(service, { type: "Normal", reason, message, source: "service-controller" });
  }
}

/** A Service that names a class of balancer is left to whoever serves that class. */
function wantsBalancer(service: KubeObject): boolean {
  return stringAt(service, "spec.type") === "LoadBalancer" && stringAt(service, "spec.loadBalancerClass") === undefined;
}

function isFinalized({ metadata }: KubeObject): boolean {
  return (metadata.finalizers ?? []).includes(finalizer);
}

function addressesOf(service: KubeObject): readonly string[] {
  return listAt(service, "status.loadBalancer.ingress").flatMap(({ ip }) => (typeof ip === "string" ? [ip] : []));
}

function withIngress(service: KubeObject, ingress: readonly object[]): KubeObject {
  const status = isFields(service["status"]) ? service["status"] : {};
  return { ...service, status: { ...status, loadBalancer: ingress.length === 0 ? {} : { ingress } } };
}
