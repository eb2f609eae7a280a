import { VirtualClock } from "../../../src/core/clock/index.ts";
import type { Exchange } from "../../../src/core/exchange/index.ts";
import { isKubeObject, listAt, type KubeObject } from "../../../src/core/object/index.ts";
import { parseBehaviour } from "../../../src/embedded/behaviour/index.ts";
import { startEmbeddedCluster } from "../../../src/embedded/embedded-cluster.ts";

const groups: Readonly<Record<string, string>> = { "": "api/v1", apps: "apis/apps/v1", batch: "apis/batch/v1", policy: "apis/policy/v1" };

/** A cluster for tests of controllers, in virtual time and in the namespace `default`, used through its Exchange. */
export class EmbeddedTestCluster {
  readonly clock = new VirtualClock();
  readonly #exchange: Exchange;
  readonly #startMs = this.clock.now();

  /** `rules`: the behaviour of Pods, as in a behaviour file. Images `app:1`, `app:2` … take a second to pull. */
  constructor({ nodes = 1, seed = 1, rules = [] }: { nodes?: number; seed?: number; rules?: readonly object[] } = {}) {
    const { behaviour } = parseBehaviour([...rules, { match: { image: "app:?" }, pull: "1s" }]);
    this.#exchange = startEmbeddedCluster({ clock: this.clock, nodes, seed, behaviour }).exchange;
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (this.clock.now() - this.#startMs) / 1000;
  }

  create(resource: string, object: object): Promise<KubeObject> {
    return this.#object("POST", pathOf(resource), object);
  }

  read(resource: string, name: string): Promise<KubeObject> {
    return this.#object("GET", `${pathOf(resource)}/${name}`);
  }

  /** Applies a JSON merge patch to an object. */
  patch(resource: string, name: string, patch: object): Promise<KubeObject> {
    return this.#object("PATCH", `${pathOf(resource)}/${name}`, patch);
  }

  async delete(resource: string, name: string, propagationPolicy = "Background"): Promise<void> {
    await this.#call("DELETE", `${pathOf(resource)}/${name}`, { propagationPolicy });
  }

  /** The items of a list do not name their kind; here they have an empty one. */
  async list(resource: string): Promise<readonly KubeObject[]> {
    const items = listAt(await this.#call("GET", pathOf(resource)), "items");
    return items.map((item) => ({ apiVersion: "", kind: "", ...item })).filter(isKubeObject);
  }

  /** The events of one object, oldest first: `Normal SuccessfulCreate Created pod: web-1 ×2`. */
  async events(kind: string, name: string): Promise<string[]> {
    const events = await this.list("events");
    const about = events.filter((event) => {
      const { kind: ofKind, name: ofName } = event["involvedObject"] as { kind: string; name: string };
      return ofKind === kind && ofName === name;
    });
    return about.toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion)).map(lineOf);
  }

  /** Advances the clock until nothing is left to do, by an hour at most. */
  async settle(): Promise<void> {
    await this.clock.settle({ withinMs: 3_600_000 });
  }

  async #object(method: string, path: string, body?: object): Promise<KubeObject> {
    const answer = await this.#call(method, path, body);
    if (!isKubeObject(answer)) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const { signal } = new AbortController();
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await this.#exchange({ method, path, headers: { "content-type": type }, signal, ...sent });
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of answer.body) text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }
}

function lineOf({ type, reason, message, count }: KubeObject): string {
  const times = typeof count === "number" && count > 1 ? ` ×${count}` : "";
  return `${String(type)} ${String(reason)} ${String(message)}${times}`;
}

/** Of the resources used here only nodes are cluster-scoped. */
function pathOf(resource: string): string {
  const [plural = "", group = ""] = resource.split(".");
  return plural === "nodes" ? "/api/v1/nodes" : `/${groups[group]}/namespaces/default/${plural}`;
}

/** A Pod template of one container. `annotations` can override its behaviour. */
export function appPodTemplate(image: string, annotations: Readonly<Record<string, string>> = {}, spec: object = {}): object {
  const metadata = { labels: { app: "web" }, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) };
  return { metadata, spec: { containers: [{ name: "main", image }], ...spec } };
}

export const appSelector = { matchLabels: { app: "web" } };
