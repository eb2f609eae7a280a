import type { Cluster } from "../../kube/index.ts";
import { fieldsAt, listAt, patchSchemaOf, type Fields, type GroupVersionKind, type PatchSchema } from "../../core/object/index.ts";

type Options = { readonly signal: AbortSignal };

/** Reads the patch strategies of a kind from the OpenAPI document of the cluster. Lists of an unknown kind are replaced. */
export async function readPatchSchema(gvk: GroupVersionKind, cluster: Cluster, options: Options): Promise<PatchSchema> {
  const schemas = await readSchemas(gvk, cluster, options);
  const schema = Object.values(schemas).find((each) => listAt(each, "x-kubernetes-group-version-kind").some((one) => isSame(one, gvk)));
  return patchSchemaOf(schema ?? {}, (ref) => schemas[ref.slice(ref.lastIndexOf("/") + 1)]);
}

async function readSchemas({ group, version }: GroupVersionKind, cluster: Cluster, { signal }: Options): Promise<Fields> {
  const path = group === "" ? `api/${version}` : `apis/${group}/${version}`;
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
