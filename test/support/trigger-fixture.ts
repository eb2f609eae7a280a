/** A management cluster with the trigger controller. Tests do what the other controllers would do. */
import { EmbeddedFleet, type EmbeddedFleetOptions } from "./embedded-fleet.ts";
import { buildEventReport } from "../../src/sveltos/report/index.ts";
import { gvkOf, sveltosNamespace, type EventTriggerStatus } from "../../src/sveltos/api/index.ts";
import { isNotFound } from "../../src/kube/index.ts";
import { fieldsAt, listAt, numberAt, refOf, stringAt, type KubeObject } from "../../src/core/object/index.ts";
import { runTriggerController, type ControllerContext } from "../../src/sveltos/controllers/index.ts";
import type { Telemetry, RecordedEvent } from "../../src/sveltos/telemetry/index.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };

export class TriggerFixture {
  readonly fleet: EmbeddedFleet;
  readonly events: string[];
  readonly counts: Map<string, number>;

  private constructor(fleet: EmbeddedFleet, notes: string[], counts: Map<string, number>) {
    this.fleet = fleet;
    this.events = notes;
    this.counts = counts;
  }

  static async open(options: EmbeddedFleetOptions = {}): Promise<TriggerFixture> {
    const notes: string[] = [];
    const counts = new Map<string, number>();
    const telemetry: Telemetry = {
      recordEvent: ({ metadata }: KubeObject, { type, reason, message }: RecordedEvent) =>
        notes.push(`${metadata.name} ${type} ${reason}: ${message}`),
      log: () => {},
      count: (metric) => counts.set(metric, (counts.get(metric) ?? 0) + 1),
      observeMs: () => {},
      watchQueue: () => {},
      failureReporter: () => () => {},
    };
    const fleet = await EmbeddedFleet.open({ ...options, context: { telemetry, ...options.context } });
    return new TriggerFixture(fleet, notes, counts);
  }

  /** Runs the trigger controller and a fake profile controller. */
  async run(...others: Parameters<EmbeddedFleet["run"]>): Promise<this> {
    await this.fleet.run(runTriggerController, runFakeProfileController, ...others);
    return this;
  }

  async apply(yaml: string): Promise<void> {
    await this.fleet.apply(yaml);
    await this.pass();
  }

  /** Advances the clock until all writes are done, statuses included. */
  pass(): Promise<void> {
    return this.fleet.advance(5000);
  }

  /** The EventReport of a cluster, as an evaluation writes it. */
  report(eventSource: string, cluster: string, objects: readonly KubeObject[]): KubeObject {
    const matches = objects.map((object) => ({ ref: refOf(object), object, message: "" }));
    return buildEventReport({ eventSource, cluster: this.fleet.id(cluster), matches, collectResources: true }).at(-1)!;
  }

  async writeReport(eventSource: string, cluster: string, objects: readonly KubeObject[]): Promise<void> {
    await this.fleet.until(this.fleet.hub.apply(this.report(eventSource, cluster, objects), { manager: "evaluation", force: true }));
    await this.pass();
  }

  async delete(ref: Parameters<EmbeddedFleet["get"]>[0]): Promise<void> {
    await this.fleet.until(this.fleet.hub.delete(ref));
    await this.pass();
  }

  profiles(): Promise<readonly KubeObject[]> {
    return this.fleet.list(gvkOf("ClusterProfile"));
  }

  async contents(): Promise<readonly KubeObject[]> {
    return (await this.fleet.list(configMaps)).filter(
      ({ metadata }) => metadata.namespace === sveltosNamespace && metadata.labels !== undefined,
    );
  }

