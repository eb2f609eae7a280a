import { visible } from "../../graph/shorten.ts";

/** Lines as they are, with what cannot be seen made visible. */
export function PlainText({ lines, label }: { readonly lines: readonly string[]; readonly label: string }) {
  return (
    <pre class="plain-text" tabIndex={0} role="region" aria-label={label}>
      {lines.map((line) => visible(line)).join("\n")}
    </pre>
  );
}

const kinds: Readonly<Record<string, string>> = { "+": "is-added", "-": "is-removed", "@": "is-place" };

/** A unified diff: each line has a sign, and its colour says the same. */
export function DiffText({ lines, label }: { readonly lines: readonly string[]; readonly label: string }) {
  return (
    <pre class="plain-text is-diff" tabIndex={0} role="region" aria-label={label}>
      {lines.map((line, at) => (
        <span key={at} class={kinds[line[0] ?? ""] ?? ""}>
          {visible(line)}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
