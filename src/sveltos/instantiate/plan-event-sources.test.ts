import assert from "node:assert/strict";
import test from "node:test";
import type { EventTrigger } from "../api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { managementCopy, buildEventReport } from "../report/index.ts";
import { verbsOf } from "../../../test/support/instantiate/fake-hub.ts";
import { planEventSources, type EventSourcePlanInput } from "./index.ts";

const cluster = { type: "Sveltos", namespace: "mgmt", name: "c1" } as const;

function sourceNamed(name: string, spec: unknown = { collectResources: true }): KubeObject {
  return {
    apiVersion: "lib.projectsveltos.io/v1beta1",
    kind: "EventSource",
    metadata: { name, uid: `uid-${name}`, labels: { team: "a" } },
    spec,
  };
}

function meaning(trigger: string, eventSource: string, kind: EventTrigger["kind"] = "EventTrigger") {
  return { trigger: { metadata: { name: trigger }, kind }, eventSource };
}

function reportOn(eventSource: string): KubeObject {
  const made = buildEventReport({ eventSource, matches: [], collectResources: false });
  assert.ok("report" in made);
  return made.report;
}

const nothing: EventSourcePlanInput = { cluster, evaluatedBy: "agent", triggers: [], sources: [], managed: [], reports: [] };

function copiesOf(input: Partial<EventSourcePlanInput>): readonly KubeObject[] {
  return planEventSources({ ...nothing, ...input }).managed.flatMap((change) => (change.verb === "delete" ? [] : [change.object]));
}

test("an agent gets an annotated copy of every EventSource that a trigger names", () => {
  const plan = { sources: [sourceNamed("s"), sourceNamed("unused")], triggers: [meaning("b", "s"), meaning("a", "s")] };
  assert.deepEqual(copiesOf(plan), [
    {
      apiVersion: "lib.projectsveltos.io/v1beta1",
      kind: "EventSource",
      metadata: {
        name: "s",
        labels: { team: "a" },
        annotations: {
          "projectsveltos.io/deployed-by-sveltos": "true",
          "projectsveltos.io/owner-kind": "EventTrigger",
          "projectsveltos.io/owner-name": "a,b",
        },
      },
      spec: { collectResources: true },
    },
  ]);
});

test("a copy is written only if it differs", () => {
  const wanted = { sources: [sourceNamed("s")], triggers: [meaning("a", "s")] };
  const live = copiesOf(wanted).map((copy) => ({
    ...copy,
    metadata: { ...copy.metadata, uid: "other", resourceVersion: "7", finalizers: ["eventsource.finalizer.projectsveltos.io"] },
  }));
  assert.deepEqual(copiesOf({ ...wanted, managed: live }), []);
  const [changed] = copiesOf({ ...wanted, sources: [sourceNamed("s", { collectResources: false })], managed: live });
  assert.deepEqual(changed?.["spec"], { collectResources: false });
  assert.equal(changed?.metadata.resourceVersion, "7");
  assert.deepEqual(changed?.metadata.finalizers, ["eventsource.finalizer.projectsveltos.io"]);
  const [owned] = copiesOf({ ...wanted, triggers: [meaning("a", "s"), meaning("z", "s")], managed: live });
  assert.equal(owned?.metadata.annotations?.["projectsveltos.io/owner-name"], "a,z");
});

test("a copy that no trigger names is pruned, with its reports in both clusters", () => {
  const copies = copiesOf({ sources: [sourceNamed("s"), sourceNamed("old")], triggers: [meaning("a", "s"), meaning("a", "old")] });
  const plan = planEventSources({
    ...nothing,
    sources: [sourceNamed("s"), sourceNamed("old")],
    triggers: [meaning("a", "s")],
    managed: [...copies, reportOn("s"), reportOn("old")],
    reports: [
      managementCopy(reportOn("s"), "s", cluster),
      managementCopy(reportOn("old"), "old", cluster),
      managementCopy(reportOn("old"), "old", { ...cluster, name: "c2" }),
      managementCopy(reportOn("old"), "old", { ...cluster, type: "Capi" }),
    ],
  });
  const titlesOf = (changes: typeof plan.managed) =>
    changes.map((change) => change.verb === "delete" && `${change.ref.kind} ${change.ref.name}`);
  assert.deepEqual(titlesOf(plan.managed), ["EventSource old", "EventReport old"]);
  assert.deepEqual(titlesOf(plan.management), ["EventReport sveltos--old--c1"]);
});

test("without an agent there are no copies, and reports in the management cluster only", () => {
  const wanted = { sources: [sourceNamed("s")], triggers: [meaning("a", "s")] };
  const managed = [...copiesOf(wanted), reportOn("s")];
  const plan = planEventSources({
    ...nothing,
    ...wanted,
    evaluatedBy: "controller",
    managed,
    reports: [managementCopy(reportOn("s"), "s", cluster)],
  });
  assert.deepEqual(plan.sources, ["s"]);
  assert.equal(verbsOf({ changes: plan.managed }), "delete EventSource, delete EventReport");
  assert.deepEqual(plan.management, []);
});

test("missing EventSources are listed, and one that is being deleted is missing", () => {
  const going = { ...sourceNamed("going"), metadata: { name: "going", deletionTimestamp: "2026-01-01T00:00:00Z" } };
  const plan = planEventSources({ ...nothing, sources: [going], triggers: [meaning("a", "going"), meaning("b", "nowhere")] });
  assert.deepEqual([plan.sources, plan.missing, plan.managed], [[], ["going", "nowhere"], []]);
});

test("an EventSource of a user in the managed cluster is never changed", () => {
  const theirs = { ...sourceNamed("s", {}), metadata: { name: "s", uid: "theirs" } };
  const wanted = { ...nothing, sources: [sourceNamed("s")], triggers: [meaning("a", "s")], managed: [theirs] };
  assert.deepEqual(planEventSources(wanted).managed, []);
  assert.match(
    planEventSources(wanted)
      .problems.map(({ message }) => message)
      .join(),
    /not put there by a controller/,
  );
  assert.deepEqual(planEventSources({ ...wanted, triggers: [] }).managed, []);
  // The management cluster, registered as one of its own.
  assert.deepEqual(planEventSources({ ...wanted, managed: wanted.sources }).problems, []);
});

test("reports of EventSources with names too long for labels are recognised", () => {
  const [name, long] = ["c".repeat(80), "s".repeat(80)];
  const place = { ...cluster, name };
  const input = { ...nothing, cluster: place, sources: [sourceNamed(long)], reports: [managementCopy(reportOn(long), long, place)] };
  assert.deepEqual(planEventSources({ ...input, triggers: [meaning("a", long)] }).management, []);
  assert.equal(planEventSources(input).management.length, 1);
  assert.deepEqual(
    planEventSources({ ...input, triggers: [meaning("a", long)], managed: [reportOn(long)] }).managed.map(({ verb }) => verb),
    ["create"],
  );
});
