import type { FeatureId, ValidateHealth } from "../api/index.ts";
import { compileCel } from "../../lang/cel/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { isFields, type KubeObject } from "../../core/object/index.ts";
import { compileScript } from "../script/index.ts";
import { healthCheckSelectionOf } from "./watched-objects.ts";

/** Gives why an object is not healthy; undefined when it is. */
type HealthCheck = (object: KubeObject) => string | undefined;

/**
 * Runs the validateHealths of a feature in their order. Gives why the feature is not Provisioned yet, or undefined. Checks of
 * kinds that the cluster does not serve are skipped; of a served kind there must be an object.
 */
export async function checkFeatureHealth(
  checks: readonly ValidateHealth[],
  feature: FeatureId,
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<string | undefined> {
  for (const check of checks.filter(({ featureID }) => featureID === feature)) {
    const { group, version, kind, name } = check;
    const resource = await cluster.discovery.find({ group, version, kind });
    if (resource === undefined) continue;
    const { items } = await cluster.list(resource, { ...healthCheckSelectionOf(check), signal });
    if (items.length === 0) return `validateHealth ${name}: did not fetch any resource of kind ${kind}`;
    const checkObject = healthCheckFor(check);
    for (const item of items) {
      const because = checkObject({ ...item, apiVersion: item.apiVersion ?? "", kind: item.kind ?? kind });
      if (because !== undefined) return `validateHealth ${name}: ${kind} ${placeOf(item)}: ${because}`;
    }
  }
  return undefined;
}

function placeOf({ metadata: { namespace = "", name } }: KubeObject): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

function healthCheckFor({ name, script, evaluateCEL }: ValidateHealth): HealthCheck {
  try {
    const byScript = script.trim() === "" ? undefined : scriptCheck(script, name);
    const byRules = evaluateCEL.length === 0 ? undefined : rulesCheck(evaluateCEL);
    return (object) => byScript?.(object) ?? byRules?.(object);
  } catch (error) {
    throw new Fault(`validateHealth ${name}`, error, { final: true });
  }
}

function scriptCheck(text: string, title: string): HealthCheck {
  const script = compileScript(text, title, { global: "obj" });
  return (object) => {
    const returned = evaluated(() => script(object));
    if (typeof returned === "string") return returned;
    if (!isFields(returned.value) && !isEmpty(returned.value)) return "evaluate returned no table; expected healthy and message";
    const { healthy, message } = isFields(returned.value) ? returned.value : {};
    if (healthy === true) return undefined;
    return typeof message === "string" && message !== "" ? message : "evaluate says that it is not healthy";
  };
}

/** An empty Lua table is converted to an empty list. */
function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** One true rule is enough. A rule that fails to evaluate counts as false. */
function rulesCheck(rules: ValidateHealth["evaluateCEL"]): HealthCheck {
  const programs = rules.map(({ name, rule }) => ({ name, program: compileCel(rule, { variables: { resource: "dyn" } }) }));
  return (object) => {
    const errors: string[] = [];
    for (const { name, program } of programs) {
      const answer = evaluated(() => program.evaluate({ resource: object }));
      if (typeof answer === "string") errors.push(`CEL rule ${name}: ${answer}`);
      else if (answer.value === true) return undefined;
    }
    const names = rules.map(({ name }) => name).join(", ");
    return errors.length > 0 ? errors.join("; ") : `no CEL rule is true: ${names}`;
  };
}

/** The value of an evaluation, or its error as text. */
function evaluated(evaluate: () => unknown): { readonly value: unknown } | string {
  try {
    return { value: evaluate() };
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}
