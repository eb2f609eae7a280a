import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { chartOf } from "../../../test/support/chart-of.ts";
import { RealClock } from "../../core/clock/index.ts";
import { fieldsAt, integerOf, listAt, stringAt } from "../../core/object/index.ts";
import { defaultCapabilities } from "../../release/render/index.ts";
import { packageChart } from "../../repository/index.ts";
import { WorkerPool } from "../../worker/index.ts";
import { startWorkerProcess } from "./worker-process.ts";

const main = join(import.meta.dirname, "../main.ts");
const cluster = { apiVersion: "v1", kind: "Cluster", metadata: { name: "c1" } };
const counter = { apiVersion: "v1", kind: "Counter", metadata: { name: "n" }, count: integerOf(2n ** 63n - 1n) };
const data = { cluster, infrastructureProvider: undefined, controlPlane: undefined, resources: new Map([["Counter", counter]]) };
/** Takes seconds, mostly where no engine counts. */
const endless = "{{ range until 100000 }}{{ $key := genPrivateKey `rsa` }}{{ end }}";

test(
  "templates, scripts and charts run in a process of their own, which a limit ends",
  { skip: process.platform !== "linux" },
  async (t) => {
    const limits = { memoryBytes: 2 ** 30, cpuMs: 300_000, idleMs: 300_000 };
    const pool = new WorkerPool(() => startWorkerProcess(main), new RealClock(), limits, 2);
    t.after(() => pool.close());
    const run = (text: string, processing = "by template") => {
      const task = { handler: "content", input: { processing, at: "x.yaml", text, data }, owner: "a", subject: text, title: "x.yaml" };
      return pool.run(task, t.signal);
    };
    assert.equal(await run("name: {{ .Cluster.metadata.name }}"), "name: c1");
    assert.equal(await run('{{ (getResource "Counter").count }}'), "9223372036854775807");
    assert.equal(await run('function evaluate() return {resources = "a: b"} end', "by script"), "a: b");
    await assert.rejects(run("a\n{{ .Cluster.nope }}"), {
      name: "Fault",
      message: 'x.yaml:2:11: at <.Cluster.nope>: map has no entry for key "nope"',
      final: true,
    });
    const match = (source: object, object: object) => {
      const input = { hash: JSON.stringify(source), source: { metadata: { name: "es" }, ...source }, objects: [object] };
      return pool.run({ handler: "match", input, owner: "a", subject: input.hash, title: "es" }, t.signal);
    };
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "default" } };
    const selector = { group: "", version: "v1", kind: "Service", namespace: "", name: "", selector: {}, evaluate: "" };
    const rule = { name: "r", rule: 'resource.metadata.name == "web"' };
    const source = { selectors: [{ ...selector, evaluateCEL: [rule] }], aggregatedSelection: "" };
    assert.deepEqual(await match(source, service), { broken: [], results: [[{ state: "matching", message: "" }]] });
    // As deep as an API server stores objects, and too deep to be cloned.
    const deep = { ...service, spec: Array.from({ length: 9000 }).reduce<object>((inner) => ({ a: inner }), {}) };
    await assert.rejects(match(source, deep), { name: "Fault", message: /^send es to a worker process: Maximum call stack/ });
    const chart = (owner: string, template: string) => {
      const facts = { release: { name: "web", namespace: "default", revision: 1, isUpgrade: false }, capabilities: defaultCapabilities };
      const archive = packageChart(chartOf({ "templates/a.yaml": template }));
      const attempt = { chart: { archive, title: "load" }, reuse: "reset", facts, lookups: [] };
      const input = { attempt, values: [{ where: "values", text: "v: 1" }], patches: [], patchAnswers: [] };
      return pool.run({ handler: "chart", input, owner, subject: owner, title: "release default/web" }, t.signal);
    };
    const hanging = assert.rejects(chart("a", endless), {
      name: "TaskEnded",
      message: /^release default\/web: it took more than 0\.01 s of the processor, and was ended; it is set aside/,
    });
    const rendered = await chart("b", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {v: '{{ .Values.v }}'}\n");
    assert.deepEqual(stringAt(fieldsAt(listAt(rendered, "release.manifests")[0], "object.data"), "v"), "1");
    limits.cpuMs = 10;
    await hanging;
  },
);
