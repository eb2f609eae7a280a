import { useSignal } from "@preact/signals";
import type { CandidateVerdict, EventCandidate, EventCandidates, EventCluster } from "../../../src/dashboard/api/index.ts";
import { StateBadge, type State } from "../../component/state-badge.tsx";
import { nameOf } from "./object-text.ts";

type Props = { readonly context: string; readonly source: string; readonly cluster: EventCluster };
type Answer = EventCandidates | { readonly problem: string };

/** What nearly matches: asked for by a button, because all objects of the cluster are judged for it. */
export function Candidates({ context, source, cluster }: Props) {
  const answer = useSignal<Answer | "asking" | undefined>(undefined);
  const ask = async () => {
    answer.value = "asking";
    answer.value = await readCandidates(context, source, cluster);
  };
  const known = answer.value;
  return (
    <section class="candidates" aria-label="What nearly matches">
      <button type="button" class="button" onClick={ask} disabled={known === "asking"}>
        {known === "asking" ? "Judging…" : known === undefined ? "What nearly matches?" : "Judge again"}
      </button>
      <div aria-live="polite">
        {known === undefined || known === "asking" ? null : "problem" in known ? (
          <p class="notice bad">{known.problem}</p>
        ) : (
          <Judged answer={known} />
        )}
      </div>
    </section>
  );
}

async function readCandidates(context: string, source: string, { kind, namespace, name }: EventCluster): Promise<Answer> {
  try {
    const query = new URLSearchParams({ source, cluster: `${kind}/${namespace}/${name}` });
    const response = await fetch(`/api/c/${encodeURIComponent(context)}/candidates?${query}`);
    const content = (await response.json()) as EventCandidates & { readonly message?: string };
    return response.ok ? content : { problem: content.message ?? `The dashboard answered ${response.status}.` };
  } catch {
    return { problem: "The dashboard does not answer." };
  }
}

const verdicts: Readonly<Record<CandidateVerdict, readonly [State, string]>> = {
  matching: ["ready", "matches"],
  failed: ["failed", "cannot be judged"],
  rejected: ["progressing", "rejected by script or rule"],
  labels: ["skipped", "other labels"],
  different: ["waiting", "other namespace or name"],
};

function Judged({ answer: { candidates, counts, notices } }: { readonly answer: EventCandidates }) {
  const near = candidates.filter(({ verdict }) => verdict !== "matching");
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <>
      {notices.map((text) => (
        <p key={text} class="notice">
          {text}
        </p>
      ))}
      <p class="quiet numeric">
        {counts.matching} of {total} objects match. {near.length === 0 ? "None comes near." : "The nearest first:"}
      </p>
      <ul class="matches">
        {near.map((candidate) => (
          <Candidate key={nameOf(candidate.ref)} candidate={candidate} />
        ))}
      </ul>
    </>
  );
}

function Candidate({ candidate: { ref, verdict, because } }: { readonly candidate: EventCandidate }) {
  const [state, word] = verdicts[verdict];
  return (
    <li class="candidate">
      <span class="mono">{nameOf(ref)}</span>
      <StateBadge state={state} word={word} />
      <p>{because}</p>
    </li>
  );
}