  /** The ConfigMaps that each profile refers to, by the object of its event: `my-service: text`. */
  async texts(): Promise<readonly string[]> {
    const contents = new Map((await this.contents()).map((content) => [content.metadata.name, content]));
    return (await this.profiles())
      .map((profile) => {
        const [ref] = listAt(profile, "spec.policyRefs");
        const of = profile.metadata.labels?.["eventtrigger.lib.projectsveltos.io/resourcename"] ?? "all";
        const content = contents.get(stringAt(ref, "name", ""));
        return `${of}: ${content === undefined ? stringAt(ref, "name", "nothing") : Object.values(fieldsAt(content, "data")).join(" ")}`;
      })
      .toSorted();
  }

  async names(): Promise<readonly string[]> {
    return [...(await this.profiles()), ...(await this.contents())].map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  }

  async status(name: string, kind: "EventTrigger" | "EventBasedAddOn" = "EventTrigger"): Promise<EventTriggerStatus> {
    return fieldsAt(await this.fleet.get({ ...gvkOf(kind), namespace: "", name }), "status");
  }

  /** `c1 Provisioned`, with what has failed. */
  async infos(name: string, kind: "EventTrigger" | "EventBasedAddOn" = "EventTrigger"): Promise<readonly string[]> {
    const { clusterInfo = [] } = await this.status(name, kind);
    return clusterInfo.map(({ cluster, status, failureMessage }) =>
      [cluster.name, status, ...(failureMessage === undefined ? [] : [failureMessage])].join(" "),
    );
  }
}

/** A fixture that runs until the test ends. */
export async function openTriggerFixture(
  t: { after(fn: () => Promise<void>): void },
  options: Parameters<typeof TriggerFixture.open>[0] = {},
): Promise<TriggerFixture> {
  const fixture = await TriggerFixture.open(options);
  t.after(() => fixture.fleet.close());
  return fixture.run();
}

/** Sets the observedGeneration of profiles, and removes the finalizer of deleted ones, as the profile controller does. */
async function runFakeProfileController({ hub, cache }: ControllerContext, signal: AbortSignal): Promise<void> {
  for await (const change of cache.informerFor(gvkOf("ClusterProfile"))) {
    if (change.type === "synced" || change.type === "interrupted" || change.type === "deleted") continue;
    const { metadata } = change.object;
    const isGoing = metadata.deletionTimestamp !== undefined;
    const status = { observedGeneration: metadata.generation };
    if (!isGoing && numberAt(change.object, "status.observedGeneration") === metadata.generation) continue;
    const patch = isGoing ? { metadata: { finalizers: [] } } : { status };
    await hub
      .patch(refOf(change.object), { type: "merge", patch }, { signal, ...(!isGoing && { subresource: "status" }) })
      .catch((error: unknown) => {
        if (!isNotFound(error) && !signal.aborted) throw error;
      });
  }
}

export function labelledService(name: string, port = 80): KubeObject {
  const metadata = { name, namespace: "default", labels: { sveltos: "fv" } };
  const selector = { "app.kubernetes.io/name": "MyApp" };
  return { apiVersion: "v1", kind: "Service", metadata, spec: { selector, ports: [{ protocol: "TCP", port, targetPort: 9376 }] } };
}

export const serviceEventSource = `
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventSource
metadata: {name: services}
spec:
  collectResources: true
  resourceSelectors:
  - {group: "", version: v1, kind: Service}
`;

/** A ConfigMap `default/content` whose text is rendered with the event. */
export function contentYaml(text: string, name = "content"): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  namespace: default
  annotations: {projectsveltos.io/instantiate: ok}
data:
  text: '${text}'
`;
}

/** An EventTrigger for `services` that deploys `default/content`; `spec` is YAML that is added. */
export function triggerYaml(name = "t", spec = "oneForEvent: true"): string {
  return `
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventTrigger
metadata: {name: ${name}}
spec:
  eventSourceName: services
  sourceClusterSelector: {matchLabels: {env: fv}}
  policyRefs: [{kind: ConfigMap, namespace: default, name: content}]
${spec.replaceAll(/^/gm, "  ")}
`;
}

export const yamlDocuments = (...documents: string[]) => documents.join("\n---\n");
