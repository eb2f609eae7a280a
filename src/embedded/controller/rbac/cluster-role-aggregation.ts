import { equal, listAt } from "../../../core/object/index.ts";
import { aggregatedRules, rbacKeys } from "../../authorization/index.ts";
import type { ControllerConstructor } from "../controller.ts";

const manager = "clusterrole-aggregation-controller";

/** Gives ClusterRoles with an aggregationRule the rules of the roles that it selects. Models pkg/controller/clusterroleaggregation */
export const clusterRoleAggregation: ControllerConstructor = ({ api }) => {
  const key = rbacKeys.clusterRoles;
  /** Any role may be selected by any aggregated one. */
  const aggregated = () => api.list(key).filter((role) => role["aggregationRule"] !== undefined);
  return {
    name: "clusterrole-aggregation",
    watches: { [key]: () => ["all"] },
    reconcile: () => {
      for (const role of aggregated()) {
        const rules = aggregatedRules(role, api.list(key));
        if (rules === undefined || equal(rules, listAt(role, "rules"))) continue;
        const { apiVersion, kind, metadata } = role;
        // Without rules it applies nothing, so that rules of others stay.
        const config = { apiVersion, kind, metadata: { name: metadata.name }, ...(rules.length === 0 ? {} : { rules }) };
        api.apply(key, config, manager);
      }
      return undefined;
    },
  };
};
