import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { emptyShape, type FieldSetShape } from "./field-set-shape.ts";
import {
  commonTypes,
  untypedDeduced,
  type Atom,
  type ListDef,
  type MapDef,
  type ScalarType,
  type MergeSchema,
  type TypeRef,
} from "./merge-schema.ts";
import { compareText } from "./value.ts";

/** A type with all its references resolved: a graph, which may contain cycles. */
export type MergeType = {
  /** Its name in messages. */
  readonly name: string;
  readonly scalar: ScalarType | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
  /** The schema refers to this type but does not contain it. */
  readonly missing: boolean;
};

export type ListType = {
  readonly atomic: boolean;
  readonly associative: boolean;
  readonly element: MergeType;
  /** In the order of the schema, which messages use. */
  readonly keys: readonly string[];
  readonly sortedKeys: readonly string[];
};

export type MapType = {
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The type of undeclared fields. */
  readonly element: MergeType | undefined;
  /** Only undeclared fields of unknown types: nothing to reconcile when the schema changes. */
  readonly deduced: boolean;
  /** The shared nodes of this type's values. */
  readonly shapes: FieldSetShape;
};

export type FieldType = {
  readonly type: MergeType;
  readonly element: PathElement;
  /** Its rank among the fields of its map, in the order of field sets. */
  readonly rank: number;
  readonly default: unknown;
};

/** Resolves the types of a schema by name or by reference. Resolved types are cached. */
export type TypeResolver = {
  readonly named: (name: string) => MergeType | undefined;
  readonly resolve: (ref: TypeRef) => MergeType;
};

type Draft = { -readonly [Key in keyof MergeType]: MergeType[Key] };

/** A resolver for all the types of a schema. */
export function resolverOf(schema: MergeSchema): TypeResolver {
  const defs = new Map<string, Atom>();
  for (const def of commonTypes) defs.set(def.name, def);
  for (const def of schema.types) defs.set(def.name, def);
  return resolverBy((name) => defs.get(name));
}

/** A resolver that looks types up by name on demand. */
export function resolverBy(definition: (name: string) => Atom | undefined): TypeResolver {
  const linked = new Map<string, MergeType>();

  const resolve = function* (ref: TypeRef): Nested<MergeType> {
    if (ref.namedType === undefined) return yield* link(ref, ref, "inlined");
    const key = ref.elementRelationship === undefined ? ref.namedType : `${ref.namedType} ${ref.elementRelationship}`;
    const known = linked.get(key);
    if (known !== undefined) return known;
    return yield* link(ref, definition(ref.namedType), ref.namedType, key);
  };

  /** The draft is registered before its parts are linked, so that a type may contain itself. */
  const link = function* (ref: TypeRef, def: Atom | undefined, name: string, key?: string): Nested<MergeType> {
    const draft: Draft = { name, scalar: undefined, list: undefined, map: undefined, missing: false };
    if (key !== undefined) linked.set(key, draft);
    const atom = def === undefined ? undefined : overridden(def, ref);
    if (atom === undefined) {
      draft.missing = true;
      return draft;
    }
    draft.scalar = atom.scalar;
    if (atom.list !== undefined) draft.list = yield* listType(atom.list, resolve);
    if (atom.map !== undefined) draft.map = yield* mapType(atom.map, resolve);
    return draft;
  };

  return {
    named: (name) => (definition(name) === undefined ? undefined : runNested(resolve({ namedType: name }))),
    resolve: (ref) => runNested(resolve(ref)),
  };
}

/** Models structured-merge-diff Schema.Resolve: only a map or a list can be overridden, the map first. */
function overridden(atom: Atom, { elementRelationship }: TypeRef): Atom | undefined {
  if (elementRelationship === undefined) return atom;
  if (atom.map !== undefined) return { ...atom, map: { ...atom.map, elementRelationship } };
  if (atom.list !== undefined) return { ...atom, list: { ...atom.list, elementRelationship } };
  return undefined;
}

function* listType(def: ListDef, resolve: (ref: TypeRef) => Nested<MergeType>): Nested<ListType> {
  const keys = def.keys ?? [];
  return {
    atomic: def.elementRelationship === "atomic",
    associative: def.elementRelationship === "associative",
    element: yield* callNested(resolve(def.elementType)),
    keys,
    sortedKeys: [...keys].sort(compareText),
  };
}

function* mapType(def: MapDef, resolve: (ref: TypeRef) => Nested<MergeType>): Nested<MapType> {
  const sorted = [...(def.fields ?? [])].sort((a, b) => compareText(a.name, b.name));
  const fields = new Map<string, FieldType>();
  for (const [rank, { name, type, default: otherwise }] of sorted.entries())
    fields.set(name, { type: yield* callNested(resolve(type)), element: fieldElement(name), rank, default: otherwise });
  const element = def.elementType;
  const open = element !== undefined && Object.keys(element).length > 0;
  return {
    atomic: def.elementRelationship === "atomic",
    fields,
    element: open ? yield* callNested(resolve(element)) : undefined,
    deduced: fields.size === 0 && open && isUntyped(element),
    shapes: emptyShape(),
  };
}

function isUntyped({ namedType, scalar }: TypeRef): boolean {
  return namedType === undefined ? scalar === "untyped" : namedType === untypedDeduced;
}

/** The type of objects without a schema. */
export const deducedType: MergeType = resolverOf({ types: [] }).resolve({ namedType: untypedDeduced });

/** The form in which a type reads a value. */
export type Form = "map" | "scalar" | "list";

/**
 * The form in which `type` reads `value`: its own form where the type allows it, otherwise the type's first form (which
 * it does not fit). Models structured-merge-diff deduceAtom and handleAtom
 */
export function formOf(type: MergeType, value: unknown): Form | undefined {
  if (value !== null && value !== undefined) {
    if (typeof value !== "object") {
      if (type.scalar !== undefined) return "scalar";
    } else if (Array.isArray(value)) {
      if (type.list !== undefined) return "list";
    } else if (type.map !== undefined) return "map";
  }
  if (type.map !== undefined) return "map";
  if (type.scalar !== undefined) return "scalar";
  return type.list === undefined ? undefined : "list";
}

/** The type of the field `name` of a map; undefined where the map has no such field. */
export function typeOfField(map: MapType, name: string): MergeType | undefined {
  const field = map.fields.get(name);
  return field === undefined ? map.element : field.type;
}

/** The path element of the field `name` of a map. */
export function elementOfField(map: MapType, name: string): PathElement {
  return map.fields.get(name)?.element ?? fieldElement(name);
}
