import assert from "node:assert/strict";
import { test } from "node:test";
import type { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { applyObjects, eventSourceStatusText, eventSourceYaml, openFleetWith } from "../../../../test/support/event-objects.ts";
import { runAgent } from "../../agent/index.ts";
import { gvkOf } from "../../api/index.ts";
import { readEventReport } from "../../report/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { runEventSourceController } from "./index.ts";

const source = eventSourceYaml(
  "maps",
  { kind: "ConfigMap", namespace: "default", labelFilters: [{ key: "app", operation: "Equal", value: "web" }] },
  { collectResources: true },
);
const configMap = { group: "", version: "v1", kind: "ConfigMap" };
const reportKind = gvkOf("EventReport");

/** Four of 11 KB fill one part of a report. */
function configMapOf(name: string, kilobytes = 11): KubeObject {
  const metadata = { name, namespace: "default", labels: { app: "web" } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: "x".repeat(kilobytes * 1024) } };
}

/** The reports of a fleet by name, each with its matches and, for those with content, an asterisk. */
async function partsIn(fixture: EmbeddedFleet): Promise<ReadonlyMap<string, string>> {
  const reports = await fixture.list(reportKind);
  const lines = reports.map((report) => {
    const { matches } = readEventReport(report);
    return [report.metadata.name, matches.map(({ ref, object }) => `${ref.name}${object === undefined ? "" : "*"}`).join(" ")] as const;
  });
  return new Map(lines.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function versionsIn(fixture: EmbeddedFleet): Promise<readonly (string | undefined)[]> {
  const reports = (await fixture.list(reportKind)).toSorted(({ metadata: a }, { metadata: b }) => (a.name < b.name ? -1 : 1));
  return reports.map(({ metadata }) => metadata.resourceVersion);
}

const name = "sveltos--maps--c1";
const three = [
  [name, "a* b* c* d*"],
  [`${name}--part-2`, "e* f* g* h*"],
  [`${name}--part-3`, "i* j*"],
] as const;

for (const evaluatedBy of ["controller", "agent"] as const)
  test(`a large report of the ${evaluatedBy} has parts, of which one is written for one change`, async (t) => {
    const fixture = await openFleetWith(t, { maps: source });
    const c1 = fixture.managed("c1");
    if (evaluatedBy === "agent") {
      void runAgent(c1, { identity: "agent" }, fixture.signal);
      await fixture.advance(2000);
    }
    await applyObjects(fixture, c1, ...[..."abcdefghij"].map((each) => configMapOf(each)));
    await fixture.run(runEventSourceController);
    await fixture.advance(3000);
    assert.deepEqual([...(await partsIn(fixture))], three);

    const before = await versionsIn(fixture);
    await applyObjects(fixture, c1, { ...configMapOf("f"), data: { text: "y" } });
    await fixture.advance(2000);
    const after = await versionsIn(fixture);
    assert.deepEqual(
      after.map((version, at) => version === before[at]),
      [true, false, true],
    );

    await fixture.until(fixture.hub.delete({ ...reportKind, namespace: "mgmt", name: `${name}--part-2` }));
    await fixture.advance(2000);
    assert.deepEqual([...(await partsIn(fixture))], three, "a part that somebody deletes is restored");

    for (const each of "abcefghi") await fixture.until(c1.delete({ ...configMap, namespace: "default", name: each }));
    await fixture.advance(3000);
    const left = [...(await partsIn(fixture))].map(([, names]) => names).join(" ");
    assert.equal(left.split(" ").filter(Boolean).toSorted().join(" "), "d* j*");
    assert.ok((await partsIn(fixture)).size < 3);

    await fixture.until(fixture.hub.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "for-maps" }));
    await fixture.advance(3000);
    assert.deepEqual([...(await partsIn(fixture))], []);
    if (evaluatedBy === "agent") assert.deepEqual((await fixture.until(c1.list(reportKind))).items, []);
  });

test("an object whose content no report can carry is reported without it, and its EventSource says so", async (t) => {
  const fixture = await openFleetWith(t, { maps: source });
  const big = configMapOf("big", 1000);
  // A ConfigMap holds 1 MiB at most, and as much as this in annotations.
  const metadata = { ...big.metadata, annotations: { note: "x".repeat(200 * 1024) } };
  await applyObjects(fixture, fixture.managed("c1"), configMapOf("a"), { ...big, metadata }, configMapOf("c"));
  await fixture.run(runEventSourceController);
  await fixture.advance(2000);
  assert.deepEqual([...(await partsIn(fixture)).values()], ["a* big c*"]);
  assert.match(await eventSourceStatusText(fixture, "maps"), /^c1 3; big: its content would take 1\.6 MB in the report, /);
});
