import { subresourcesAnnotation, type ProfileSpec } from "../api/index.ts";
import { BadInput, Fault, type Problem } from "../../core/fault/index.ts";
import { isFields } from "../../core/object/index.ts";
import { readDocuments, readManifests, type LocatedManifest } from "../../lang/yaml/index.ts";
import { compileScript, aggregationLimits, ScriptFault } from "../script/index.ts";
import type { ClusterSummaryScope, ReadReference } from "./addon-request.ts";
import { readContentSource, type ContentSource } from "./content-source.ts";
import type { ProfileTemplateRenderer, ProfileTemplateData } from "./profile-template-renderer.ts";

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
export type ContentRendering = { readonly renderer: ProfileTemplateRenderer; readonly data: ProfileTemplateData };

/** Reads and renders the manifests of a profile's policyRefs, in the order of references, keys and documents. */
export async function readContent(
  scope: ClusterSummaryScope,
  { renderer, data }: ContentRendering,
  read: ReadReference,
  options: { readonly signal: AbortSignal },
): Promise<readonly SourcedManifest[]> {
  const sourced: SourcedManifest[] = [];
  const problems: Problem[] = [];
  for (const { ref, tier, ...named } of referencesOf(scope, renderer)) {
    const source = await readContentSource({ ...named, optional: ref.optional }, read, options);
    if (source === undefined) continue;
    const found = manifestsIn(source, renderer, data);
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
function referencesOf({ summary, cluster, owner }: ClusterSummaryScope, renderer: ProfileTemplateRenderer): Iterable<NamedReference> {
  const references = new Map<string, NamedReference>();
  for (const [at, ref] of summary.profile.policyRefs.entries()) {
    const kind = kindOf(ref);
    // A Profile can refer to its own namespace only.
    const namespace =
      owner.kind === "Profile" ? owner.namespace : renderer.render(`policyRefs[${at}].namespace`, ref.namespace) || cluster.namespace;
    const name = renderer.render(`policyRefs[${at}].name`, ref.name);
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

type Read = { readonly manifests: readonly LocatedManifest[]; readonly problems: readonly Problem[] };

function manifestsIn(source: ContentSource, renderer: ProfileTemplateRenderer, data: ProfileTemplateData): Read {
  const read = source.texts.map(({ key, text }) => {
    const at = `${source.kind} ${source.namespace}/${source.name} ${key}`;
    const rendered =
      source.processing === "by template" ? renderer.render(at, text) : source.processing === "by script" ? scripted(at, text, data) : text;
    return manifestsOfText(rendered, at);
  });
  return { manifests: read.flatMap(({ manifests }) => manifests), problems: read.flatMap(({ problems }) => problems) };
}

/** Runs Lua content, which returns its manifests as a text or a list of texts. */
function scripted(at: string, text: string, { resources }: ProfileTemplateData): string {
  try {
    const script = compileScript(text, at, { global: "resources", limits: aggregationLimits });
    const returned = script(Object.fromEntries(resources));
    const made = isFields(returned) ? returned["resources"] : undefined;
    if (typeof made === "string") return made;
    if (Array.isArray(made) && made.every((each) => typeof each === "string")) return made.join("\n---\n");
    throw new ScriptFault("evaluate returned no text under resources; expected manifests");
  } catch (error) {
    if (error instanceof ScriptFault) throw new Fault(`${at}: ${error.message}`, undefined, { final: true });
    throw error;
  }
}

/** A document that is a list of texts contains manifests in each of them. */
function manifestsOfText(text: string, at: string): Read {
  const { documents } = readDocuments(text, at);
  if (!documents.some(({ value }) => isTexts(value))) return readManifests(text, at);
  const texts = documents.flatMap(({ value }) => (isTexts(value) ? value : []));
  const read = texts.map((each, index) => readManifests(each, `${at}[${index}]`));
  return { manifests: read.flatMap(({ manifests }) => manifests), problems: read.flatMap(({ problems }) => problems) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
}
