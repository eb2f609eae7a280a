import { useSignal } from "@preact/signals";

const shownMs = 1500;

/** A command of `sluice` or `kubectl`, and a button that copies it. */
export function CopyCommand({ command }: { readonly command: string }) {
  const copied = useSignal<"" | "copied" | "failed">("");
  const copy = async () => {
    copied.value = await navigator.clipboard.writeText(command).then(
      () => "copied" as const,
      () => "failed" as const,
    );
    setTimeout(() => (copied.value = ""), shownMs);
  };
  const word = copied.value === "" ? "Copy" : copied.value === "copied" ? "Copied" : "Not allowed";
  return (
    <div class="command">
      <code tabIndex={0}>{command}</code>
      <button type="button" class="plain" onClick={copy} aria-label={`Copy ${command}`}>
        <span aria-live="polite">{word}</span>
      </button>
    </div>
  );
}
