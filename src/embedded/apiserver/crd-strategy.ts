import { equal, type KubeObject } from "../../core/object/index.ts";
import { checkDnsSubdomain, validateObjectMeta, validateObjectMetaUpdate, builtInStrategyFor, type Strategy } from "../builtin/index.ts";
import { defaultCrd, prepareCrd, validateCrd } from "../crd/index.ts";
import type { FieldError } from "../field-error.ts";
import { compileCelRule } from "./compile-cel-rule.ts";

/** The strategy of CustomResourceDefinitions. Models apiextensions pkg/registry/customresourcedefinition/strategy.go */
export function crdStrategy(): Strategy {
  const general = builtInStrategyFor("apiextensions.k8s.io", "CustomResourceDefinition");
  return {
    ...general,
    defaults: (object) => general.defaults(defaultCrd(object)),
    prepareForCreate: (object) => withGeneration(prepareCrd(object), 1),
    prepareForUpdate: (object, live) => {
      const { generation = 0 } = live.metadata;
      return withGeneration(prepareCrd(object, live), equal(object["spec"], live["spec"]) ? generation : generation + 1);
    },
    validate: (object) => [...validateObjectMeta(object, { name: checkDnsSubdomain, namespaced: false }), ...check(object)],
    validateUpdate: (object, live) => [...validateObjectMetaUpdate(object, live), ...check(object, live)],
    validateStatus: (object, live) => validateObjectMetaUpdate(object, live),
  };
}

function check(object: KubeObject, old?: KubeObject): readonly FieldError[] {
  return validateCrd(object, { compile: compileCelRule, ...(old === undefined ? {} : { old }) });
}

function withGeneration(object: KubeObject, generation: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, generation } };
}
