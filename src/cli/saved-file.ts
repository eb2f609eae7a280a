import { Fault } from "../core/fault/index.ts";
import { readTextFile } from "../core/file/index.ts";
import { writeErrorText, writePrivateFile } from "./private-file.ts";
import { readErrorText } from "./read-error-text.ts";

/** A kind of file that one command writes for another: `the plan`, by `sluice plan --save`. */
type SavedKind = {
  readonly what: string;
  readonly command: string;
  /** How to get one: `draw it up with`, before the command. */
  readonly remedy: string;
};

/** Saves a text to a file that only its owner can read. */
export async function saveFile({ what }: SavedKind, file: string, text: string): Promise<void> {
  try {
    await writePrivateFile(file, text);
  } catch (error) {
    throw new Fault(`save ${what} to ${file}`, writeErrorText(error, file), { final: true });
  }
}

/** Reads what `saveFile` wrote. What is in it, the caller checks. */
export async function readSavedFile({ what, command, remedy }: SavedKind, file: string): Promise<string> {
  try {
    return await readTextFile(file);
  } catch (error) {
    const remedies = {
      missing: `${remedy} ${command}`,
      folder: `name the file that ${command} wrote`,
      denied: "its owner alone can use it",
    };
    throw new Fault(`use ${what} ${file}`, readErrorText(error, remedies), { final: true });
  }
}
