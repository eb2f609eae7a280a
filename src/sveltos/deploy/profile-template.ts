import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { startStopwatch, type Environment } from "../../lang/sprig/index.ts";
import {
  Engine,
  GoError,
  GoMap,
  GoStruct,
  LimitError,
  ParseError,
  ExecError,
  Pointer,
  dict,
  goFunction,
  namedType,
  structType,
  types,
  type FunctionTable,
  type GoValue,
} from "../../lang/template/index.ts";
import { unstructuredOf, resourceFunctions, templateFunctions } from "../instantiate/index.ts";

/** What templates see at deploy time: the cluster, its Cluster API parts, and objects of the management cluster. */
export type ProfileTemplateData = {
  readonly cluster: KubeObject;
  readonly infrastructureProvider: KubeObject | undefined;
  readonly controlPlane: KubeObject | undefined;
  /** By identifier. */
  readonly resources: ReadonlyMap<string, KubeObject>;
};

// Sveltos' type name, which appears in messages about missing fields.
const root = namedType(
  "controllers.currentClusterObjects",
  structType({
    Cluster: types.anyMap,
    KubeadmControlPlane: types.anyMap,
    InfrastructureProvider: types.anyMap,
    MgmtResources: types.anyMap,
  }),
);

const maxOutput = 2 ** 22;
const timeLimitMs = 5_000;

/** Go templates of a profile with their data. Throws template errors with file and line. */
export class ProfileTemplate {
  readonly #surroundings: Environment;
  readonly #data: ProfileTemplateData;
  /** Made when there is something to render: most content has no templates, or none that are left. */
  #engine: Engine | undefined;

  constructor(data: ProfileTemplateData, environment: Environment) {
    this.#data = data;
    this.#surroundings = environment;
  }

  render(at: string, text: string): string {
    if (!text.includes("{{")) return text;
    this.#engine ??= new Engine({ ...templateFunctions(this.#surroundings), ...identified(this.#data.resources) });
    try {
      const set = this.#engine.set({ missingKey: "error", name: "text" });
      set.parse("text", text);
      const usedMs = startStopwatch(this.#surroundings);
      const data = dataOf(this.#data);
      return set.execute("text", data, { limits: { output: maxOutput, outOfTime: () => usedMs() > timeLimitMs } });
    } catch (error) {
      throw new Fault(complaintOf(at, error), undefined, { final: true });
    }
  }
}

function dataOf({ cluster, infrastructureProvider, controlPlane, resources }: ProfileTemplateData): GoValue {
  const objects = dict();
  for (const [identifier, object] of resources) objects.set(identifier, unstructuredOf(object));
  const fields = {
    Cluster: unstructuredOf(cluster),
    KubeadmControlPlane: unstructuredOf(controlPlane ?? {}),
    InfrastructureProvider: unstructuredOf(infrastructureProvider ?? {}),
    MgmtResources: objects,
  };
  return new Pointer(root.pointerTo, new GoStruct(root, fields));
}

/** Sveltos' functions on objects. At deploy time their first argument is the identifier of the object. */
function identified(resources: ReadonlyMap<string, KubeObject>): FunctionTable {
  const named = (identifier: string): GoMap => {
    const object = resources.get(identifier);
    const value = object === undefined ? undefined : unstructuredOf(object);
    if (!(value instanceof GoMap)) throw new GoError(`no resource with identifier ${JSON.stringify(identifier)} in templateResourceRefs`);
    return value;
  };
  const on = (name: string) => {
    const call = resourceFunctions[name]?.call as ((object: GoMap, ...rest: readonly GoValue[]) => GoValue) | undefined;
    return (identifier: string, ...rest: readonly GoValue[]) => call?.(named(identifier), ...rest) ?? "";
  };
  const { chainSetField, chainRemoveField } = resourceFunctions;
  return {
    getResource: goFunction("func(string) map[string]interface {}", on("getResource")),
    copy: goFunction("func(string) string", on("copy")),
    getField: goFunction("func(string, string) interface {}", on("getField")),
    setField: goFunction("func(string, string, interface {}) string", on("setField")),
    removeField: goFunction("func(string, string) string", on("removeField")),
    ...(chainSetField === undefined ? {} : { chainSetField }),
    ...(chainRemoveField === undefined ? {} : { chainRemoveField }),
  };
}

function complaintOf(at: string, error: unknown): string {
  if (error instanceof ExecError) {
    const { line, column } = error.location;
    return `${at}:${line}:${column}: at <${error.node}>: ${error.complaint}`;
  }
  if (error instanceof LimitError) return `${at}: ${error.message}`;
  if (!(error instanceof ParseError) && !(error instanceof GoError)) throw error;
  const [, line, complaint] = /^template: text:(\d+(?::\d+)?): (.*)$/s.exec(error.message) ?? [];
  return line === undefined || complaint === undefined ? `${at}: ${error.message}` : `${at}:${line}: ${complaint}`;
}
