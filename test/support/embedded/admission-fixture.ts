import { isFields, type KubeObject } from "../../../src/core/object/index.ts";
import { isStatusError } from "../../../src/embedded/status-error.ts";
import { AdmissionChain } from "../../../src/embedded/builtin/admission/admission-chain.ts";
import { admissionPlugins } from "../../../src/embedded/builtin/admission/admission-plugins.ts";
import type { AdmissionAttributes, AdmissionContext } from "../../../src/embedded/builtin/admission/plugin.ts";

/** A few objects by resource, for tests of admission. Objects contain only the fields that a test needs. */
export type PartialObject = { readonly metadata?: object; readonly [field: string]: unknown };

/** The admission context of a cluster with these objects and the namespace `default`. */
export class AdmissionFixture implements AdmissionContext {
  /** `quota used`, in order. */
  readonly quotaUpdates: string[] = [];
  readonly #chain = new AdmissionChain(admissionPlugins(), this);
  readonly #objects = new Map<string, readonly KubeObject[]>();

  constructor(objects: Readonly<Record<string, readonly PartialObject[]>> = {}) {
    this.#objects.set("namespaces", [completeObject({ metadata: { name: "default", namespace: "" } })]);
    for (const [resource, sketches] of Object.entries(objects)) {
      this.#objects.set(resource, [...(this.#objects.get(resource) ?? []), ...sketches.map(completeObject)]);
    }
  }

  read(resource: string, _namespace: string, name: string): KubeObject | undefined {
    return this.list(resource).find(({ metadata }) => metadata.name === name);
  }

  list(resource: string): readonly KubeObject[] {
    return this.#objects.get(resource) ?? [];
  }

  generateName(prefix: string): string {
    return `${prefix}xxxxx`;
  }

  updateQuotaUsage({ metadata }: KubeObject, used: Readonly<Record<string, string>>): void {
    const amounts = Object.entries(used).map(([name, amount]) => `${name}=${amount}`);
    this.quotaUpdates.push([metadata.name, ...amounts].join(" "));
  }

  /** The object after mutating and validating admission. */
  create(resource: string, sketch: PartialObject, options: { dryRun?: boolean } = {}): KubeObject {
    const attributes = { ...attributesOf("CREATE", resource, sketch), ...options };
    const object = this.#chain.mutate(attributes);
    this.#chain.validate({ ...attributes, object });
    return object;
  }

  update(resource: string, before: PartialObject, after: PartialObject, subresource = ""): KubeObject {
    const attributes = { ...attributesOf("UPDATE", resource, after), live: completeObject(before), subresource };
    const object = this.#chain.mutate(attributes);
    this.#chain.validate({ ...attributes, object });
    return object;
  }

  delete(resource: string, sketch: PartialObject): void {
    this.#chain.validate(attributesOf("DELETE", resource, sketch));
  }
}

function attributesOf(operation: AdmissionAttributes["operation"], resource: string, sketch: PartialObject): AdmissionAttributes {
  const [plural = "", ...group] = resource.split(".");
  return {
    operation,
    resource: { key: resource, plural, group: group.join("."), version: "v1", kind: "Sketch" },
    object: completeObject(sketch),
  };
}

function completeObject(sketch: PartialObject): KubeObject {
  const metadata = isFields(sketch.metadata) ? sketch.metadata : {};
  return { apiVersion: "v1", kind: "Sketch", ...sketch, metadata: { name: "a", namespace: "default", ...metadata } };
}

/** The message of the rejection, or `let in`. */
export function admissionResult(attempt: () => void): string {
  try {
    attempt();
    return "let in";
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return `${error.status.code} ${error.message}`;
  }
}
