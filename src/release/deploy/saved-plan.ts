import { Fault } from "../../core/fault/index.ts";
import { readJson } from "../../kube/index.ts";
import { isFields, numberAt, stringAt, type Fields } from "../../core/object/index.ts";
import { digestOf } from "./canonical-digest.ts";
import type { ClusterIdentity } from "./cluster-identity.ts";
import type { Proposal } from "./proposal.ts";

/** A proposal that is kept until somebody approves of it, with what it takes to carry out exactly that. */
export type SavedPlan = {
  readonly cluster: ClusterIdentity;
  readonly proposal: Proposal;
};

const format = "sluice.dev/plan";
const version = 1;

/**
 * The text of a file for it. It holds the manifests with all their secrets; of the objects as they are and as they would be
 * nothing, for nobody needs that to carry it out.
 */
export function savedPlanText({ cluster, proposal }: SavedPlan): string {
  const objects = proposal.objects.map(({ ref, sensitive }) => ({ ref, sensitive }));
  const content = { cluster, proposal: { ...proposal, objects } };
  return `${JSON.stringify({ format, version, digest: digestOf(content), ...content }, undefined, 1)}\n`;
}

/** Reads what `savedText` wrote, and refuses everything else. The digest is against accidents: who may write the file may write any plan. */
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
    return {}; // no JSON, so nothing of ours: the caller says so
  }
}

/** With the right digest it is what was written; this is what writing puts there. */
function isSavedPlan(content: Fields): content is SavedPlan {
  return (
    stringAt(content, "cluster.uid") !== undefined &&
    stringAt(content, "proposal.release.name") !== undefined &&
    numberAt(content, "proposal.plan.version") === 1 &&
    numberAt(content, "proposal.basis.revision") !== undefined
  );
}
