import { BadInput, type Problem } from "../../../core/fault/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { positionText, type InvalidManifests, type LocatedManifest } from "../../../lang/yaml/index.ts";
import type { Plan } from "../../plan/index.ts";
import { namespaceRef, readNamespaceState, prepare, type PreparedManifests } from "../../prepare/index.ts";
import {
  historyLimit,
  historyOf,
  latestOf,
  mergeLabels,
  objectionsToLabels,
  releaseText,
  revisionsToPrune,
  type RevisionContent,
  type Release,
  type Revision,
  type StorageKind,
} from "../../record/index.ts";
import { checkRevisions, type ReleaseExpectation } from "../release-expectation.ts";
import { revisionContentOf } from "../revision-content.ts";
import type { Proposal, OperationPolicy } from "../proposal.ts";
import { terminatingNamespaceFault } from "../wait-for-namespace.ts";
import { checkReleaseName, type AbortOptions } from "./proposal-input.ts";
import { proposeRevision } from "./propose-revision.ts";

export type DeployRequest = OperationPolicy & {
  readonly release: Release;
  readonly manifests: readonly LocatedManifest[];
  /** What is wrong with other manifests. Nothing is deployed then, and it is reported together with all other problems. */
  readonly invalid?: InvalidManifests | undefined;
  /** CRDs from a chart's `crds/`. They belong to no release and stay when it is deleted. */
  readonly crds?: readonly LocatedManifest[];
  /** Creates the release's namespace when it does not exist. Default false. */
  readonly createNamespace?: boolean;
  /** What has to be so of the release. Default: anything will do. */
  readonly expects?: ReleaseExpectation;
  /** Labels for the record, beside those of the previous revision; the value `null` removes one. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What stores the records of a new release. Those of another one stay what they are, with a warning. Default: Secrets. */
  readonly storage?: StorageKind;
  /** What the record stores beside the manifests: chart, values and notes, and the manifests as rendered. */
  readonly about?: Pick<RevisionContent, "chart" | "config" | "notes"> & Partial<Pick<RevisionContent, "manifest" | "hooks">>;
};

type ProposeDeployOptions = AbortOptions & {
  /** How many revisions to keep. Default: Helm's limit; 0 keeps all. */
  readonly historyMax?: number;
};

/** Proposes the deploy of manifests as a release. Throws all problems at once and changes nothing. */
export async function proposeDeploy(request: DeployRequest, cluster: Cluster, options: ProposeDeployOptions): Promise<Proposal> {
  const { signal, historyMax = historyLimit } = options;
  const { release, manifests, invalid, crds = [], expects, labels = {}, about = {}, storage } = request;
  checkReleaseName(release);
  checkLabels(labels);
  const mayCreate = mayCreateNamespace(request);
  const comingNamespaces = mayCreate ? [release.namespace] : [];
  const preparing = prepare([...crds, ...manifests], cluster, {
    signal,
    comingNamespaces,
    namespace: release.namespace,
    namespaceRemedy,
    invalid,
  });
  // It fails then, and no failure of another read comes before its problems.
  if (invalid !== undefined) await preparing;
  const [prepared, revisions, namespace] = await Promise.all([
    preparing,
    historyOf(cluster).revisions(release, { signal }),
    readNamespaceState(release.namespace, cluster, signal),
  ]);
  await checkRevisions(release, expects, revisions, cluster, signal);
  if (namespace.state === "terminating" && !mayCreate) throw terminatingNamespaceFault(release, namespace.namespace);
  const exists = namespace.state === "active";
  if (!exists && !mayCreate) throw new BadInput([{ at: "", message: missingNamespaceText(release) }]);
  const operation = wasDeployed(revisions) ? "upgrade" : "install";
  const content = { ...revisionContentOf(manifests), ...about, labels: mergeLabels(latestOf(revisions)?.labels ?? {}, labels) };
  const shared = withSharedCrds(prepared, crds);
  const warned = { ...shared, warnings: [...shared.warnings, ...storageWarnings(latestOf(revisions), storage)] };
  const stored = storage === undefined ? {} : { storage };
  const draft = { policy: request, release, operation, content, prepared: warned, revisions, ...stored } as const;
  const proposal = await proposeRevision(draft, cluster, signal);
  const untidy = proposal.unchanged && isUntidy(revisions, historyMax);
  const plan = exists ? proposal.plan : withChecksIn(proposal.plan, release);
  return { ...proposal, plan, ...(untidy ? { untidy } : {}), createsNamespace: !exists };
}

/** No object of a namespace that is created before the plan runs could be checked. */
function withChecksIn(plan: Plan, { namespace }: Release): Plan {
  const steps = plan.steps.map((step) => {
    const { action } = step;
    if (action.verb !== "apply" || action.ref.namespace !== namespace) return step;
    const { because = "its namespace is not there yet", after = [] } = action.deferred ?? {};
    const others = after.filter(({ kind }) => kind !== "Namespace");
    return { ...step, action: { ...action, deferred: { because, after: [namespaceRef(namespace), ...others] } } };
  });
  return { ...plan, steps };
}

/** Says that a release goes on where its records are, and not where those of a new one are asked for. */
function storageWarnings(latest: Revision | undefined, asked: StorageKind | undefined): readonly Problem[] {
  if (latest === undefined || asked === undefined || latest.storage === asked) return [];
  const message = `the records of ${releaseText(latest)} are ${latest.storage}s and stay so, though ${asked}s are asked for: Helm finds them with HELM_DRIVER=${latest.storage.toLowerCase()}`;
  return [{ at: "", message }];
}

function checkLabels(labels: Readonly<Record<string, string>>): void {
  const problems = objectionsToLabels(labels).map((message) => ({ at: "", message }));
  if (problems.length > 0) throw new BadInput(problems);
}

/** Whether a process died before it superseded or pruned old revisions. */
function isUntidy(revisions: readonly Revision[], historyMax: number): boolean {
  return revisions.filter(({ state }) => state === "deployed").length > 1 || revisionsToPrune(revisions, historyMax).length > 0;
}

/** Marks the CRDs as owned by no release. */
function withSharedCrds({ items, warnings }: PreparedManifests, crds: readonly LocatedManifest[]): PreparedManifests {
  const places = new Set(crds.map(({ at }) => positionText(at)));
  return {
    items: items.map((item) => (places.has(item.at) ? { ...item, constraints: { ...item.constraints, ownership: "anyone" } } : item)),
    warnings,
  };
}

/** A manifest of the release's namespace implies createNamespace: the records need the namespace first. */
export function mayCreateNamespace({ release, manifests, createNamespace = false }: DeployRequest): boolean {
  return createNamespace || manifests.some(({ object }) => isNamespaceOf(object, release));
}

function isNamespaceOf({ apiVersion, kind, metadata }: KubeObject, { namespace }: Release): boolean {
  return apiVersion === "v1" && kind === "Namespace" && metadata.name === namespace;
}

const namespaceRemedy = "make it with --create-namespace, or name another one with -n";

function missingNamespaceText({ name, namespace }: Release): string {
  return `release ${name} has no place: there is no namespace ${namespace}: ${namespaceRemedy}`;
}

/** Whether a release was deployed and not deleted since. */
function wasDeployed(revisions: readonly Revision[]): boolean {
  const gone = revisions.findLastIndex(({ state }) => state === "uninstalled");
  return revisions.slice(gone + 1).some(({ state }) => state === "deployed" || state === "superseded");
}
