import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ActionPreview } from "../../src/dashboard/api/index.ts";
import { newActionId, previewAction } from "./action-client.ts";
import { askAgain } from "./asked-action.ts";
import { PreviewContent } from "./preview-content.tsx";
import { readPlanFile } from "./read-plan-file.ts";

type Reading =
  | { readonly state: "none" }
  | { readonly state: "reading"; readonly file: string }
  | { readonly state: "refused"; readonly problem: string }
  | { readonly state: "read"; readonly preview: ActionPreview };

/** Opens a saved plan from a file, shows it on the page, and lets the visitor run it after that. */
export function OpenPlan({ context }: { readonly context: string }) {
  const reading = useSignal<Reading>({ state: "none" });
  const isOver = useSignal(false);
  const picker = useRef<HTMLInputElement>(null);
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    reading.value = { state: "reading", file: file.name };
    reading.value = await read(context, file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    isOver.value = false;
    void open(event.dataTransfer?.files[0]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    isOver.value = true;
  };
  const pick = async (event: Event & { currentTarget: HTMLInputElement }) => {
    const field = event.currentTarget;
    await open(field.files?.[0]);
    // The same file can be chosen again.
    field.value = "";
  };
  return (
    <section aria-labelledby="plan-title">
      <div class="section-head">
        <h2 id="plan-title">Run a saved plan</h2>
      </div>
      <div
        class={isOver.value ? "plan-drop is-over" : "plan-drop"}
        onDrop={drop}
        onDragOver={over}
        onDragLeave={() => (isOver.value = false)}
      >
        <button type="button" class="button" onClick={() => picker.current?.click()}>
          Open a saved plan…
        </button>
        <span class="quiet">or drop a file here that sluice plan --save wrote. It is read first, and run only when you say so.</span>
        <input ref={picker} type="file" hidden aria-label="A file with a saved plan" onChange={pick} />
      </div>
      <div aria-live="polite">
        <PlanReading reading={reading.value} context={context} />
      </div>
    </section>
  );
}

async function read(context: string, file: File): Promise<Reading> {
  const content = await readPlanFile(file);
  if ("problem" in content) return { state: "refused", problem: content.problem };
  const answer = await previewAction(context, newActionId(), { type: "plan", file: file.name, text: content.text });
  return "value" in answer ? { state: "read", preview: answer.value } : { state: "refused", problem: answer.problem };
}

function PlanReading({ reading, context }: { readonly reading: Reading; readonly context: string }) {
  if (reading.state === "none") return null;
  if (reading.state === "reading") return <p class="quiet">Reading {reading.file}…</p>;
  if (reading.state === "refused") return <p class="notice bad">{reading.problem}</p>;
  const { preview } = reading;
  return (
    <div class="plan-reading">
      <h3>{preview.title}</h3>
      <PreviewContent preview={preview} isOpen />
      {preview.refusals.length > 0 ? null : (
        <button type="button" class="button strong" onClick={() => askAgain(context, preview)}>
          {preview.verb}…
        </button>
      )}
    </div>
  );
}
