import { equal, type KubeObject } from "../../core/object/index.ts";
import { dnsSubdomain, objectMeta, objectMetaUpdate, strategyFor, type Strategy } from "../builtin/index.ts";
import { defaultDefinition, needsWebhook, prepareDefinition, validateDefinition } from "../crd/index.ts";
import type { FieldError } from "../field-error.ts";
import { compileRule } from "./compile-rule.ts";

/** What the server does to CustomResourceDefinitions. Models apiextensions pkg/registry/customresourcedefinition/strategy.go */
export function definitionStrategy(): Strategy {
  const general = strategyFor("apiextensions.k8s.io", "CustomResourceDefinition");
  return {
    ...general,
    defaults: (object) => general.defaults(defaultDefinition(object)),
    prepareForCreate: (object) => withGeneration(prepareDefinition(object), 1),
    prepareForUpdate: (object, live) => {
      const { generation = 0 } = live.metadata;
      return withGeneration(prepareDefinition(object, live), equal(object["spec"], live["spec"]) ? generation : generation + 1);
    },
    validate: (object) => [...objectMeta(object, { name: dnsSubdomain, namespaced: false }), ...check(object)],
    validateUpdate: (object, live) => [...objectMetaUpdate(object, live), ...check(object, live)],
    validateStatus: (object, live) => objectMetaUpdate(object, live),
  };
}

function check(object: KubeObject, old?: KubeObject): readonly FieldError[] {
  const webhook = needsWebhook(object);
  const errors = validateDefinition(object, { compile: compileRule, ...(old === undefined ? {} : { old }) });
  return webhook === undefined ? errors : [...errors, webhook];
}

function withGeneration(object: KubeObject, generation: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, generation } };
}
