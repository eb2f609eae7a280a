import type { Problem } from "../../core/fault/index.ts";
import { groupVersionOf, refOf, titleOf, type KubeObject } from "../../core/object/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import {
  kinds,
  ownVersion,
  readClusterSet,
  readClusterSummary,
  readEventSource,
  readEventTrigger,
  readProfile,
  readRoleRequest,
  readSveltosCluster,
  servedVersions,
  type ReadResult,
} from "../api/index.ts";
import { scriptDefectPath, validateScripts } from "../evaluate/index.ts";
import { contentProblems, renderedByAddOns } from "./content-problems.ts";
import { missingReferences } from "./missing-references.ts";
import { problemPosition } from "./problem-position.ts";
import { unknownAnnotations } from "./unknown-annotations.ts";
import { healthScriptProblems, patchProblems, templateProblems } from "./spec-problems.ts";

/** Sveltos' groups: `lib.projectsveltos.io`, `config.projectsveltos.io` and others. */
const sveltosGroup = /(^|\.)projectsveltos\.io$/;

/** `problems` keep Sluice from acting on an object; `warnings` are about what it ignores or waits for. */
type Findings = { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/** What is wrong with the objects of Sveltos among these, and with content. Nothing is said of objects of other kinds. */
export function lintSveltosManifests(manifests: readonly LocatedManifest[]): Findings {
  const objects = manifests.map(({ object }) => object);
  const context = { isRendered: renderedByAddOns(objects), missingIn: missingReferences(objects) };
  const found = manifests.map((manifest) => lintManifest(manifest, context));
  return { problems: found.flatMap(({ problems }) => problems), warnings: found.flatMap(({ warnings }) => warnings) };
}

/** What all manifests together say of one. */
type LintContext = {
  readonly isRendered: (content: KubeObject) => boolean;
  readonly missingIn: (object: KubeObject) => readonly Problem[];
};

function lintManifest(manifest: LocatedManifest, { isRendered, missingIn }: LintContext): Findings {
  const { object } = manifest;
  const { group } = groupVersionOf(object.apiVersion);
  const isContent = group === "" && (object.kind === "ConfigMap" || object.kind === "Secret");
  if (!isContent && !sveltosGroup.test(group)) return { problems: [], warnings: [] };
  const problems = isContent ? contentProblems(object, isRendered(object)) : objectProblems(object);
  return { problems: located(problems, manifest), warnings: located([...unknownAnnotations(object), ...missingIn(object)], manifest) };
}

/** The problems of an object, each at a path in it. */
function objectProblems(object: KubeObject): readonly Problem[] {
  const { group, version } = groupVersionOf(object.apiVersion);
  const known = Object.values(kinds).find((each) => each.group === group && each.kind === object.kind);
  if (known === undefined) return [unknownKindProblem(object.kind, group)];
  if (!servedVersions.some((served) => served === version))
    return [{ at: "apiVersion", message: `${group} has no version ${version}; expected ${servedVersions.join(" or ")}` }];
  return specProblems(object, known.kind);
}

function unknownKindProblem(kind: string, group: string): Problem {
  const elsewhere = Object.values(kinds).find((each) => each.kind === kind);
  return elsewhere === undefined
    ? { at: "kind", message: `Sluice has no controller for ${kind} of ${group}: nothing would happen for it` }
    : { at: "apiVersion", message: `${group} has no kind ${kind}; expected ${elsewhere.group}/${ownVersion}` };
}

function specProblems(object: KubeObject, kind: keyof typeof kinds): readonly Problem[] {
  switch (kind) {
    case "EventSource":
      return readProblems(readEventSource(object), (source) =>
        validateScripts(source).map((defect) => ({ at: scriptDefectPath(defect, object), message: defect.reason })),
      );
    case "EventTrigger":
    case "EventBasedAddOn":
      return readProblems(readEventTrigger(object), (trigger) => [
        ...templateProblems(object["spec"]),
        ...healthScriptProblems(trigger.validateHealths),
        ...patchProblems(trigger.patches),
      ]);
    case "ClusterProfile":
    case "Profile":
      return readProblems(readProfile(object), (profile) => [
        ...templateProblems(object["spec"]),
        ...healthScriptProblems(profile.validateHealths),
        ...patchProblems(profile.patches),
      ]);
    case "SveltosCluster":
      return readProblems(readSveltosCluster(object));
    case "ClusterSet":
    case "Set":
      return readProblems(readClusterSet(object));
    case "RoleRequest":
      return readProblems(readRoleRequest(object));
    case "ClusterSummary":
      return readProblems(readClusterSummary(object));
    // Nobody but controllers writes these.
    case "EventReport":
    case "ClusterConfiguration":
    case "ClusterReport":
      return [];
  }
}

function readProblems<T>(reading: ReadResult<T>, more: (value: T) => readonly Problem[] = () => []): readonly Problem[] {
  const refused = reading.refused.map((at) => ({ at, message: "not built into Sluice, therefore nothing would be deployed" }));
  return [...(reading.state === "invalid" ? reading.problems : more(reading.value)), ...refused];
}

/** A path becomes a position, and is part of the message. */
function located(problems: readonly Problem[], manifest: LocatedManifest): readonly Problem[] {
  const title = titleOf(refOf(manifest.object));
  return problems.map((problem) => {
    const { at, message } = problem;
    const about = at === "kind" || at === "apiVersion" ? "" : `${at}: `;
    return { at: problemPosition(problem, manifest), message: `${title}: ${about}${message}` };
  });
}
