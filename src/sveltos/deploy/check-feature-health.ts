import type { FeatureId, ValidateHealth } from "../api/index.ts";
import { compileCel } from "../../lang/cel/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { isFields, type KubeObject } from "../../core/object/index.ts";
import { compileScript } from "../script/index.ts";
import { healthCheckSelectionOf } from "./watched-objects.ts";

/** Says what is wrong with an object; nothing when all is well. */
type HealthCheck = (object: KubeObject) => string | undefined;

/**
 * Asks the validateHealths of a feature, in their order. Gives why the feature is not Provisioned yet, or nothing. A kind
 * that the cluster does not serve is passed over; of one that it serves there must be something to ask.
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
    const judge = healthCheckFor(check);
    for (const item of items) {
      const because = judge({ ...item, apiVersion: item.apiVersion ?? "", kind: item.kind ?? kind });
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
    const returned = asked(() => script(object));
    if (typeof returned === "string") return returned;
    if (!isFields(returned.value) && !isEmpty(returned.value)) return "evaluate returned no table; expected healthy and message";
    const { healthy, message } = isFields(returned.value) ? returned.value : {};
    if (healthy === true) return undefined;
    return typeof message === "string" && message !== "" ? message : "evaluate says that it is not healthy";
  };
}

/** A table without entries comes back as an empty list. */
function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Any rule that says yes is enough; one that cannot be asked says no. */
function rulesCheck(rules: ValidateHealth["evaluateCEL"]): HealthCheck {
  const programs = rules.map(({ name, rule }) => ({ name, program: compileCel(rule, { variables: { resource: "dyn" } }) }));
  return (object) => {
    const complaints: string[] = [];
    for (const { name, program } of programs) {
      const answer = asked(() => program.evaluate({ resource: object }));
      if (typeof answer === "string") complaints.push(`CEL rule ${name}: ${answer}`);
      else if (answer.value === true) return undefined;
    }
    const names = rules.map(({ name }) => name).join(", ");
    return complaints.length > 0 ? complaints.join("; ") : `no CEL rule is true: ${names}`;
  };
}

/** What a question gave, or what went wrong with it, as text. */
function asked(ask: () => unknown): { readonly value: unknown } | string {
  try {
    return { value: ask() };
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}
