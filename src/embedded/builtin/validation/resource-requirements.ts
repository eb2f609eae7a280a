import { fieldsAt, listAt, type Fields } from "../../../core/object/index.ts";
import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  formatValue,
  fieldRequired,
  type FieldError,
} from "../../field-error.ts";
import { resourceQuantitiesAt, containerTotals } from "../pod-resources.ts";
import { compareQuantities, printQuantity, quantityOf, type Quantity } from "../quantity.ts";
import { stringField } from "./field-checks.ts";
import { formatErrors, notNegative } from "./object-meta.ts";
import { checkDnsLabel, checkQualifiedName } from "./name-formats.ts";

// Models pkg/apis/core/validation/validation.go validateResourceRequirements and pkg/apis/core/helper/helpers.go

const containerResources = ["cpu", "memory", "ephemeral-storage"];
const standardResources = new Set([
  ...containerResources,
  ...["cpu", "memory", "ephemeral-storage"].flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  "pods",
  "services",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "storage",
  "requests.storage",
  "services.nodeports",
  "services.loadbalancers",
]);
const wholeResources = new Set([
  "pods",
  "services",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

const isHugePages = (name: string): boolean => name.startsWith("hugepages-");
const isStandard = (name: string): boolean => standardResources.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-");
const isNative = (name: string): boolean => !name.includes("/") || name.includes("kubernetes.io/");
const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith("requests.") && checkQualifiedName(`requests.${name}`).length === 0;
export const allowsOvercommit = (name: string): boolean => isNative(name) && !isHugePages(name);

export function validateResourceName(name: string, path: string): readonly FieldError[] {
  const errors = formatErrors(checkQualifiedName, path, name);
  if (errors.length > 0 || name.includes("/") || isStandard(name)) return errors;
  return [fieldInvalid(path, name, "must be a standard resource type or fully qualified")];
}

export function validateContainerResourceName(name: string, path: string): readonly FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes("/")) {
    const known = containerResources.includes(name) || isHugePages(name);
    return known ? errors : [...errors, fieldInvalid(path, name, "must be a standard resource for containers")];
  }
  if (isNative(name) || isExtended(name)) return errors;
  return [...errors, fieldInvalid(path, name, "doesn't follow extended resource name standard")];
}

function podResourceName(name: string, path: string): readonly FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || name === "cpu" || name === "memory" || isHugePages(name)) return errors;
  return [fieldNotSupported(path, name, ["cpu", "hugepages-", "memory"])];
}

export function validateResourceQuantity(name: string, quantity: Quantity, path: string): readonly FieldError[] {
  const negative = quantity.nano < 0n ? [fieldInvalid(path, printQuantity(quantity), notNegative)] : [];
  const whole = wholeResources.has(name) || name.startsWith("count/") || isExtended(name);
  return whole && quantity.nano % 1_000_000_000n !== 0n
    ? [...negative, fieldInvalid(path, printQuantity(quantity), "must be an integer")]
    : negative;
}

type NameCheck = (name: string, path: string) => readonly FieldError[];

function limits(resources: Fields, path: string, check: NameCheck): readonly FieldError[] {
  return [...resourceQuantitiesAt(resources, "limits")].flatMap(([name, quantity]) => {
    const at = `${path}.limits[${name}]`;
    return [...check(name, at), ...validateResourceQuantity(name, quantity, at), ...hugePageValue(name, quantity, at)];
  });
}

function hugePageValue(name: string, quantity: Quantity, path: string): readonly FieldError[] {
  if (!isHugePages(name)) return [];
  const page = quantityOf(name.slice("hugepages-".length));
  if (page.nano <= 0n || quantity.nano % page.nano === 0n) return [];
  return [fieldInvalid(path, printQuantity(quantity), `${printQuantity(quantity)} is not positive integer multiple of ${name}`)];
}

function requests(resources: Fields, path: string, check: NameCheck): readonly FieldError[] {
  const limited = resourceQuantitiesAt(resources, "limits");
  return [...resourceQuantitiesAt(resources, "requests")].flatMap(([name, quantity]) => {
    const at = `${path}.requests[${name}]`;
    const bounds = boundErrors(name, quantity, limited.get(name), path);
    return [...check(name, at), ...validateResourceQuantity(name, quantity, at), ...bounds, ...hugePageValue(name, quantity, at)];
  });
}

