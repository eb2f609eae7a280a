import { Fault } from "../../core/fault/index.ts";
import { readJson } from "../../kube/index.ts";
import { isFields, numberAt, stringAt, type Fields } from "../../core/object/index.ts";
import { digestOf } from "./canonical-digest.ts";
import type { ClusterIdentity } from "./cluster-identity.ts";
import type { Proposal } from "./proposal.ts";

/** A proposal that is saved until somebody approves it. */
export type SavedPlan = {
  readonly cluster: ClusterIdentity;
  readonly proposal: Proposal;
  /** The deletion keeps the records. Default false. */
  readonly keepHistory?: boolean;
};

const format = "sluice.dev/plan";
const version = 1;

/** The file content. It contains the manifests with their secrets, but not the live objects, which running the plan does not need. */
export function savedPlanText({ proposal, ...saved }: SavedPlan): string {
  const objects = proposal.objects.map(({ ref, sensitive }) => ({ ref, sensitive }));
  const content = { ...saved, proposal: { ...proposal, objects } };
  return `${JSON.stringify({ format, version, digest: digestOf(content), ...content }, undefined, 1)}\n`;
}

/**
 * Parses what `savedPlanText` wrote and refuses everything else. The digest guards against accidents only: whoever can
 * write the file can write any plan.
 */
export function parseSavedPlan(text: string, file: string): SavedPlan {
  const refused = (why: string) => new Fault(`use the plan ${file}`, why, { final: true });
  const { format: found, version: age, digest, ...content } = fieldsIn(text);
  if (found !== format) throw refused("it is not a plan that sluice plan --save wrote");
  if (age !== version)
    throw refused(
      `it is of version ${JSON.stringify(age)}, and this sluice reads version ${version}: draw it up again with sluice plan --save`,
    );
  if (digest !== digestOf(content)) throw refused("it is damaged, or somebody has edited it: draw it up again with sluice plan --save");
  if (!isSavedPlan(content)) throw refused("it does not hold a plan: draw it up again with sluice plan --save");
  return content;
}

function fieldsIn(text: string): Fields {
  try {
    const value = readJson(text);
    return isFields(value) ? value : {};
  } catch {
    return {}; // Not JSON: the caller refuses it.
  }
}

/** With a valid digest the content is what was written; this checks for the fields that are always there. */
function isSavedPlan(content: Fields): content is SavedPlan {
  return (
    stringAt(content, "cluster.uid") !== undefined &&
    stringAt(content, "proposal.release.name") !== undefined &&
    numberAt(content, "proposal.plan.version") === 1 &&
    numberAt(content, "proposal.basis.revision") !== undefined
  );
}
