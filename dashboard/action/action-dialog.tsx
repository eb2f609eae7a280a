import { useEffect, useRef } from "preact/hooks";
import { CopyCommand } from "../component/copy-command.tsx";
import { askedAction, closeAsked, confirmAsked, type AskedAction } from "./asked-action.ts";
import { commandText } from "./command-text.ts";
import { PreviewContent } from "./preview-content.tsx";

/** Asks before something is done. It says what will happen, and its default is to do nothing. */
export function ActionDialog() {
  const asked = askedAction.value;
  return asked === undefined ? null : <OpenDialog key={asked.id} asked={asked} />;
}

/** The browser keeps the focus in a modal dialog, closes it with Escape, and gives the focus back. */
function OpenDialog({ asked }: { readonly asked: AskedAction }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    opened?.showModal();
    cancel.current?.focus();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const { preview, problem, isStarting = false } = asked;
  const isPossible = preview !== undefined && preview.refusals.length === 0;
  return (
    <dialog ref={dialog} class="confirmation action-dialog" aria-labelledby="action-title" onCancel={closeByEscape}>
      <h2 id="action-title">{preview?.title ?? "What will happen"}</h2>
      <div class="action-body" aria-live="polite" aria-busy={preview === undefined && problem === undefined}>
        {preview === undefined ? null : <PreviewContent preview={preview} />}
        {preview === undefined && problem === undefined ? <p class="quiet">Working out what will happen…</p> : null}
        {problem === undefined ? null : (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        {preview?.command === undefined ? null : <CopyCommand command={commandText(preview.command, asked.context)} />}
      </div>
      <div class="buttons">
        <button type="button" class="button" ref={cancel} onClick={closeAsked}>
          {isPossible || preview === undefined ? "Cancel" : "Close"}
        </button>
        {isPossible ? (
          <button type="button" class="button strong" disabled={isStarting} onClick={() => void confirmAsked()}>
            {preview.verb}
          </button>
        ) : null}
      </div>
    </dialog>
  );
}

/** The signal closes the dialog, so that both agree. */
function closeByEscape(event: Event): void {
  event.preventDefault();
  closeAsked();
}
