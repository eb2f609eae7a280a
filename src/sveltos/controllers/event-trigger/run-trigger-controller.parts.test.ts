import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt, refOf, type KubeObject } from "../../../core/object/index.ts";
import {
  contentYaml,
  labelledService,
  openTriggerFixture,
  serviceEventSource,
  triggerYaml,
  yamlDocuments,
} from "../../../../test/support/trigger-fixture.ts";

const text = "{{ .Resource.metadata.name }}";

test("a report is read with its parts; while one is missing, the generated objects stay", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  const { hub } = fixture.fleet;
  const report = fixture.report("services", "c1", [labelledService("a")]);
  const other = fixture.report("services", "c1", [labelledService("b"), labelledService("c")]);
  const part = {
    ...other,
    metadata: {
      ...other.metadata,
      name: `${report.metadata.name}--part-2`,
      annotations: { "projectsveltos.io/part-of": report.metadata.name },
    },
  };
  const annotations = { "projectsveltos.io/report-parts": "2" };
  const write = async (object: KubeObject) => {
    await fixture.fleet.until(hub.apply(object, { manager: "evaluation", force: true }));
    await fixture.pass();
  };
  await write({ ...report, metadata: { ...report.metadata, annotations } });
  assert.deepEqual(await fixture.names(), []);
  assert.match((await fixture.infos("t")).join(), /EventReport sveltos--services--c1--part-2, a part of the report .* is missing or empty/);
  await write(part);
  const names = await fixture.names();
  assert.equal(names.length, 6, "a profile and its content for each of three Services");
  await fixture.fleet.until(hub.delete(refOf(part)));
  await fixture.pass();
  assert.deepEqual(await fixture.names(), names);
  await write(part);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
  await write({
    ...part,
    metadata: { ...part.metadata, annotations: { ...part.metadata.annotations, "projectsveltos.io/report-left-out": "true" } },
    spec: { ...fieldsAt(part, "spec"), resources: "" },
  });
  assert.deepEqual(await fixture.names(), names, "without the content nothing is rendered, and nothing is deleted");
  assert.match((await fixture.infos("t")).join(), /Service default\/b: EventReport: the content of Service default\/b is too large for it/);
  await write(report);
  assert.equal((await fixture.names()).length, 2, "what the report does not name does not count");
});
