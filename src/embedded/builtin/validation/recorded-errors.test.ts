import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { applyMergePatch, fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import type { FieldError } from "../../field-error.ts";
import { allocateService, builtInStrategyFor, type ServiceAllocator } from "../index.ts";

/** The causes with which a real API server (v1.35.8) rejected a create or an update; none when it accepted it. */
type RecordedErrors = {
  readonly id: string;
  readonly object?: KubeObject;
  readonly live?: KubeObject;
  readonly patch?: Record<string, unknown>;
  readonly status?: boolean;
  readonly causes: readonly (readonly [string, string, string])[];
};

const recorded = readFileSync(new URL("./recorded/errors.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as RecordedErrors);

/** Here empty and absent lists are equal; the server prints them differently. */
const emptyLists = new Set(["job/pfp", "job/success", "hpa/behavior"]);
/** The server drops these fields before validation: their feature gate is off by default. */
const droppedFields = new Set(["pvc/ref"]);
/** The server's messages contain its own addresses. */
const ownAddresses = new Set(["svc/up-fam"]);
const unlike = new Set([...emptyLists, ...droppedFields, ...ownAddresses]);

const now = { now: "2030-01-01T00:00:00Z" };
const uid = "0f1e2d3c-0000-4000-8000-000000000000";
const allocator: ServiceAllocator = { clusterIp: (asked) => asked ?? "10.0.0.10", nodePort: (asked) => asked ?? 30_080 };

const groupOf = (object: KubeObject): string => (object.apiVersion.includes("/") ? (object.apiVersion.split("/")[0] ?? "") : "");

/** A Pod has a service account when it is validated: admission sets it. */
function admitted(sent: KubeObject): KubeObject {
  const object = { ...sent, metadata: { ...sent.metadata, uid, creationTimestamp: now.now } };
  return sent.kind === "Pod" ? { ...object, spec: { serviceAccountName: "default", ...fieldsAt(sent, "spec") } } : object;
}

function creationErrors(sent: KubeObject): readonly FieldError[] {
  const strategy = builtInStrategyFor(groupOf(sent), sent.kind);
  const object = strategy.defaults(admitted(sent));
  if (object.kind !== "Service") return strategy.validate(strategy.prepareForCreate(object, now));
  const { service, errors } = allocateService(object, undefined, allocator);
  return errors.length > 0 ? errors : strategy.validate(strategy.prepareForCreate(service, now));
}

function changeErrors(live: KubeObject, patch: Record<string, unknown>, status: boolean): readonly FieldError[] {
  const strategy = builtInStrategyFor(groupOf(live), live.kind);
  const stored = strategy.defaults(live);
  const next = strategy.defaults(applyMergePatch(stored, patch) as KubeObject);
  if (status) return strategy.validateStatus(strategy.prepareStatus(next, stored, now), stored);
  if (next.kind !== "Service") return strategy.validateUpdate(strategy.prepareForUpdate(next, stored), stored);
  const { service, errors } = allocateService(next, stored, allocator);
  return errors.length > 0 ? errors : strategy.validateUpdate(strategy.prepareForUpdate(service, stored), stored);
}

function errorsOf({ object, live, patch = {}, status = false }: RecordedErrors): readonly FieldError[] {
  if (object) return creationErrors(object);
  return live ? changeErrors(live, patch, status) : [];
}

/** Where the server walks a map, the order of its errors is by chance. */
function lines(causes: readonly (readonly [string, string, string])[]): readonly string[] {
  return causes.map((cause) => cause.join(" | ").replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uid>")).toSorted();
}

for (const recordedCase of recorded) {
  test(`${recordedCase.id} is answered as the API server does`, { skip: unlike.has(recordedCase.id) }, () => {
    const errors = errorsOf(recordedCase).map(({ field, reason, message }) => [field, reason, message] as const);
    assert.deepEqual(lines(errors), lines(recordedCase.causes));
  });
}
