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

function triggerFor(trigger: string, eventSource: string, kind: EventTrigger["kind"] = "EventTrigger") {
  return { trigger: { metadata: { name: trigger }, kind }, eventSource };
}

function reportOn(eventSource: string): KubeObject {
  return buildEventReport({ eventSource, matches: [], collectResources: false }).at(-1)!;
}

const emptyInput: EventSourcePlanInput = { cluster, evaluatedBy: "agent", triggers: [], sources: [], managed: [], reports: [] };

function copiesOf(input: Partial<EventSourcePlanInput>): readonly KubeObject[] {
  return planEventSources({ ...emptyInput, ...input }).managed.flatMap((change) => (change.verb === "delete" ? [] : [change.object]));
}

test("an agent gets an annotated copy of every EventSource that a trigger names", () => {
  const plan = { sources: [sourceNamed("s"), sourceNamed("unused")], triggers: [triggerFor("b", "s"), triggerFor("a", "s")] };
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
  const input = { sources: [sourceNamed("s")], triggers: [triggerFor("a", "s")] };
  const live = copiesOf(input).map((copy) => ({
    ...copy,
    metadata: { ...copy.metadata, uid: "other", resourceVersion: "7", finalizers: ["eventsource.finalizer.projectsveltos.io"] },
  }));
  assert.deepEqual(copiesOf({ ...input, managed: live }), []);
  const [changed] = copiesOf({ ...input, sources: [sourceNamed("s", { collectResources: false })], managed: live });
  assert.deepEqual(changed?.["spec"], { collectResources: false });
  assert.equal(changed?.metadata.resourceVersion, "7");
  assert.deepEqual(changed?.metadata.finalizers, ["eventsource.finalizer.projectsveltos.io"]);
  const [owned] = copiesOf({ ...input, triggers: [triggerFor("a", "s"), triggerFor("z", "s")], managed: live });
  assert.equal(owned?.metadata.annotations?.["projectsveltos.io/owner-name"], "a,z");
});

test("a copy that no trigger names is pruned, with its reports in both clusters", () => {
  const copies = copiesOf({ sources: [sourceNamed("s"), sourceNamed("old")], triggers: [triggerFor("a", "s"), triggerFor("a", "old")] });
  const plan = planEventSources({
    ...emptyInput,
    sources: [sourceNamed("s"), sourceNamed("old")],
    triggers: [triggerFor("a", "s")],
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
  const input = { sources: [sourceNamed("s")], triggers: [triggerFor("a", "s")] };
  const managed = [...copiesOf(input), reportOn("s")];
  const plan = planEventSources({
    ...emptyInput,
    ...input,
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
  const plan = planEventSources({ ...emptyInput, sources: [going], triggers: [triggerFor("a", "going"), triggerFor("b", "nowhere")] });
  assert.deepEqual([plan.sources, plan.missing, plan.managed], [[], ["going", "nowhere"], []]);
});

test("an EventSource of a user in the managed cluster is never changed", () => {
  const theirs = { ...sourceNamed("s", {}), metadata: { name: "s", uid: "theirs" } };
  const input = { ...emptyInput, sources: [sourceNamed("s")], triggers: [triggerFor("a", "s")], managed: [theirs] };
  assert.deepEqual(planEventSources(input).managed, []);
  assert.match(
    planEventSources(input)
      .problems.map(({ message }) => message)
      .join(),
    /not put there by a controller/,
  );
  assert.deepEqual(planEventSources({ ...input, triggers: [] }).managed, []);
  // The management cluster, registered as one of its own.
  assert.deepEqual(planEventSources({ ...input, managed: input.sources }).problems, []);
});

test("reports of EventSources with names too long for labels are recognised", () => {
  const [name, long] = ["c".repeat(80), "s".repeat(80)];
  const place = { ...cluster, name };
  const input = { ...emptyInput, cluster: place, sources: [sourceNamed(long)], reports: [managementCopy(reportOn(long), long, place)] };
  assert.deepEqual(planEventSources({ ...input, triggers: [triggerFor("a", long)] }).management, []);
  assert.equal(planEventSources(input).management.length, 1);
  assert.deepEqual(
    planEventSources({ ...input, triggers: [triggerFor("a", long)], managed: [reportOn(long)] }).managed.map(({ verb }) => verb),
    ["create"],
  );
});
