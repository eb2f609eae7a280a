import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EventSourceEvaluator, explain } from "../src/sveltos/evaluate/index.ts";
import { readEventSource, type EventSource } from "../src/sveltos/api/index.ts";
import type { KubeObject } from "../src/core/object/index.ts";
import { readManifests } from "../src/lang/yaml/index.ts";
import { reportNote, reportAtMost } from "./report.ts";
import { spreadOf } from "./spread.ts";

/** A documented script, the same check in JavaScript, and an object that satisfies it. */
type Case = {
  readonly name: string;
  readonly source: EventSource;
  readonly check: (object: KubeObject) => { matching: boolean; message: string };
  readonly object: KubeObject;
};

type Service = {
  metadata: { labels?: Record<string, string> };
  spec: { ports?: { port: number }[] };
  status: { loadBalancer: { ingress?: object[] } };
};
type Namespace = { metadata: { labels?: Record<string, string> } };
type Deployment = { metadata: { name: string }; spec: { replicas: number }; status?: { availableReplicas?: number } };

const bytes = 3500;
/** The fastest round counts: other load can only slow one down. Rounds are short, so that some are undisturbed on a busy machine. */
const rounds = 250;
const roundSize = 500;
const service = {
  apiVersion: "v1",
  kind: "Service",
  spec: { ports: [{ port: 80 }, { port: 443 }] },
  status: { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } },
};
const deployment = { apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: 3 }, status: { availableReplicas: 3 } };

const namespace = { apiVersion: "v1", kind: "Namespace", spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };
const reserved = ["kube-system", "kube-public", "kube-node-lease", "projectsveltos"];

/** As long as documented scripts get: a function, a list, and two loops with early exits. */
const longScript = `function isReserved(name)
  local reserved = {${reserved.map((name) => JSON.stringify(name)).join(", ")}}
  for _, other in ipairs(reserved) do
    if name == other then
      return true
    end
  end
  return false
end

function evaluate()
  hs = {}
  hs.matching = true
  hs.message = ""
  if obj.metadata.labels ~= nil then
    for key, value in pairs(obj.metadata.labels) do
      -- a Namespace may ask to be left alone
      if key == "exempt" then
        if value == "true" then
          hs.matching = false
          break
        end
      elseif key == "kubernetes.io/metadata.name" then
        if isReserved(value) then
          hs.matching = false
          break
        end
      end
    end
  end
  return hs
end`;

const labelScript = `function evaluate()
  hs = {}
  hs.matching = false
  hs.message = ""
  if obj.metadata.labels ~= nil then
    for key, value in pairs(obj.metadata.labels) do
      if key == "sveltos" then
        if value == "fv" then
          hs.matching = true
        end
      end
    end
  end
  return hs
end`;

const cases: readonly Case[] = [
  {
    name: "a label",
    source: sourceOf({ resourceSelectors: [{ group: "", version: "v1", kind: "Service", evaluate: labelScript }] }),
    check(object) {
      const { metadata } = object as unknown as Service;
      const answer = { matching: false, message: "" };
      for (const [key, value] of Object.entries(metadata.labels ?? {})) if (key === "sveltos" && value === "fv") answer.matching = true;
      return answer;
    },
    object: padded(service, "web", "eng"),
  },
  {
    name: "an https port",
    source: example("https-service"),
    check(object) {
      const { spec } = object as unknown as Service;
      const answer = { matching: false, message: "no https port" };
      for (const { port } of spec.ports ?? [])
        if (port === 443 || port === 8443) {
          answer.matching = true;
          answer.message = `https on port ${port}`;
        }
      return answer;
    },
    object: padded(service, "web", "eng"),
  },
  {
    name: "an address of a load balancer",
    source: example("load-balancer-service"),
    check: (object) => ({ matching: (object as unknown as Service).status.loadBalancer.ingress !== undefined, message: "" }),
    object: padded(service, "web", "eng"),
  },
  {
    name: "a Deployment that is available",
    source: example("postgresql-ready"),
    check(object) {
      const { metadata, spec, status } = object as unknown as Deployment;
      const isUp = metadata.name === "postgresql" && status?.availableReplicas !== undefined && status.availableReplicas === spec.replicas;
      return { matching: isUp, message: "" };
    },
    object: padded(deployment, "postgresql", "todo"),
  },
  {
    name: "a Namespace that is neither exempt nor reserved, in 30 lines",
    source: sourceOf({ resourceSelectors: [{ group: "", version: "v1", kind: "Namespace", evaluate: longScript }] }),
    check(object) {
      const { metadata } = object as unknown as Namespace;
      const answer = { matching: true, message: "" };
      for (const [key, value] of Object.entries(metadata.labels ?? {}))
        if (key === "exempt" ? value === "true" : key === "kubernetes.io/metadata.name" && reserved.includes(value)) {
          answer.matching = false;
          break;
        }
      return answer;
    },
    object: padded(namespace, "eng", undefined),
  },
];

