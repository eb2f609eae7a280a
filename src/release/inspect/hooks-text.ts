import type { Revision } from "../record/index.ts";

/** The manifests of a revision's hooks; undefined when it has none. Models helm pkg/cmd/get_hooks.go */
export function hooksText({ hooks }: Revision): string | undefined {
  if (hooks.length === 0) return undefined;
  return hooks.map(({ path, manifest }) => `---\n# Source: ${path}\n${manifest}`).join("\n");
}

/** The notes of a revision; undefined when it has none. Models helm pkg/cmd/get_notes.go */
export function notesText({ notes }: Revision): string | undefined {
  return notes === "" ? undefined : `NOTES:\n${notes}`;
}
