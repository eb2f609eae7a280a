import { numberAt, type GroupVersionKind } from "../../../core/object/index.ts";
import { typeCheckingWarnings } from "../../admissionpolicy/index.ts";
import type { ResourceCatalog } from "../../apiserver/index.ts";
import { schemaOf } from "../../data/index.ts";
import type { JsonSchemaProps } from "../../schema/index.ts";
import { enqueueObject, splitKey, type ControllerConstructor } from "../controller.ts";

const key = "validatingadmissionpolicies.admissionregistration.k8s.io";
const manager = "validatingadmissionpolicy-status";

/** Checks the types of policies, and says in their status what it finds. Models pkg/controller/validatingadmissionpolicystatus */
export function policyStatusController({ catalog }: { readonly catalog: ResourceCatalog }): ControllerConstructor {
  return ({ api }) => ({
    name: "validatingadmissionpolicy-status",
    watches: { [key]: enqueueObject },
    reconcile: (of) => {
      const policy = api.read(key, "", splitKey(of).name);
      const { generation = 0, name } = policy?.metadata ?? { name: "" };
      if (policy === undefined || generation <= numberAt(policy, "status.observedGeneration", 0)) return undefined;
      const expressionWarnings = typeCheckingWarnings(policy, {
        kindsOf: (group, version, plural) => {
          const found = catalog.find(group, version, plural);
          return found === undefined ? [] : [found];
        },
        schemaOf: (kind) => schemaOf(kind) ?? customSchema(catalog, kind),
      });
      const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
      const { apiVersion, kind } = policy;
      const status = { observedGeneration: generation, typeChecking };
      api.applyStatus(key, { apiVersion, kind, metadata: { name }, status }, manager);
      return undefined;
    },
  });
}

function customSchema(catalog: ResourceCatalog, { group, version, kind }: GroupVersionKind): JsonSchemaProps | undefined {
  const found = catalog.custom().find((each) => each.group === group && each.version === version && each.kind === kind);
  return found?.custom?.served.schema;
}
