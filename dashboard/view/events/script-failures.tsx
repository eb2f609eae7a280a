import type { ScriptFailure, ScriptLines } from "../../../src/dashboard/api/index.ts";
import { nameOf } from "./object-text.ts";

/** What scripts and rules could not judge, with the line that fails. */
export function ScriptFailures({ failures }: { readonly failures: readonly ScriptFailure[] }) {
  return (
    <ul class="script-failures" aria-label="What could not be judged">
      {failures.map(({ message, resource, isSkipped, at }, index) => (
        <li key={index}>
          {resource === undefined ? null : <span class="mono">{nameOf(resource)}</span>}
          <p>{message}</p>
          {isSkipped ? <p class="quiet">The rule counts as false for it.</p> : null}
          {at === undefined ? null : <Script script={at} />}
        </li>
      ))}
    </ul>
  );
}

function Script({ script: { path, line, first, lines } }: { readonly script: ScriptLines }) {
  return (
    <figure class="script">
      <figcaption class="quiet">
        {path}, line {line}
      </figcaption>
      <pre tabIndex={0}>
        {lines.map((text, index) => (
          <span key={index} class={first + index === line ? "script-line is-failing" : "script-line"}>
            <span class="script-number">{first + index}</span>
            {`${text}\n`}
          </span>
        ))}
      </pre>
    </figure>
  );
}