/** Evaluates the documented scripts on objects of 3.5 KB, and changes one of 10,000 objects. */
export function benchEvaluation(): Promise<void> {
  for (const one of cases) compare(one);
  increment();
  return Promise.resolve();
}

function compare({ name, source, check, object }: Case): void {
  const explainObject = explain(source);
  const text = JSON.stringify(object);
  // Results are not cached, so objects can be evaluated repeatedly.
  const parsed = Array.from({ length: 100 }, () => JSON.parse(text) as KubeObject);
  const objects = Array.from({ length: roundSize }, (_, index) => parsed[index % parsed.length]!);
  const times: { lua: number[]; js: number[] } = { lua: [], js: [] };
  for (let round = 0; round < rounds; round++) {
    times.js.push(microseconds(objects, (one) => check(one).matching));
    times.lua.push(microseconds(objects, (one) => explainObject(one).state === "matching"));
  }
  const [js, lua] = [Math.min(...times.js), Math.min(...times.lua)];
  reportAtMost(`${name}: Lua, against 4 times JavaScript plus 5 µs`, lua, 4 * js + 5, " µs");
  reportNote("the same check in JavaScript", `${js.toFixed(2)} µs`);
  reportNote(
    "the median of the rounds in Lua and in JavaScript",
    `${spreadOf(times.lua).median.toFixed(2)} µs, ${spreadOf(times.js).median.toFixed(2)} µs`,
  );
}

function increment(): void {
  const source = cases[0]!.source;
  const evaluation = new EventSourceEvaluator(source);
  const objects = Array.from({ length: 10_000 }, (_, index) => padded(service, `web-${index}`, "eng"));
  const all = microseconds([0], () => {
    for (const object of objects) evaluation.put(object);
    return evaluation.evaluate().matches.length === objects.length;
  });
  const before = evaluation.evaluated;
  const changes = objects.slice(0, 200).map((object) => ({ ...object, status: {} }));
  const one = microseconds(changes, (object) => {
    evaluation.put(object);
    return evaluation.evaluate().matches.length === objects.length;
  });
  reportAtMost("of 10,000 objects one changes: objects evaluated", (evaluation.evaluated - before) / changes.length, 1);
  reportNote(
    "one change among 10,000 objects, with the new list of matches",
    `${one.toFixed(0)} µs (all of them: ${(all / 1000).toFixed(0)} ms)`,
  );
}

/** The time for one item. Every result is checked, so that nothing is optimised away. */
function microseconds<T>(items: readonly T[], work: (item: T) => boolean): number {
  const start = process.hrtime.bigint();
  let right = 0;
  for (const item of items) if (work(item)) right++;
  const taken = Number(process.hrtime.bigint() - start) / 1000 / items.length;
  if (right !== items.length) throw new Error(`${items.length - right} objects were evaluated wrongly`);
  return taken;
}

/** An object as a cluster returns it, most of it managedFields. */
function padded(object: { apiVersion: string; kind: string }, name: string, namespace: string | undefined): KubeObject {
  const fieldsV1: Record<string, object> = {};
  const metadata = {
    name,
    ...(namespace !== undefined && { namespace }),
    uid: name,
    resourceVersion: "1",
    labels: { app: name, sveltos: "fv", tier: "web", "kubernetes.io/metadata.name": name },
    managedFields: [{ fieldsV1 }],
  };
  const whole = { ...object, metadata } as unknown as KubeObject;
  for (let index = 0; JSON.stringify(whole).length < bytes; index++)
    fieldsV1[`f:field-${index}`] = { ".": {}, "f:name": {}, "f:value": {} };
  return whole;
}

function sourceOf(spec: object): EventSource {
  const reading = readEventSource({ apiVersion: "lib.projectsveltos.io/v1beta1", kind: "EventSource", metadata: { name: "bench" }, spec });
  if (reading.state !== "read") throw new Error(JSON.stringify(reading.problems));
  return reading.value;
}

function example(name: string): EventSource {
  const file = join(import.meta.dirname, "../examples/events", name, "eventsource.yaml");
  const [manifest] = readManifests(readFileSync(file, "utf8"), file).manifests;
  return sourceOf(manifest?.object["spec"] as object);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchEvaluation();
