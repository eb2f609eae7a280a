import { fieldsAt, listAt, mapAt, stringAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { changed, changedItems, filled } from "../edit.ts";
import { amountsAt, podTotals, type Amounts } from "../pod-resources.ts";
import { compare, printQuantity, zero, type Quantity } from "../quantity.ts";
import { isWriteOf, refuse, type Admission, type AdmissionRequest } from "./request.ts";

// Models plugin/pkg/admission/limitranger/admission.go

function rangesOf({ reader, object }: AdmissionRequest): readonly KubeObject[] {
  return reader.list("", "LimitRange", object.metadata.namespace ?? "");
}

function itemsOf(range: KubeObject, type: string): readonly Fields[] {
  return listAt(range, "spec.limits").filter((item) => item["type"] === type);
}

function defaultsOf(range: KubeObject): { readonly limits: Fields; readonly requests: Fields } {
  const items = itemsOf(range, "Container");
  const merged = (name: string): Fields => Object.assign({}, ...items.map((item) => fieldsAt(item, name))) as Fields;
  return { limits: merged("default"), requests: merged("defaultRequest") };
}

const annotation = "kubernetes.io/limit-ranger";

function withDefaults(pod: KubeObject, range: KubeObject): KubeObject {
  const { limits, requests } = defaultsOf(range);
  const notes: string[] = [];
  const merge = (container: Fields, noun: string): Fields => {
    const resources = fieldsAt(container, "resources");
    const lists = { requests: fieldsAt(resources, "requests"), limits: fieldsAt(resources, "limits") };
    const missing = (list: Fields, wanted: Fields): readonly string[] =>
      Object.keys(wanted)
        .filter((name) => !Object.hasOwn(list, name))
        .toSorted();
    const [noRequest, noLimit] = [missing(lists.requests, requests), missing(lists.limits, limits)];
    if (noRequest.length > 0) notes.push(`${noRequest.join(", ")} request for ${noun} ${stringAt(container, "name", "")}`);
    if (noLimit.length > 0) notes.push(`${noLimit.join(", ")} limit for ${noun} ${stringAt(container, "name", "")}`);
    if (noRequest.length + noLimit.length === 0) return container;
    const merged = Object.entries({ limits: filled(lists.limits, limits), requests: filled(lists.requests, requests) });
    return { ...container, resources: { ...resources, ...Object.fromEntries(merged.filter(([, list]) => Object.keys(list).length > 0)) } };
  };
  const result = changed(pod, "spec", (spec) =>
    changedItems(
      changedItems(spec, "containers", (each) => merge(each, "container")),
      "initContainers",
      (each) => merge(each, "init container"),
    ),
  );
  if (notes.length === 0) return result;
  const annotations = { ...mapAt(result, "metadata.annotations"), [annotation]: `LimitRanger plugin set: ${notes.join("; ")}` };
  return { ...result, metadata: { ...result.metadata, annotations } };
}

/** What a LimitRange gives to containers that ask for nothing. */
export function limitDefaults(request: AdmissionRequest): Admission {
  const { object, operation } = request;
  if (!isWriteOf(request, "", "Pod") || operation !== "create") return { object };
  return { object: rangesOf(request).reduce(withDefaults, object) };
}

type Asked = { readonly requests: Amounts; readonly limits: Amounts };

function minimum(type: string, [name, enforced]: readonly [string, Quantity], { requests, limits }: Asked): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const rule = `minimum ${name} usage per ${type} is ${printQuantity(enforced)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (compare(request, enforced) < 0) return `${rule}, but request is ${printQuantity(request)}`;
  return limit !== undefined && compare(limit, enforced) < 0 ? `${rule}, but limit is ${printQuantity(limit)}` : undefined;
}

function maximum(type: string, [name, enforced]: readonly [string, Quantity], { requests, limits }: Asked): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const rule = `maximum ${name} usage per ${type} is ${printQuantity(enforced)}`;
  const claim = type === "PersistentVolumeClaim";
  if (!claim && limit === undefined) return `${rule}.  No limit is specified`;
  if (claim && request === undefined) return `${rule}.  No request is specified`;
  if (limit !== undefined && compare(limit, enforced) > 0) return `${rule}, but limit is ${printQuantity(limit)}`;
  return request !== undefined && compare(request, enforced) > 0 ? `${rule}, but request is ${printQuantity(request)}` : undefined;
}

function ratio(type: string, [name, enforced]: readonly [string, Quantity], { requests, limits }: Asked): string | undefined {
  const [request, limit] = [requests.get(name) ?? zero, limits.get(name) ?? zero];
  const rule = `${name} max limit to request ratio per ${type} is ${printQuantity(enforced)}`;
  if (request.nano === 0n) return `${rule}, but no request is specified or request is 0`;
  if (limit.nano === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const observed = Number(limit.nano) / Number(request.nano);
  return observed > Number(enforced.nano) / 1e9 ? `${rule}, but provided ratio is ${observed.toFixed(6)}` : undefined;
}

function problemsOf(item: Fields, type: string, asked: Asked): readonly string[] {
  const found = [
    ...[...amountsAt(item, "min")].map((entry) => minimum(type, entry, asked)),
    ...[...amountsAt(item, "max")].map((entry) => maximum(type, entry, asked)),
    ...[...amountsAt(item, "maxLimitRequestRatio")].map((entry) => ratio(type, entry, asked)),
  ];
  return found.filter((problem) => problem !== undefined);
}

function podProblems(range: KubeObject, pod: KubeObject): readonly string[] {
  const spec = pod["spec"];
  const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")];
  const each = itemsOf(range, "Container").flatMap((item) =>
    containers.flatMap((container) =>
      problemsOf(item, "Container", {
        requests: amountsAt(container, "resources.requests"),
        limits: amountsAt(container, "resources.limits"),
      }),
    ),
  );
  const totals = { requests: podTotals(spec, "requests"), limits: podTotals(spec, "limits") };
  return [...each, ...itemsOf(range, "Pod").flatMap((item) => problemsOf(item, "Pod", totals))];
}

function claimProblems(range: KubeObject, claim: KubeObject): readonly string[] {
  const asked = { requests: amountsAt(claim, "spec.resources.requests"), limits: new Map<string, Quantity>() };
  return itemsOf(range, "PersistentVolumeClaim").flatMap((item) => problemsOf(item, "PersistentVolumeClaim", asked));
}

/** What a LimitRange does not let in. */
export function limitChecks(request: AdmissionRequest): Admission {
  const { object, operation } = request;
  const isPod = isWriteOf(request, "", "Pod") && operation === "create";
  const isClaim = isWriteOf(request, "", "PersistentVolumeClaim") && operation !== "delete";
  if (!isPod && !isClaim) return { object };
  for (const range of rangesOf(request)) {
    const problems = isPod ? podProblems(range, object) : claimProblems(range, object);
    if (problems.length > 0) return refuse(request, problems.length === 1 ? (problems[0] ?? "") : `[${problems.join(", ")}]`);
  }
  return { object };
}
