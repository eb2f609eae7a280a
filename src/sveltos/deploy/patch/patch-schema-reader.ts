import type { Cluster } from "../../../kube/index.ts";
import {
  fieldsAt,
  freePatchSchema,
  listAt,
  patchSchemaOf,
  type Fields,
  type GroupVersionKind,
  type PatchSchema,
} from "../../../core/object/index.ts";

type Options = { readonly signal: AbortSignal };

/** The names of schemas of built-in kinds: `io.k8s.api.apps.v1.Deployment`. Others are made of CRDs. */
const builtIn = /^io\.k8s\.(api|apiextensions-apiserver|kube-aggregator)\./;

/** Reads patch strategies from the OpenAPI documents of a cluster, each document once. */
export class PatchSchemaReader {
  readonly #cluster: Cluster;
  readonly #options: Options;
  readonly #documents = new Map<string, Promise<Fields>>();

  constructor(cluster: Cluster, options: Options) {
    this.#cluster = cluster;
    this.#options = options;
  }

  /**
   * The patch strategies of a kind. Lists of one that is not built in are replaced, even its finalizers: Kustomize does not know
   * it, and the result must not depend on whether the cluster serves it already.
   */
  async read(gvk: GroupVersionKind): Promise<PatchSchema> {
    const path = gvk.group === "" ? `api/${gvk.version}` : `apis/${gvk.group}/${gvk.version}`;
    const reading = this.#documents.get(path) ?? readSchemas(path, this.#cluster, this.#options);
    this.#documents.set(path, reading);
    const schemas = await reading;
    const found = Object.entries(schemas).find(
      ([name, schema]) => builtIn.test(name) && listAt(schema, "x-kubernetes-group-version-kind").some((one) => isSame(one, gvk)),
    );
    return found === undefined ? freePatchSchema : patchSchemaOf(found[1], (ref) => schemas[ref.slice(ref.lastIndexOf("/") + 1)]);
  }
}

async function readSchemas(path: string, cluster: Cluster, { signal }: Options): Promise<Fields> {
  const { status, body } = await cluster.raw({
    method: "GET",
    path: `/openapi/v3/${path}`,
    headers: { accept: "application/json" },
    signal,
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  return status === 200 ? fieldsAt(JSON.parse(text), "components.schemas") : {};
}

function isSame(one: Fields, { group, version, kind }: GroupVersionKind): boolean {
  return one["group"] === group && one["version"] === version && one["kind"] === kind;
}
