import { remove } from "../../release/deploy/index.ts";
import { onRelease, termsOf, type ReleaseCommand } from "../release-command.ts";
import type { Terminal } from "../terminal.ts";

export type DeleteCommand = ReleaseCommand & { readonly keepHistory: boolean };

/** Deletes a release with all that belongs to it. */
export async function deleteRelease(name: string, options: DeleteCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { keepHistory } = options;
  return onRelease(
    {
      name,
      command: "delete",
      work: (cluster, release, how) => remove({ release, ...termsOf(options) }, cluster, { ...how, keepHistory }),
    },
    options,
    terminal,
    signal,
  );
}
