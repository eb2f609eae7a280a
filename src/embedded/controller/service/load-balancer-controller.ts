import { isFields, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { addressDelay, type Behaviour } from "../../behaviour/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import {
  enqueueObject,
  namespacedKeyOf,
  splitKey,
  type Controller,
  type ControllerConstructor,
  type EmbeddedControllerContext,
} from "../controller.ts";

const finalizer = "service.kubernetes.io/load-balancer-cleanup";
const writer = "cloud-controller-manager";

/** Addresses come from 192.0.2.0/24, which RFC 5737 reserves for documentation. */
const poolSize = 254;

export function loadBalancerController({ behaviour, seed }: { behaviour: Behaviour; seed: number }): ControllerConstructor {
  return (context) => new LoadBalancerController(context, behaviour, seed);
}

/** Models k8s.io/cloud-provider controllers/service/controller.go */
class LoadBalancerController implements Controller {
  readonly name = "service";
  readonly #context: EmbeddedControllerContext;
  readonly #behaviour: Behaviour;
  readonly #seed: number;
  /** When the load balancer of each Service was requested, to the millisecond. */
  readonly #startedAt = new Map<string, number>();
  readonly #taken = new Map<string, string>();
  #last = 0;

  constructor(context: EmbeddedControllerContext, behaviour: Behaviour, seed: number) {
    this.#context = context;
    this.#behaviour = behaviour;
    this.#seed = seed;
  }

  readonly watches = {
    services: (change: StoreEvent) => {
      const key = namespacedKeyOf(change.object);
      if (change.type === "DELETED") {
        this.#startedAt.delete(key);
        this.#free(key);
        return [];
      }
      for (const ip of addressesOf(change.object)) this.#taken.set(ip, key);
      return wantsBalancer(change.object) || isFinalized(change.object) ? enqueueObject(change) : [];
    },
  };

  reconcile(key: string): number | undefined {
    const { namespace, name } = splitKey(key);
    const service = this.#context.api.read("services", namespace, name);
    if (service === undefined) return undefined;
    if (!wantsBalancer(service) || service.metadata.deletionTimestamp !== undefined) return this.#release(key, service);
    if (addressesOf(service).length > 0) return undefined;
    const now = this.#context.clock.now();
    if (!this.#startedAt.has(key)) {
      this.#startedAt.set(key, now);
      this.#recordEvent(service, "EnsuringLoadBalancer", "Ensuring load balancer");
    }
    const current = isFinalized(service) ? service : this.#withFinalizers(service, [...(service.metadata.finalizers ?? []), finalizer]);
    const wait = addressDelay(service, this.#behaviour, this.#seed);
    if ("never" in wait) return undefined;
    const due = (this.#startedAt.get(key) ?? now) + wait.afterMs;
    if (due > now) return due - now;
    const ip = this.#addressFor(key, current);
    this.#taken.set(ip, key);
    this.#context.api.updateStatus("services", withIngress(current, [{ ip, ipMode: "VIP" }]), writer);
    this.#recordEvent(current, "EnsuredLoadBalancer", "Ensured load balancer");
    return undefined;
  }

  #release(key: string, service: KubeObject): undefined {
    if (!isFinalized(service)) return;
    this.#recordEvent(service, "DeletingLoadBalancer", "Deleting load balancer");
    const bare = addressesOf(service).length === 0 ? service : this.#context.api.updateStatus("services", withIngress(service, []), writer);
    this.#startedAt.delete(key);
    this.#free(key);
    this.#recordEvent(service, "DeletedLoadBalancer", "Deleted load balancer");
    this.#withFinalizers(
      bare,
      (bare.metadata.finalizers ?? []).filter((name) => name !== finalizer),
    );
  }

  #withFinalizers(service: KubeObject, finalizers: readonly string[]): KubeObject {
    const { finalizers: _before, ...metadata } = service.metadata;
    return this.#context.api.update(
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
    // With more Services than addresses some share one.
    this.#last = (this.#last % poolSize) + 1;
    return `192.0.2.${this.#last}`;
  }

  #free(key: string): void {
    for (const [ip, holder] of this.#taken) if (holder === key) this.#taken.delete(ip);
  }

  #recordEvent(service: KubeObject, reason: string, message: string): void {
    this.#context.record(service, { type: "Normal", reason, message, source: "service-controller" });
  }
}

/** A Service with a loadBalancerClass belongs to another controller. */
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
