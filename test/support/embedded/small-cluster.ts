import { isFields, type KubeObject } from "../../../src/core/object/index.ts";
import { isRefusal } from "../../../src/embedded/refusal.ts";
import { admit, confirm } from "../../../src/embedded/builtin/admission/by-resource.ts";
import type { Attempt, Surroundings } from "../../../src/embedded/builtin/admission/plugin.ts";

/** A few objects by resource, to try admission on. Objects need say no more than what a test is about. */
export type Sketch = { readonly metadata?: object; readonly [field: string]: unknown };

/** What admission sees of a cluster that holds these objects and the namespace `default`. */
export class SmallCluster implements Surroundings {
  /** `quota used`, in the order of charging. */
  readonly charged: string[] = [];
  readonly #objects = new Map<string, readonly KubeObject[]>();

  constructor(objects: Readonly<Record<string, readonly Sketch[]>> = {}) {
    this.#objects.set("namespaces", [sketched({ metadata: { name: "default", namespace: "" } })]);
    for (const [resource, sketches] of Object.entries(objects)) {
      this.#objects.set(resource, [...(this.#objects.get(resource) ?? []), ...sketches.map(sketched)]);
    }
  }

  read(resource: string, _namespace: string, name: string): KubeObject | undefined {
    return this.list(resource).find(({ metadata }) => metadata.name === name);
  }

  list(resource: string): readonly KubeObject[] {
    return this.#objects.get(resource) ?? [];
  }

  generatedName(prefix: string): string {
    return `${prefix}xxxxx`;
  }

  charge({ metadata }: KubeObject, used: Readonly<Record<string, string>>): void {
    const amounts = Object.entries(used).map(([name, amount]) => `${name}=${amount}`);
    this.charged.push([metadata.name, ...amounts].join(" "));
  }

  /** The object as it comes out of both halves of admission. */
  create(resource: string, sketch: Sketch, options: { dryRun?: boolean } = {}): KubeObject {
    const attempt = { ...attemptOf("CREATE", resource, sketch), ...options };
    const object = admit(attempt, this);
    confirm({ ...attempt, object }, this);
    return object;
  }

  update(resource: string, before: Sketch, after: Sketch, subresource = ""): KubeObject {
    const attempt = { ...attemptOf("UPDATE", resource, after), live: sketched(before), subresource };
    const object = admit(attempt, this);
    confirm({ ...attempt, object }, this);
    return object;
  }

  delete(resource: string, sketch: Sketch): void {
    confirm(attemptOf("DELETE", resource, sketch), this);
  }
}

function attemptOf(operation: Attempt["operation"], resource: string, sketch: Sketch): Attempt {
  const [plural = "", ...group] = resource.split(".");
  return { operation, resource: { key: resource, plural, group: group.join(".") }, object: sketched(sketch) };
}

function sketched(sketch: Sketch): KubeObject {
  const metadata = isFields(sketch.metadata) ? sketch.metadata : {};
  return { apiVersion: "v1", kind: "Sketch", ...sketch, metadata: { name: "a", namespace: "default", ...metadata } };
}

/** What a refusal says, or `let in`. */
export function verdictOf(attempt: () => void): string {
  try {
    attempt();
    return "let in";
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return `${error.status.code} ${error.message}`;
  }
}
