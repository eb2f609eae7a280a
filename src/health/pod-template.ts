import { equal, listAt, mapAt, stringAt, valueAt, type Fields, type KubeObject } from "../core/object/index.ts";

/** Container fields that defaults and webhooks hardly ever change. */
const comparedFields = ["image", "command", "args"];

/**
 * Whether a pod was created from the workload's current template. The revision hash decides where the status names it.
 * Otherwise the pod must contain what the template asks for.
 */
export function isOfCurrentTemplate(pod: KubeObject, workload: KubeObject): boolean {
  const revision = stringAt(workload, "status.updateRevision");
  const hash = mapAt(pod, "metadata.labels")["controller-revision-hash"];
  if (revision !== undefined && hash !== undefined) return revision === hash;
  const labelled = ["labels", "annotations"].every((name) =>
    covers(mapAt(pod, `metadata.${name}`), mapAt(workload, `spec.template.metadata.${name}`)),
  );
  return labelled && listAt(workload, "spec.template.spec.containers").every((wanted) => hasContainer(pod, wanted));
}

function covers(have: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => have[name] === value);
}

function hasContainer(pod: KubeObject, wanted: Fields): boolean {
  const found = listAt(pod, "spec.containers").find((container) => container["name"] === wanted["name"]);
  if (found === undefined) return false;
  return comparedFields.every((name) => equal(found[name], wanted[name])) && hasEnvironment(found, wanted);
}

/** Webhooks add variables, and seldom change one. */
function hasEnvironment(found: Fields, wanted: Fields): boolean {
  const have = new Map(listAt(found, "env").map((variable) => [variable["name"], valueAt(variable, "value")]));
  return listAt(wanted, "env").every((variable) => have.has(variable["name"]) && have.get(variable["name"]) === valueAt(variable, "value"));
}
