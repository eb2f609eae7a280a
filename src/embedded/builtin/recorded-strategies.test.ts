import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { groupVersionOf, isFields, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { FieldError } from "../field-error.ts";
import { StatusError } from "../status-error.ts";
import { AdmissionChain, admissionPlugins, allocateService, builtInStrategyFor, convertBuiltIn, type AdmissionContext } from "./index.ts";

// What a real kube-apiserver v1.35.8 answered to each write; only times, uids, addresses and made-up names are taken from it.

type Answer = { readonly code: number; readonly object?: KubeObject; readonly message?: string; readonly causes?: readonly Fields[] };
type Recording = {
  readonly creates: readonly {
    readonly title: string;
    readonly resource: string;
    readonly namespace: string;
    readonly body: KubeObject;
    readonly answer: Answer;
  }[];
  readonly updates: readonly { readonly title: string; readonly live: KubeObject; readonly patch: Fields; readonly answer: Answer }[];
};
const recording = JSON.parse(readFileSync(new URL("recorded/recorded.json", import.meta.url), "utf8")) as Recording;

const present: Readonly<Record<string, KubeObject>> = {
  "namespaces//t": { apiVersion: "v1", kind: "Namespace", metadata: { name: "t" } },
  "serviceaccounts/t/default": { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "t" } },
  "priorityclasses.scheduling.k8s.io//system-node-critical": {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "system-node-critical" },
    value: 2_000_001_000,
    preemptionPolicy: "PreemptLowerPriority",
  },
};
const context: AdmissionContext = {
  read: (resource, namespace, name) => present[`${resource}/${namespace}/${name}`],
  list: () => [],
  generateName: (prefix) => `${prefix}abcde`,
  updateQuotaUsage: () => undefined,
};

function merged(value: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const base = isFields(value) ? value : {};
  const entries = Object.entries(patch).map(([key, item]) => [key, merged(base[key], item)] as const);
  return Object.fromEntries(Object.entries({ ...base, ...Object.fromEntries(entries) }).filter(([, item]) => item !== null));
}

function invalid(object: KubeObject, errors: readonly FieldError[]): Fields {
  const { group } = groupVersionOf(object.apiVersion);
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  const all = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return { code: 422, message: `${object.kind}${group === "" ? "" : `.${group}`} "${object.metadata.name}" is invalid: ${all}` };
}

const allocator = { clusterIp: (requested?: string) => requested ?? "<ip>", nodePort: (requested?: number) => requested ?? 0 };

/** The times, uids, addresses and names in `object` that only the server that made them could know. */
function withoutChance(object: unknown): unknown {
  const suffixes = JSON.stringify(object).replaceAll(/kube-api-access-\w{5}/g, "kube-api-access-<id>");
  return JSON.parse(suffixes, (key, value: unknown) =>
    ["uid", "creationTimestamp", "resourceVersion", "lastPhaseTransitionTime"].includes(key) ? "<>" : value,
  );
}

const chain = new AdmissionChain(admissionPlugins(), context);

function created(body: KubeObject, namespace: string, plural: string, answered: KubeObject | undefined): Fields {
  const { group } = groupVersionOf(body.apiVersion);
  const strategy = builtInStrategyFor(group, body.kind);
  const placed = namespace === "" ? body : { ...body, metadata: { ...body.metadata, namespace } };
  const asked = strategy.defaults({
    ...placed,
    metadata: { ...placed.metadata, uid: answered?.metadata.uid ?? "u", creationTimestamp: "c" },
  });
  const attributes = {
    operation: "CREATE" as const,
    resource: { group, version: "v1", kind: body.kind, plural, key: group === "" ? plural : `${plural}.${group}` },
    object: convertBuiltIn(asked, "autoscaling/v2") ?? asked,
  };
  const admitted = chain.mutate(attributes);
  const spec = answered?.["spec"];
  const ip = isFields(spec) && typeof spec["clusterIP"] === "string" ? spec["clusterIP"] : "10.0.0.9";
  const addressed =
    body.kind === "Service"
      ? allocateService(admitted, undefined, { ...allocator, clusterIp: (wanted) => wanted ?? ip }).service
      : admitted;
  const prepared = strategy.prepareForCreate(addressed, { now: "n" });
  const errors = strategy.validate(prepared);
  if (errors.length > 0) return invalid(prepared, errors);
  chain.validate({ ...attributes, object: prepared });
  return { code: 201, object: convertBuiltIn(prepared, body.apiVersion) ?? prepared };
}

function create(body: KubeObject, namespace: string, plural: string, answered: KubeObject | undefined): Fields {
  try {
    return created(body, namespace, plural, answered);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.status.code, message: error.message };
  }
}

for (const { title, body, namespace, resource, answer } of recording.creates) {
  test(`create ${title}`, () => {
    const { causes: _causes, reason: _reason, ...expected } = answer as Answer & { readonly reason?: string };
    assert.deepEqual(withoutChance(create(body, namespace, resource, answer.object)), withoutChance(expected));
  });
}

function update(live: KubeObject, patch: Fields): Fields {
  const { group } = groupVersionOf(live.apiVersion);
  const strategy = builtInStrategyFor(group, live.kind);
  const asked = strategy.defaults(merged(live, patch) as KubeObject);
  const allocated = live.kind === "Service" ? allocateService(asked, live, allocator).service : asked;
  const prepared = strategy.prepareForUpdate(allocated, live);
  const errors = strategy.validateUpdate(prepared, live);
  return errors.length > 0 ? invalid(prepared, errors) : { code: 200, object: prepared };
}

for (const { title, live, patch, answer } of recording.updates) {
  test(`update ${title}`, () => {
    const { causes: _causes, reason: _reason, ...expected } = answer as Answer & { readonly reason?: string };
    assert.deepEqual(withoutChance(update(live, patch)), withoutChance(expected));
  });
}

test("defaults leave alone what the server answered", () => {
  for (const { answer } of [...recording.creates, ...recording.updates]) {
    if (answer.object === undefined) continue;
    const { defaults } = builtInStrategyFor(groupVersionOf(answer.object.apiVersion).group, answer.object.kind);
    assert.equal(defaults(answer.object), answer.object, answer.object.kind);
  }
});
