import { dynType, isSameType, listType, mapType, opaqueType, typeParameter, typeType, type CelType } from "./type.ts";

/** Bindings of type parameters during the check of an expression. Models cel-go checker/types.go */
export class Substitution {
  readonly #bound = new Map<string, CelType>();
  #journal: (readonly [string, CelType | undefined])[] = [];
  #count = 0;

  fresh(): CelType {
    return typeParameter(`_var${this.#count++}`);
  }

  /** Whether the types are assignable pairwise. Bindings are kept only if all of them are. */
  unifyAll(left: readonly CelType[], right: readonly CelType[]): boolean {
    if (left.length !== right.length) return false;
    this.#journal = [];
    if (left.every((type, index) => this.#assignable(type, right[index] ?? dynType))) return true;
    for (const [name, before] of this.#journal.toReversed()) {
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  unify(left: CelType, right: CelType): boolean {
    return this.unifyAll([left], [right]);
  }

  /** A type with its bound parameters substituted; `free` replaces the unbound ones. */
  apply(type: CelType, free?: CelType): CelType {
    switch (type.kind) {
      case "parameter": {
        const bound = this.#bound.get(type.name);
        return bound === undefined ? (free ?? type) : this.apply(bound, free);
      }
      case "list":
        return listType(this.apply(type.element, free));
      case "map":
        return mapType(this.apply(type.key, free), this.apply(type.value, free));
      case "type":
        return type.of === undefined ? type : typeType(this.apply(type.of, free));
      case "opaque":
        return type.parameters.length === 0 ? type : opaqueType(type.name, ...type.parameters.map((each) => this.apply(each, free)));
      default:
        return type;
    }
  }

  #bind(name: string, type: CelType): void {
    this.#journal.push([name, this.#bound.get(name)]);
    this.#bound.set(name, type);
  }

  #assignable(left: CelType, right: CelType): boolean {
    if (right.kind === "parameter") {
      const substituted = this.#substitutes(left, right.name);
      if (substituted !== "no substitute") return substituted;
    }
    if (left.kind === "parameter") return this.#substitutes(right, left.name) === true;
    if (isAnything(left) || isAnything(right)) return true;
    if (left.kind === "null") return isNullable(right);
    if (right.kind === "null") return isNullable(left);
    return this.#alike(left, right);
  }

  #alike(left: CelType, right: CelType): boolean {
    if (left.kind === "list") return right.kind === "list" && this.#assignable(left.element, right.element);
    if (left.kind === "map")
      return right.kind === "map" && this.#assignable(left.key, right.key) && this.#assignable(left.value, right.value);
    if (left.kind === "type") return right.kind === "type";
    if (left.kind !== "opaque") return isSameType(left, right);
    if (right.kind !== "opaque" || left.name !== right.name || left.parameters.length !== right.parameters.length) return false;
    return left.parameters.every((each, index) => this.#assignable(each, right.parameters[index] ?? dynType));
  }

  /** Whether a type can be bound to a type parameter. Binds it if so. */
  #substitutes(type: CelType, name: string): boolean | "no substitute" {
    if (type.kind === "parameter" && type.name === name) return true;
    const bound = this.#bound.get(name);
    if (bound === undefined) {
      if (this.#mentions(type, name)) return "no substitute";
      this.#bind(name, type);
      return true;
    }
    if (isSameType(type, bound)) return true;
    if (!this.#assignable(type, bound)) return false;
    const general = isLessSpecific(type, bound) ? type : bound;
    if (!this.#mentions(general, name)) this.#bind(name, general);
    return true;
  }

  #mentions(type: CelType, name: string): boolean {
    switch (type.kind) {
      case "parameter": {
        if (type.name === name) return true;
        const bound = this.#bound.get(type.name);
        return bound !== undefined && this.#mentions(bound, name);
      }
      case "list":
        return this.#mentions(type.element, name);
      case "map":
        return this.#mentions(type.key, name) || this.#mentions(type.value, name);
      case "type":
        return type.of !== undefined && this.#mentions(type.of, name);
      case "opaque":
        return type.parameters.some((each) => this.#mentions(each, name));
      default:
        return false;
    }
  }
}

function isAnything({ kind }: CelType): boolean {
  return kind === "dyn" || kind === "error";
}

function isNullable({ kind }: CelType): boolean {
  return kind === "null" || kind === "opaque" || kind === "struct" || kind === "duration" || kind === "timestamp";
}

/** Whether the first type is equal to the second or more general. */
export function isLessSpecific(left: CelType, right: CelType): boolean {
  if (left.kind === "dyn" || left.kind === "parameter") return true;
  if (right.kind === "dyn" || right.kind === "parameter" || left.kind !== right.kind) return false;
  if (left.kind === "list" && right.kind === "list") return isLessSpecific(left.element, right.element);
  if (left.kind === "map" && right.kind === "map") return isLessSpecific(left.key, right.key) && isLessSpecific(left.value, right.value);
  if (left.kind === "type") return true;
  if (left.kind === "opaque" && right.kind === "opaque") {
    if (left.name !== right.name || left.parameters.length !== right.parameters.length) return false;
    return left.parameters.every((each, index) => isLessSpecific(each, right.parameters[index] ?? dynType));
  }
  return isSameType(left, right);
}
