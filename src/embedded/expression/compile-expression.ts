import { CelProgramError, compileCel, type CelProgram, type CelSchema, type VariableDeclaration } from "../../lang/cel/index.ts";

// Models apiserver pkg/admission/plugin/cel/compile.go

const text: CelSchema = { type: "string" };
const texts: CelSchema = { type: "array", items: text };
const struct = (properties: Readonly<Record<string, CelSchema>>): CelSchema => ({ type: "object", properties });
const map = (additionalProperties: CelSchema): CelSchema => ({ type: "object", additionalProperties });
const time: CelSchema = { type: "string", format: "date-time" };
const kindOf = struct({ group: text, version: text, kind: text });
const resourceOf = struct({ group: text, version: text, resource: text });

/** The fields of an AdmissionRequest that expressions reach. */
const requestSchema: CelSchema = struct({
  kind: kindOf,
  resource: resourceOf,
  subResource: text,
  requestKind: kindOf,
  requestResource: resourceOf,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: struct({ username: text, uid: text, groups: texts, extra: map(texts) }),
  dryRun: { type: "boolean" },
  options: { type: "dyn" },
});

const namespaceSchema: CelSchema = struct({
  metadata: struct({
    name: text,
    generateName: text,
    namespace: text,
    labels: map(text),
    annotations: map(text),
    UID: text,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: { type: "integer" },
    generation: { type: "integer" },
    resourceVersion: text,
    finalizers: texts,
  }),
  spec: struct({ finalizers: texts }),
  status: struct({ phase: text }),
});

/** The variables of a policy, by their names; undefined for one that does not compile. */
type PolicyVariables = ReadonlyMap<string, CelProgram | undefined>;

export type EnvironmentOptions = {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** The variables that may be used. Default: there is no such thing as `variables`. */
  readonly variables?: PolicyVariables;
  /** The type of `object` and `oldObject`. Default: anything. */
  readonly object?: VariableDeclaration;
  /** The type of `params`. Default: anything. */
  readonly params?: VariableDeclaration;
};

/** Why an expression cannot be used: the user's fault, or the fault of its constants. */
export class ExpressionError extends Error {
  readonly isInternal: boolean;

  constructor(message: string, isInternal = false) {
    super(message);
    this.isInternal = isInternal;
  }
}

/** Compiles an expression of a policy. `results` are the types that it may have; empty for any. Throws an ExpressionError. */
export function compileExpression(source: string, results: readonly string[], options: EnvironmentOptions): CelProgram {
  const program = programOf(source, environmentOf(options));
  if (results.length === 0 || results.includes(program.type)) return program;
  const wanted = results.length === 1 ? results[0] : `one of [${results.join(" ")}]`;
  throw new ExpressionError(`must evaluate to ${wanted} but got ${program.type}`);
}

function programOf(source: string, variables: Readonly<Record<string, VariableDeclaration>>): CelProgram {
  try {
    return compileCel(source, { variables });
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    if (cause instanceof CelProgramError) throw new ExpressionError(`program instantiation failed: ${cause.message}`, true);
    throw new ExpressionError(`compilation failed: ${cause.message}`);
  }
}

function environmentOf(options: EnvironmentOptions): Readonly<Record<string, VariableDeclaration>> {
  const { hasParams, hasAuthorizer, variables, object = "dyn", params = "dyn" } = options;
  return {
    object,
    oldObject: object,
    namespaceObject: { schema: { ...namespaceSchema, nullable: true }, isResource: false },
    request: { schema: requestSchema, isResource: false },
    ...(hasParams ? { params } : {}),
    ...(hasAuthorizer ? { authorizer: "authorizer" as const, "authorizer.requestResource": "resourceCheck" as const } : {}),
    ...(variables === undefined ? {} : { variables: { composed: variables } }),
  };
}
