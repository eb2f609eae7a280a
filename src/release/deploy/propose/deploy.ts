import { BadInput } from "../../../core/fault/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { positionText, type Manifest } from "../../../lang/yaml/index.ts";
import { prepare, type Preparation } from "../../apply/index.ts";
import { historyLimit, historyOf, superfluousIn, type Content, type Release, type Revision } from "../../record/index.ts";
import { contentOf } from "../content.ts";
import { lacksNamespace } from "../namespace.ts";
import type { Proposal, Terms } from "../proposal.ts";
import { checkName, type Options } from "./common.ts";
import { proposeRevision } from "./revision.ts";

export type DeployRequest = Terms & {
  readonly release: Release;
  readonly manifests: readonly Manifest[];
  /** Definitions that a chart brings and others may bring as well: they belong to no release, and stay when it goes. */
  readonly definitions?: readonly Manifest[];
  /** The release's namespace is made when it is not there. Default false. */
  readonly createNamespace?: boolean;
  /** What the record keeps beside the manifests: a chart, values, notes; and the manifests as they were rendered. */
  readonly about?: Pick<Content, "chart" | "config" | "notes"> & Partial<Pick<Content, "manifest" | "hooks">>;
};

export type ProposeOptions = Options & {
  /** How many revisions are kept. Default: as many as Helm keeps; 0 keeps all. */
  readonly historyMax?: number;
};

/** Settles what deploying manifests as a release would do. Whatever speaks against it is thrown, all at once; nothing is touched. */
export async function proposeDeploy(request: DeployRequest, cluster: Cluster, options: ProposeOptions): Promise<Proposal> {
  const { signal, historyMax = historyLimit } = options;
  const { release, manifests, definitions = [], createNamespace = false, about = {} } = request;
  checkName(release);
  // A release that brings its own namespace asks for it all the same: its records need a place first.
  const mayCreate = createNamespace || manifests.some(({ object }) => isNamespaceOf(object, release));
  const comingNamespaces = mayCreate ? [release.namespace] : [];
  const [prepared, revisions, createsNamespace] = await Promise.all([
    prepare([...definitions, ...manifests], cluster, { signal, comingNamespaces, namespace: release.namespace }),
    historyOf(cluster).revisions(release, { signal }),
    lacksNamespace(release.namespace, cluster, { signal }),
  ]);
  if (createsNamespace && !mayCreate) throw new BadInput([{ at: "", message: homelessText(release) }]);
  const operation = isThere(revisions) ? "upgrade" : "install";
  const content = { ...contentOf(manifests), ...about };
  const drawing = { terms: request, release, operation, content, prepared: shared(prepared, definitions), revisions } as const;
  const proposal = await proposeRevision(drawing, cluster, signal);
  const untidy = proposal.unchanged && isUntidy(revisions, historyMax);
  return { ...proposal, ...(untidy ? { untidy } : {}), createsNamespace };
}

/** Who dies between the records of a deploy leaves two revisions that are deployed, or more than there may be. */
function isUntidy(revisions: readonly Revision[], historyMax: number): boolean {
  return revisions.filter(({ state }) => state === "deployed").length > 1 || superfluousIn(revisions, historyMax).length > 0;
}

/** What was prepared, with the definitions as those of nobody. */
function shared({ items, warnings }: Preparation, definitions: readonly Manifest[]): Preparation {
  const places = new Set(definitions.map(({ at }) => positionText(at)));
  return {
    items: items.map((item) => (places.has(item.at) ? { ...item, claims: { ...item.claims, ownership: "anyone" } } : item)),
    warnings,
  };
}

function isNamespaceOf({ apiVersion, kind, metadata }: KubeObject, { namespace }: Release): boolean {
  return apiVersion === "v1" && kind === "Namespace" && metadata.name === namespace;
}

function homelessText({ name, namespace }: Release): string {
  return `release ${name} has no place: there is no namespace ${namespace}: make it with --create-namespace, or name another one with -n`;
}

/** Tells whether a release was ever deployed, and not deleted since. */
function isThere(revisions: readonly Revision[]): boolean {
  const gone = revisions.findLastIndex(({ state }) => state === "uninstalled");
  return revisions.slice(gone + 1).some(({ state }) => state === "deployed" || state === "superseded");
}
