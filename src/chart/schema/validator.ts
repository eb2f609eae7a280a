import { charge } from "../../core/cost/index.ts";
import { GoList, GoMap, quote, type GoValue } from "../../lang/template/index.ts";
import { checkItems } from "./validate-items.ts";
import { checkObject } from "./validate-object.ts";
import { checkNumber, checkText, enumMessage, constMessage } from "./validate-scalar.ts";
import { escaped, type ValidationError, type InstanceLocation } from "./validation-error.ts";
import { isEqual, valueTypeOf, typeNames } from "./json-type.ts";
import { evaluatesAll, itemsOfTheirOwn, type SchemaNode } from "./schema-node.ts";
import { amountOf, countText } from "./number.ts";

/** A value and a schema. Schemas may refer to others twice, and those to others, so that a few lines are a million comparisons. */
const costOfSchema = 512;

/** The chain of schemas that led here. Schemas that validate the same value have the same `level`. */
type Scope = { readonly node: SchemaNode; readonly keyword: string; readonly level: number; readonly parent: Scope | undefined };

/** Keys or indexes that no schema has evaluated yet. They are tracked only when a schema asks for them. */
type Unevaluated = Set<string | number>;

/** What is wrong with a value; undefined when it is valid. */
export function violation(node: SchemaNode, value: GoValue): ValidationError | undefined {
  const scope = { node, keyword: "", level: 0, parent: undefined };
  return new Validator(node, value, undefined, scope, unevaluatedOf(value, node, false), false).verdict();
}

/** Validates one value against one schema. In quick mode the first error ends it. Models santhosh-tekuri/jsonschema validator.go */
export class Validator {
  readonly node: SchemaNode;
  readonly value: GoValue;
  readonly place: InstanceLocation;
  readonly inHurry: boolean;
  readonly unjudged: Unevaluated | undefined;
  readonly #scope: Scope;
  readonly #failures: ValidationError[] = [];

