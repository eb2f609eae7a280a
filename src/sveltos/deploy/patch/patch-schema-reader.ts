import {
  fieldsAt,
  freePatchSchema,
  listAt,
  patchSchemaOf,
  type Fields,
  type GroupVersionKind,
  type PatchSchema,
} from "../../../core/object/index.ts";
import type { PatchFacts } from "./patch-facts.ts";

/** The names of schemas of built-in kinds: `io.k8s.api.apps.v1.Deployment`. Others are made of CRDs. */
const builtIn = /^io\.k8s\.(api|apiextensions-apiserver|kube-aggregator)\./;

/** Reads patch strategies from the OpenAPI documents of a cluster, each document once. */
export class PatchSchemaReader {
  readonly #facts: PatchFacts;
  readonly #documents = new Map<string, Promise<Fields>>();

  constructor(facts: PatchFacts) {
    this.#facts = facts;
  }

  /**
   * The patch strategies of a kind. Lists of one that is not built in are replaced, even its finalizers: Kustomize does not know
   * it, and the result must not depend on whether the cluster serves it already.
   */
  async read(gvk: GroupVersionKind): Promise<PatchSchema> {
    const path = gvk.group === "" ? `api/${gvk.version}` : `apis/${gvk.group}/${gvk.version}`;
    const reading = this.#documents.get(path) ?? readSchemas(path, this.#facts);
    this.#documents.set(path, reading);
    const schemas = await reading;
    const found = Object.entries(schemas).find(
      ([name, schema]) => builtIn.test(name) && listAt(schema, "x-kubernetes-group-version-kind").some((one) => isSame(one, gvk)),
    );
    return found === undefined ? freePatchSchema : patchSchemaOf(found[1], (ref) => schemas[ref.slice(ref.lastIndexOf("/") + 1)]);
  }
}

async function readSchemas(path: string, { readOpenApi }: PatchFacts): Promise<Fields> {
  const text = await readOpenApi(path);
  return text === "" ? {} : fieldsAt(JSON.parse(text), "components.schemas");
}

function isSame(one: Fields, { group, version, kind }: GroupVersionKind): boolean {
  return one["group"] === group && one["version"] === version && one["kind"] === kind;
}
