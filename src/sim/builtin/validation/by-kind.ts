import type { KubeObject } from "../../../object/index.ts";
import type { FieldError } from "../../field-error.ts";
import type { KindRules } from "./kind.ts";
import { coreMeta, coreMetaUpdate, objectMeta, objectMetaUpdate, type MetaRules } from "./meta.ts";
import { isNamespaced, nameCheckOf } from "./name-rules.ts";
import { pathSegment } from "./names.ts";

export type Validation = {
  validate(object: KubeObject): readonly FieldError[];
  validateUpdate(object: KubeObject, live: KubeObject): readonly FieldError[];
  validateStatus(object: KubeObject, live: KubeObject): readonly FieldError[];
};

const rulesByKind: Readonly<Record<string, KindRules>> = {};

function metadataOnly(rules: MetaRules): KindRules {
  return { create: (object) => coreMeta(object, rules), update: coreMetaUpdate };
}

/** What the server refuses in objects of a built-in kind (`apps/Deployment`). Models apiserver pkg/registry/rest BeforeCreate and BeforeUpdate */
export function validationFor(key: string): Validation {
  const namespaced = isNamespaced(key);
  const rules = rulesByKind[key] ?? metadataOnly({ name: nameCheckOf(key), namespaced });
  const common = { name: pathSegment, namespaced };
  // The server checks metadata before it asks a kind's own rules, which check it again: clients see such errors more than once.
  const before = (object: KubeObject, live: KubeObject): readonly FieldError[] => [...objectMeta(object, common), ...objectMetaUpdate(object, live)];
  const status = rules.status ?? coreMetaUpdate;
  return {
    validate: (object) => {
      const own = rules.create(object);
      return own.length > 0 ? own : objectMeta(object, common);
    },
    validateUpdate: (object, live) => [...before(object, live), ...rules.update(object, live)],
    validateStatus: (object, live) => [...before(object, live), ...status(object, live)],
  };
}
