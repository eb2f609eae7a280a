import {
  apiVersionOf,
  fieldsAt,
  groupVersionOf,
  isFields,
  listAt,
  stringAt,
  stringsAt,
  type Fields,
  type GroupVersionKind,
  type KubeObject,
} from "../../core/object/index.ts";
import { compileCel, type CelProgram, type CelSchema, type VariableDeclaration } from "../../lang/cel/index.ts";
import { compileExpression, ExpressionError, type EnvironmentOptions } from "../expression/index.ts";

// Models apiserver pkg/admission/plugin/policy/validating/typechecking.go

const mostTypes = 10;

/** What the cluster knows of kinds. */
type KindSource = {
  /** The kinds of a resource, by its group, version and plural. */
  readonly kindsOf: (group: string, version: string, plural: string) => readonly GroupVersionKind[];
  readonly schemaOf: (kind: GroupVersionKind) => CelSchema | undefined;
};

type ExpressionWarning = { readonly fieldRef: string; readonly warning: string };

/** What does not fit the kinds that the rules of a policy name. */
export function typeCheckingWarnings(policy: KubeObject, kinds: KindSource): readonly ExpressionWarning[] {
  const spec = fieldsAt(policy, "spec");
  const types = typesToCheck(spec, kinds);
  const params = paramsOf(spec, kinds);
  return listAt(spec, "validations").flatMap((validation, index) =>
    ["expression", "messageExpression"].flatMap((name) => {
      const expression = stringAt(validation, name, "");
      const found = expression === "" ? [] : types.flatMap((type) => warningsOf(expression, spec, type, params));
      return found.length === 0 ? [] : [{ fieldRef: `spec.validations[${index}].${name}`, warning: found.join("\n") }];
    }),
  );
}

type CheckedType = { readonly kind: GroupVersionKind; readonly schema: CelSchema };

function typesToCheck(spec: Fields, { kindsOf, schemaOf }: KindSource): readonly CheckedType[] {
  const kinds = new Map<string, GroupVersionKind>();
  for (const rule of listAt(spec, "matchConstraints.resourceRules")) {
    const [groups, versions] = [stringsAt(rule, "apiGroups"), stringsAt(rule, "apiVersions")];
    if ([...groups, ...versions].some((each) => each.includes("*"))) continue;
    const plurals = stringsAt(rule, "resources").filter((each) => !/[*/]/.test(each));
    for (const kind of combined(groups, versions, plurals).flatMap((each) => kindsOf(...each))) kinds.set(titleOf(kind), kind);
  }
  return [...kinds.values()]
    .slice(0, mostTypes)
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .flatMap((kind) => {
      const schema = schemaOf(kind);
      return schema === undefined ? [] : [{ kind, schema }];
    });
}

function sortKey({ group, version, kind }: GroupVersionKind): string {
  return [group, version, kind].join("\0");
}

function combined(groups: readonly string[], versions: readonly string[], plurals: readonly string[]): readonly [string, string, string][] {
  return groups
    .toSorted()
    .flatMap((group) =>
      versions.toSorted().flatMap((version) => plurals.toSorted().map((plural): [string, string, string] => [group, version, plural])),
    );
}

/** As Go prints a GroupVersionKind. */
function titleOf(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)}, Kind=${kind.kind}`;
}

function paramsOf(spec: Fields, { schemaOf }: KindSource): VariableDeclaration | undefined {
  const kind = spec["paramKind"];
  if (!isFields(kind)) return undefined;
  const schema = schemaOf({ ...groupVersionOf(stringAt(kind, "apiVersion", "")), kind: stringAt(kind, "kind", "") });
  return schema === undefined ? undefined : { schema, isResource: true };
}

function warningsOf(
  expression: string,
  spec: Fields,
  { kind, schema }: CheckedType,
  params: VariableDeclaration | undefined,
): readonly string[] {
  const variables = new Map<string, CelProgram | undefined>();
  const options: EnvironmentOptions = {
    hasParams: params !== undefined,
    hasAuthorizer: true,
    variables,
    object: { schema, isResource: true },
    ...(params === undefined ? {} : { params }),
  };
  for (const variable of listAt(spec, "variables")) {
    const compiled = compiledOr(stringAt(variable, "expression", ""), options);
    variables.set(stringAt(variable, "name", ""), typeof compiled === "string" ? undefined : compiled);
  }
  const compiled = compiledOr(expression, options);
  return typeof compiled === "string" ? [`${titleOf(kind)}: ${compiled}\n`] : [];
}

function compiledOr(expression: string, options: EnvironmentOptions): CelProgram | string {
  try {
    return compileExpression(expression, [], options);
  } catch (error) {
    // Programs are not instantiated: only what does not compile is told.
    if (!(error instanceof ExpressionError)) throw error;
    return error.isInternal ? compileCel("true") : error.message.replace(/^compilation failed: /, "");
  }
}