function boundErrors(name: string, quantity: Quantity, limit: Quantity | undefined, path: string): readonly FieldError[] {
  if (limit === undefined)
    return allowsOvercommit(name) ? [] : [fieldRequired(`${path}.limits`, "Limit must be set for non overcommitable resources")];
  const order = compareQuantities(quantity, limit);
  const detail = `${name} limit of ${printQuantity(limit)}`;
  if (order !== 0 && !allowsOvercommit(name))
    return [fieldInvalid(`${path}.requests`, printQuantity(quantity), `must be equal to ${detail}`)];
  return order > 0 ? [fieldInvalid(`${path}.requests`, printQuantity(quantity), `must be less than or equal to ${detail}`)] : [];
}

function requirements(resources: Fields, path: string, check: NameCheck, claims: ReadonlySet<string>): readonly FieldError[] {
  const names = [...Object.keys(fieldsAt(resources, "limits")), ...Object.keys(fieldsAt(resources, "requests"))];
  const lonely = names.some(isHugePages) && !names.some((name) => name === "cpu" || name === "memory");
  return [
    ...limits(resources, path, check),
    ...requests(resources, path, check),
    ...(lonely ? [fieldForbidden(path, "HugePages require cpu or memory")] : []),
    ...claimNames(resources, path, claims),
  ];
}

/** Models validateResourceClaimNames: a claim, or one request of it, may be named once. */
function claimNames(resources: Fields, path: string, claims: ReadonlySet<string>): readonly FieldError[] {
  const seen = new Set<string>();
  const known = [...claims].filter((name) => name !== "").toSorted();
  const detail = `must be one of the names in pod.spec.resourceClaims${known.length === 0 ? " which is empty" : `: ${known.join(", ")}`}`;
  return listAt(resources, "claims").flatMap((claim, index) => {
    const at = `${path}.claims[${index}]`;
    const [name, request] = [stringField(claim, "name"), stringField(claim, "request")];
    if (name === "") return [fieldRequired(at)];
    const key = request === "" ? name : `${name}/${request}`;
    const parts = request === "" ? [...seen].filter((other) => other.startsWith(`${name}/`)) : [];
    const twice = seen.has(name)
      ? [fieldDuplicate(at, name)]
      : seen.has(key)
        ? [fieldDuplicate(at, key)]
        : parts.map(() => fieldDuplicate(at, name));
    const wrong = request === "" || seen.has(name) ? [] : formatErrors(checkDnsLabel, `${at}.request`, request);
    seen.add(key);
    const missing = { ...fieldNotFound(at, name), message: `Not found: ${formatValue(name)}: ${detail}` };
    return [...wrong, ...twice, ...(claims.has(name) ? [] : [missing])];
  });
}

export function containerResourceErrors(container: Fields, path: string, claims: ReadonlySet<string>): readonly FieldError[] {
  return requirements(fieldsAt(container, "resources"), `${path}.resources`, validateContainerResourceName, claims);
}

/** Resources of the whole Pod. Models validatePodResources */
export function podResourceErrors(spec: Fields, path: string): readonly FieldError[] {
  const resources = fieldsAt(spec, "resources");
  if (Object.keys(resources).length === 0) return [];
  const at = `${path}.resources`;
  const asked = resourceQuantitiesAt(resources, "requests");
  const over = [...containerTotals(spec, "requests")].flatMap(([name, total]) => {
    const own = asked.get(name);
    if (own === undefined || compareQuantities(total, own) <= 0) return [];
    return [
      fieldInvalid(
        `${at}.requests[${name}]`,
        printQuantity(own),
        `must be greater than or equal to aggregate container requests of ${printQuantity(total)}`,
      ),
    ];
  });
  return [...requirements(resources, at, podResourceName, new Set()), ...over, ...containerLimitErrors(spec, at)];
}

function containerLimitErrors(spec: Fields, path: string): readonly FieldError[] {
  const allowed = resourceQuantitiesAt(spec, "resources.limits");
  return listAt(spec, "containers").flatMap((container, index) =>
    [...resourceQuantitiesAt(container, "resources.limits")].flatMap(([name, limit]) => {
      const most = allowed.get(name);
      if (most === undefined || compareQuantities(limit, most) <= 0) return [];
      return [
        fieldInvalid(
          `${path}.containers[${index}][${name}].limits`,
          printQuantity(limit),
          `must be less than or equal to pod limits of ${printQuantity(most)}`,
        ),
      ];
    }),
  );
}

/** A quantity that must be positive, such as storage. */
export function validatePositiveQuantity(quantity: Quantity, path: string): readonly FieldError[] {
  return quantity.nano > 0n ? [] : [fieldInvalid(path, printQuantity(quantity), "must be greater than zero")];
}
