import assert from "node:assert/strict";
import { readEventSource, type EventSource } from "../../../src/sveltos/api/index.ts";
import type { KubeObject } from "../../../src/core/object/index.ts";
import { readYaml } from "../../../src/lang/yaml/index.ts";
import type { EvaluationResult } from "../../../src/sveltos/evaluate/evaluation-result.ts";

/** An EventSource named `es` from the YAML of its spec. */
export function eventSourceOf(spec: string): EventSource {
  const object = {
    apiVersion: "lib.projectsveltos.io/v1beta1",
    kind: "EventSource",
    metadata: { name: "es" },
    spec: readYaml(spec, "spec"),
  };
  const reading = readEventSource(object);
  assert.equal(reading.state, "read", JSON.stringify(reading));
  assert.ok(reading.state === "read");
  return reading.value;
}

/** An EventSource that selects Services with a Lua script. */
export function luaEventSource(body: string, more = ""): EventSource {
  const script = body.replaceAll(/^/gm, "    ");
  return eventSourceOf(`resourceSelectors:\n- group: ""\n  version: v1\n  kind: Service\n  evaluate: |\n${script}\n${more}`);
}

/** A Service from a short notation: `shop/web`, with labels behind it (`shop/web app=a`), and ports where they matter. */
export function serviceFrom(text: string, ports: readonly number[] = [80]): KubeObject {
  const [place = "", ...pairs] = text.split(" ");
  const [namespace = "", name = ""] = place.split("/");
  const labels = Object.fromEntries(pairs.map((pair) => pair.split("=")));
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, ...(pairs.length > 0 && { labels }) },
    spec: { ports: ports.map((port) => ({ port, protocol: "TCP" })) },
  };
}

/** A result in one line: `shop/web shop/db; kept shop/x: reason`. */
export function resultText({ matches, failures }: EvaluationResult): string {
  const names = matches.map(({ ref }) => `${ref.namespace}/${ref.name}`).join(" ");
  const failureTexts = failures.map(
    ({ ref, reason, effect }) => `; ${effect} ${ref === undefined ? "" : `${ref.namespace}/${ref.name}: `}${reason}`,
  );
  return `${names}${failureTexts.join("")}`;
}
