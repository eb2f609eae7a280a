/** EventSources, EventTriggers and Services, and readers of reports and statuses, for tests of events. */
import assert from "node:assert/strict";
import { EmbeddedFleet } from "./embedded-fleet.ts";
import { readEventReport } from "../../src/sveltos/report/index.ts";
import { eventReportName, gvkOf } from "../../src/sveltos/api/index.ts";
import type { Cluster } from "../../src/kube/index.ts";
import { fieldsAt, listAt, numberAt, stringAt, type KubeObject } from "../../src/core/object/index.ts";

/** An EventSource with one selector, of Services by default, as YAML. */
export function eventSourceYaml(name: string, selector: object, rest: object = {}): string {
  const resourceSelectors = [{ group: "", version: "v1", kind: "Service", ...selector }];
  return document("EventSource", name, { resourceSelectors, ...rest });
}

export function eventTriggerYaml(name: string, eventSourceName: string, rest: object = {}): string {
  return document("EventTrigger", name, { eventSourceName, sourceClusterSelector: { matchLabels: { env: "fv" } }, ...rest });
}

function document(kind: string, name: string, spec: object): string {
  return `---\n${JSON.stringify({ apiVersion: "lib.projectsveltos.io/v1beta1", kind, metadata: { name }, spec })}\n`;
}

export function serviceObject(name: string, labels: Readonly<Record<string, string>> = {}, port = 80): KubeObject {
  const metadata = { name, namespace: "default", labels };
  return { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port }], selector: { app: name } } };
}

export const serviceKind = { group: "", version: "v1", kind: "Service" };

export async function applyObjects(fleet: EmbeddedFleet, cluster: Cluster, ...objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) await fleet.until(cluster.apply(object, { manager: "user", force: true }));
}

/** The names in the management cluster's report of an EventSource; undefined without a report. */
export async function reportedNames(fleet: EmbeddedFleet, source: string, cluster = "c1"): Promise<string | undefined> {
  const id = fleet.id(cluster);
  const report = await fleet.get({ ...gvkOf("EventReport"), namespace: id.namespace, name: eventReportName(source, id) });
  return (
    report &&
    readEventReport(report)
      .matches.map(({ ref }) => ref.name)
      .join(" ")
  );
}

/** An EventSource's status as a line for each cluster: `c1 2: message; message`. */
export async function eventSourceStatusText(fleet: EmbeddedFleet, source: string, cluster: Cluster = fleet.hub): Promise<string> {
  const object = await fleet.get({ ...gvkOf("EventSource"), namespace: "", name: source }, cluster);
  assert.ok(object, `there is no EventSource ${source}`);
  const lines = listAt(object, "status.clusterInfo").map((info) => {
    const failures = listAt(info, "failures").map(
      (failure) => `${stringAt(failure, "resource.name", "*")}: ${stringAt(failure, "message")}`,
    );
    return [`${stringAt(info, "cluster.name", "here")} ${numberAt(info, "matchingResources")}`, ...failures].join("; ");
  });
  const { failureMessage } = fieldsAt(object, "status");
  return [...(typeof failureMessage === "string" ? [failureMessage] : []), ...lines].join("\n");
}

/** A selector of objects with the label `app`. */
export const appSelector = (value: string) => ({ labelFilters: [{ key: "app", operation: "Equal", value }] });
export const webEventSource = eventSourceYaml("web", appSelector("web"));

/** Matches Services on port 443 and fails on those on port 666. */
export const httpsScript = `function evaluate()
  local hs = { matching = false }
  for _, port in ipairs(obj.spec.ports) do
    if port.port == 443 then hs.matching = true end
    if port.port == 666 then error("no such port") end
  end
  return hs
end`;

/** Opens an embedded fleet with these EventSources, each with a trigger for clusters with `env: fv`. */
export async function openFleetWith(
  t: { after(end: () => Promise<void>): void },
  sources: Readonly<Record<string, string>>,
): Promise<EmbeddedFleet> {
  const fleet = await EmbeddedFleet.open();
  t.after(() => fleet.close());
  for (const [name, source] of Object.entries(sources)) await fleet.apply(source + eventTriggerYaml(`for-${name}`, name));
  return fleet;
}
