import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesKind, parseResourceArg } from "./resource-arg.ts";

const parsed: Readonly<Record<string, readonly [string, (string | undefined)?, string?] | undefined>> = {
  secret: ["secret"],
  Secrets: ["secrets"],
  "deployments.apps": ["deployments", undefined, "apps"],
  "deployments.v1.apps": ["deployments", "v1", "apps"],
  "certificates.cert-manager.io": ["certificates", undefined, "cert-manager.io"],
  "certificates.v1.cert-manager.io": ["certificates", "v1", "cert-manager.io"],
  "kafkas.v1beta2.kafka.strimzi.io": ["kafkas", "v1beta2", "kafka.strimzi.io"],
  "virtualservices.vpc.example.com": ["virtualservices", undefined, "vpc.example.com"],
  "pods.v1": ["pods", "v1", ""],
  all: undefined,
  "": undefined,
  "a..b": undefined,
  "a.": undefined,
  ".apps": undefined,
};

for (const [text, expected] of Object.entries(parsed)) {
  test(`${JSON.stringify(text)} is read`, () => {
    const [resource, version, group] = expected ?? [];
    const wanted = { resource, ...(version === undefined ? {} : { version }), ...(group === undefined ? {} : { group }) };
    assert.deepEqual(parseResourceArg(text), expected === undefined ? undefined : wanted);
  });
}

const named: readonly (readonly [string, string, boolean])[] = [
  ["sts", "apps/v1/StatefulSet", true],
  ["statefulset", "apps/v1/StatefulSet", true],
  ["statefulsets.apps", "apps/v1/StatefulSet", true],
  ["statefulsets.v1beta1.apps", "apps/v1/StatefulSet", false],
  ["ingresses", "networking.k8s.io/v1/Ingress", true],
  ["networkpolicies", "networking.k8s.io/v1/NetworkPolicy", true],
  ["endpoints", "/v1/Endpoints", true],
  ["pods.v1", "/v1/Pod", true],
  ["deployments.example.com", "apps/v1/Deployment", false],
  ["secret", "/v1/ConfigMap", false],
];

for (const [text, gvk, expected] of named) {
  test(`${text} ${expected ? "names" : "does not name"} ${gvk}`, () => {
    const [group = "", version = "", kind = ""] = gvk.split("/");
    assert.equal(matchesKind(parseResourceArg(text)!, { group, version, kind }), expected);
  });
}
