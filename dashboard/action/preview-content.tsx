import type { ActionPreview, PreviewedChange } from "../../src/dashboard/api/index.ts";
import { RelativeTime } from "../component/relative-time.tsx";

/** What an action is going to do: in sentences, object by object, and step by step. */
export function PreviewContent({ preview, isOpen = false }: { readonly preview: ActionPreview; readonly isOpen?: boolean }) {
  const { summary, steps, changes, leftOut, warnings, refusals, drawnUpAtMs } = preview;
  return (
    <div class="preview">
      {refusals.map((refusal) => (
        <p class="notice bad" role="alert" key={refusal}>
          {refusal}
        </p>
      ))}
      {warnings.map((warning) => (
        <p class="notice" key={warning}>
          {warning}
        </p>
      ))}
      {summary.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {drawnUpAtMs === undefined ? null : (
        <p class="quiet">
          Drawn up <RelativeTime ms={drawnUpAtMs} />.
        </p>
      )}
      {changes.length === 0 ? null : (
        <details open={isOpen}>
          <summary>{`What changes (${changes.length + leftOut})`}</summary>
          {changes.map((change) => (
            <Change key={JSON.stringify(change.ref)} change={change} />
          ))}
          {leftOut === 0 ? null : <p class="quiet">{`${leftOut} more are left out here.`}</p>}
        </details>
      )}
      {steps.length === 0 ? null : (
        <details open={isOpen}>
          <summary>Steps</summary>
          <pre class="preview-steps" tabIndex={0} aria-label="Steps">
            {steps.join("\n")}
          </pre>
        </details>
      )}
    </div>
  );
}

const words = { created: "create", updated: "change", recreated: "delete and make anew", deleted: "delete" } as const;

function Change({ change: { ref, change, lines } }: { readonly change: PreviewedChange }) {
  const title = `${ref.kind.toLowerCase()}/${ref.name}`;
  const head = (
    <>
      <span class={`change change-${change}`}>{words[change]}</span> <code>{title}</code>
      {ref.namespace === "" ? null : <span class="quiet"> in {ref.namespace}</span>}
    </>
  );
  if (lines.length === 0) return <p class="preview-change">{head}</p>;
  return (
    <details class="preview-change">
      <summary>{head}</summary>
      <pre class="diff" tabIndex={0} aria-label={`Diff of ${title}`}>
        {lines.map((line, at) => (
          <span key={at} class={classOf(line)}>
            {`${line}\n`}
          </span>
        ))}
      </pre>
    </details>
  );
}

function classOf(line: string): string {
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
}
