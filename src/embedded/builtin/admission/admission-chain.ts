import type { KubeObject } from "../../../core/object/index.ts";
import type { AdmissionAttributes, AdmissionContext, AdmissionPlugin } from "./plugin.ts";
import { Reinvocation } from "./reinvocation.ts";

/**
 * Runs admission plugins in their order: each one that mutates, then, when the object has been validated, each one that
 * validates. Models apiserver pkg/admission/chain.go
 */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #context: AdmissionContext;
  readonly #handlers = new Map<string, readonly AdmissionPlugin[]>();

  constructor(plugins: readonly AdmissionPlugin[], context: AdmissionContext) {
    this.#plugins = plugins;
    this.#context = context;
  }

  /** The object as the plugins leave it. Throws a StatusError to reject the write. */
  mutate(attributes: AdmissionAttributes): KubeObject {
    const reinvocation = new Reinvocation();
    let { object } = attributes;
    do object = this.#admit({ ...attributes, object, reinvocation });
    while (reinvocation.next());
    return object;
  }

  #admit(attributes: AdmissionAttributes): KubeObject {
    let { object } = attributes;
    for (const { admit } of this.#handling(attributes)) object = admit?.(object, attributes, this.#context) ?? object;
    return object;
  }

  /** Throws a StatusError to reject the write. */
  validate(attributes: AdmissionAttributes): void {
    for (const { validate } of this.#handling(attributes)) validate?.(attributes, this.#context);
  }

  #handling({ resource, subresource = "" }: AdmissionAttributes): readonly AdmissionPlugin[] {
    const key = subresource === "" ? resource.key : `${resource.key}/${subresource}`;
    let handlers = this.#handlers.get(key);
    if (handlers === undefined) {
      handlers = this.#plugins.filter((plugin) => handles(plugin, resource.key, subresource));
      this.#handlers.set(key, handlers);
    }
    return handlers;
  }
}

function handles({ resources, subresources = [] }: AdmissionPlugin, key: string, subresource: string): boolean {
  if (resources !== undefined && !resources.includes(key)) return false;
  return subresource === "" || subresources === "all" || subresources.includes(subresource);
}