  constructor(
    node: SchemaNode,
    value: GoValue,
    place: InstanceLocation,
    scope: Scope,
    unjudged: Unevaluated | undefined,
    inHurry: boolean,
  ) {
    this.node = node;
    this.value = value;
    this.place = place;
    this.#scope = scope;
    this.unjudged = unjudged;
    this.inHurry = inHurry;
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  verdict(): ValidationError | undefined {
    charge(costOfSchema);
    const { node, value } = this;
    if (node.always !== undefined) return node.always ? undefined : this.#failure("false schema");
    const first = this.#cycle() ?? this.#kindOfValue();
    if (first !== undefined) return first;
    if (node.ref !== undefined) {
      const found = this.#refer(node.ref, "$ref");
      if (node.draft < 2019) return found;
      this.add(found);
    }
    if (value instanceof GoMap) checkObject(this, value);
    else if (value instanceof GoList) checkItems(this, value.items);
    else if (typeof value === "string") checkText(this, value);
    else if (amountOf(value) !== undefined) checkNumber(this, value);
    if (!this.hasFailed || !this.inHurry) this.#combined();
    const [one, ...more] = this.#failures;
    return more.length === 0 ? one : { ...this.#failure("validation failed", this.#failures), type: "group" };
  }

  fail(message: string, causes: readonly ValidationError[] = []): void {
    this.#failures.push(this.#failure(message, causes));
  }

  add(failure: ValidationError | undefined): void {
    if (failure !== undefined) this.#failures.push(failure);
  }

  /** Validates a part of the value. */
  below(node: SchemaNode, value: GoValue, token: string): ValidationError | undefined {
    const scope = { node, keyword: "", level: this.#scope.level + 1, parent: this.#scope };
    const place = this.inHurry ? undefined : { token, above: this.place };
    return new Validator(node, value, place, scope, unevaluatedOf(value, node, false), this.inHurry).verdict();
  }

  /** Validates the value against another schema, which may evaluate more parts of it. */
  self(node: SchemaNode, keyword = "", inHurry = false): ValidationError | undefined {
    const scope = { node, keyword, level: this.#scope.level, parent: this.#scope };
    const unjudged = unevaluatedOf(this.value, node, this.unjudged !== undefined && this.unjudged.size > 0);
    const found = new Validator(node, this.value, this.place, scope, unjudged, this.inHurry || inHurry).verdict();
    if (found === undefined && this.unjudged !== undefined)
      for (const key of this.unjudged) if (unjudged === undefined || !unjudged.has(key)) this.unjudged.delete(key);
    return found;
  }

  /** Validates something that is not part of the value. */
  apart(node: SchemaNode, value: GoValue): ValidationError | undefined {
    return violation(node, value);
  }

  #failure(message: string, causes: readonly ValidationError[] = []): ValidationError {
    return { place: this.place, message, type: "plain", causes };
  }

  #cycle(): ValidationError | undefined {
    const { node, level } = this.#scope;
    for (let scope = this.#scope.parent; scope !== undefined && scope.level === level; scope = scope.parent) {
      if (scope.node !== node) continue;
      const [here, there] = [keywordsTo(this.#scope), keywordsTo(scope)];
      return this.#failure(`both ${here} and ${there} resolve to ${quote(node.location)} causing reference cycle`);
    }
    return undefined;
  }

  #kindOfValue(): ValidationError | undefined {
    const { node, value } = this;
    const type = valueTypeOf(value);
    if (node.types !== undefined && !(type !== undefined && node.types.has(type))) {
      const isInteger = type === "number" && node.types.has("integer") && Number.isInteger(amountOf(value));
      const wanted = typeNames.filter((name) => node.types?.has(name));
      if (!isInteger && wanted.length > 0) return this.#failure(`got ${type ?? "nothing"}, want ${wanted.join(" or ")}`);
    }
    if (node.constant !== undefined && !isEqual(value, node.constant.value)) return this.#failure(constMessage(node.constant.value));
    const { enumeration, format } = node;
    if (enumeration !== undefined && !(enumeration.types.has(type) && enumeration.values.some((item) => isEqual(value, item))))
      return this.#failure(enumMessage(enumeration.values));
    const because = typeof value === "string" ? format?.check(value) : undefined;
    return because === undefined || format === undefined
      ? undefined
      : this.#failure(`${constText(value)} is not valid ${format.name}: ${because}`);
  }

  #refer(node: SchemaNode, keyword: string): ValidationError | undefined {
    const found = this.self(node, keyword);
    if (found === undefined) return undefined;
    return { ...this.#failure("validation failed", found.type === "group" ? found.causes : [found]), type: "reference" };
  }

  #combined(): void {
    const { node } = this;
    if (node.draft >= 2019) this.#dynamicRefs();
    if (node.not !== undefined && this.self(node.not, "", true) === undefined) this.fail("'not' failed");
    if (node.allOf !== undefined) this.#all(node.allOf);
    if (node.anyOf !== undefined && node.anyOf.length > 0) this.#any(node.anyOf);
    if (node.oneOf !== undefined && node.oneOf.length > 0) this.#one(node.oneOf);
    if (node.when !== undefined) {
      const next = this.self(node.when, "", true) === undefined ? node.then : node.otherwise;
      if (next !== undefined) this.add(this.self(next));
    }
    if (node.draft >= 2019) this.#rest();
  }

  #dynamicRefs(): void {
    const { recursiveRef, dynamicRef } = this.node;
    if (recursiveRef !== undefined) {
      const outermost =
        recursiveRef.recursiveAnchor === true
          ? this.#outermost((scope) => (scope.resource.recursiveAnchor === true ? scope : undefined))
          : undefined;
      this.add(this.#refer(outermost ?? recursiveRef, "$recursiveRef"));
    }
    if (dynamicRef === undefined) return;
    const { node, anchor } = dynamicRef;
    const isDynamic = anchor !== "" && node.dynamicAnchor === anchor;
    const outermost = isDynamic ? this.#outermost((scope) => scope.resource.dynamicAnchors.get(anchor)) : undefined;
    this.add(this.#refer(outermost ?? node, "$dynamicRef"));
  }

  #outermost(find: (node: SchemaNode) => SchemaNode | undefined): SchemaNode | undefined {
    let found: SchemaNode | undefined;
    for (let scope: Scope | undefined = this.#scope; scope !== undefined; scope = scope.parent) found = find(scope.node) ?? found;
    return found;
  }

  #all(schemas: readonly SchemaNode[]): void {
    const failures: ValidationError[] = [];
    for (const schema of schemas) {
      const found = this.self(schema);
      if (found !== undefined) failures.push(found);
      if (this.inHurry && failures.length > 0) break;
    }
    if (failures.length > 0) this.fail("'allOf' failed", failures);
  }

  #any(schemas: readonly SchemaNode[]): void {
    const failures: ValidationError[] = [];
    let isMatched = false;
    for (const schema of schemas) {
      const found = this.self(schema);
      if (found !== undefined) failures.push(found);
      else isMatched = true;
      // Tracking what is evaluated requires every schema to run.
      if (isMatched && (this.unjudged === undefined || this.unjudged.size === 0)) break;
    }
    if (!isMatched) this.fail("'anyOf' failed", failures);
  }

  #one(schemas: readonly SchemaNode[]): void {
    const failures: ValidationError[] = [];
    let matched: number | undefined;
    for (const [index, schema] of schemas.entries()) {
      const found = this.self(schema, "", matched !== undefined);
      if (found !== undefined) {
        if (matched === undefined) failures.push(found);
      } else if (matched === undefined) matched = index;
      else return this.fail(`'oneOf' failed, subschemas ${countText(matched)}, ${countText(index)} matched`);
    }
    if (matched === undefined) this.fail("'oneOf' failed, none matched", failures);
  }

  /** What no schema has evaluated so far. */
  #rest(): void {
    const { node, value, unjudged } = this;
    const schema = value instanceof GoMap ? node.unevaluatedProperties : value instanceof GoList ? node.unevaluatedItems : undefined;
    if (schema === undefined || unjudged === undefined) return;
    for (const key of [...unjudged].sort()) {
      const part = value instanceof GoMap ? value.get(String(key)) : value instanceof GoList ? value.items[Number(key)] : undefined;
      if (part !== undefined) this.add(this.below(schema, part, String(key)));
    }
    unjudged.clear();
  }
}

function constText(value: GoValue): string {
  return constMessage(value).slice("value must be ".length);
}

function keywordsTo(scope: Scope): string {
  if (scope.parent === undefined) return "";
  const own = scope.keyword === "" ? scope.node.location.slice(scope.parent.node.location.length) : `/${escaped(scope.keyword)}`;
  return keywordsTo(scope.parent) + own;
}

function unevaluatedOf(value: GoValue, node: SchemaNode, isWanted: boolean): Unevaluated | undefined {
  if (value instanceof GoMap) {
    return !evaluatesAll(node, "object") && (isWanted || node.unevaluatedProperties !== undefined) ? new Set(value.keys()) : undefined;
  }
  if (!(value instanceof GoList) || evaluatesAll(node, "array") || !(isWanted || node.unevaluatedItems !== undefined)) return undefined;
  const first = itemsOfTheirOwn(node);
  return first < value.length ? new Set(Array.from({ length: value.length - first }, (_, index) => first + index)) : undefined;
}
