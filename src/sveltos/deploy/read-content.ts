import { subresourcesAnnotation, type ProfileSpec } from "../api/index.ts";
import { BadInput, type Problem } from "../../core/fault/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import type { ClusterSummaryScope, ReadReference } from "./addon-request.ts";
import type { ContentManifests } from "./content-manifests.ts";
import { readContentSource, type ContentSource } from "./content-source.ts";
import type { ContentRenderer } from "./content-task.ts";

/** A manifest of a profile, and the ConfigMap or Secret that it comes from. */
export type SourcedManifest = {
  readonly manifest: LocatedManifest;
  readonly reference: { readonly kind: "ConfigMap" | "Secret"; readonly namespace: string; readonly name: string; readonly tier: number };
  /** A missing namespace is not created. */
  readonly skipNamespaceCreation: boolean;
  /** Subresources that are applied after it, such as `status`. */
  readonly subresources: readonly string[];
};

type PolicyRef = ProfileSpec["policyRefs"][number];

/** What content is rendered with. */
export type ContentRendering = { readonly renderer: ContentRenderer };

/** Reads and renders the manifests of a profile's policyRefs, in the order of references, keys and documents. */
export async function readContent(
  scope: ClusterSummaryScope,
  { renderer }: ContentRendering,
  read: ReadReference,
  options: { readonly signal: AbortSignal },
): Promise<readonly SourcedManifest[]> {
  const sourced: SourcedManifest[] = [];
  const problems: Problem[] = [];
  for (const { ref, tier, ...named } of await referencesOf(scope, renderer)) {
    const source = await readContentSource({ ...named, optional: ref.optional }, read, options);
    if (source === undefined) continue;
    const found = await manifestsIn(source, renderer);
    problems.push(...found.problems);
    const common = {
      reference: { ...named, tier },
      skipNamespaceCreation: ref.skipNamespaceCreation,
      subresources: subresourcesOf(source),
    };
    sourced.push(...found.manifests.map((manifest) => ({ manifest, ...common })));
  }
  if (problems.length > 0) throw new BadInput(problems);
  return sourced;
}

type NamedReference = Omit<SourcedManifest["reference"], "tier"> & { readonly ref: PolicyRef; readonly tier: number };

/** The references with the names that their templates give. One that is there twice is read once, with the lower tier. */
async function referencesOf(
  { summary, cluster, owner }: ClusterSummaryScope,
  renderer: ContentRenderer,
): Promise<Iterable<NamedReference>> {
  const references = new Map<string, NamedReference>();
  for (const [at, ref] of summary.profile.policyRefs.entries()) {
    const kind = kindOf(ref);
    // A Profile can refer to its own namespace only.
    const namespace =
      owner.kind === "Profile"
        ? owner.namespace
        : (await renderer.render(`policyRefs[${at}].namespace`, ref.namespace)) || cluster.namespace;
    const name = await renderer.render(`policyRefs[${at}].name`, ref.name);
    const key = `${kind}/${namespace}/${name}`;
    const first = references.get(key);
    references.set(key, { kind, namespace, name, ref: first?.ref ?? ref, tier: Math.min(ref.tier, first?.tier ?? ref.tier) });
  }
  return references.values();
}

function kindOf({ kind }: PolicyRef): "ConfigMap" | "Secret" {
  return kind === "Secret" ? "Secret" : "ConfigMap";
}

function subresourcesOf({ annotations }: ContentSource): readonly string[] {
  return (annotations[subresourcesAnnotation] ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

async function manifestsIn(source: ContentSource, renderer: ContentRenderer): Promise<ContentManifests> {
  const read: ContentManifests[] = [];
  for (const { key, text } of source.texts)
    read.push(await renderer.manifests(`${source.kind} ${source.namespace}/${source.name} ${key}`, text, source.processing));
  return { manifests: read.flatMap(({ manifests }) => manifests), problems: read.flatMap(({ problems }) => problems) };
}
