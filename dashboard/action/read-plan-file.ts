import { maxPlanBytes } from "../../src/dashboard/api/index.ts";

/** The text of a file that is to be a saved plan, or why it is none. */
export async function readPlanFile(
  file: Pick<File, "name" | "size" | "text">,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const { name, size } = file;
  if (size === 0) return { problem: `${name} is empty: open a file that sluice plan --save wrote.` };
  if (size > maxPlanBytes) return { problem: `${name} has ${mebibytes(size)} MiB, and a plan at most ${mebibytes(maxPlanBytes)}.` };
  try {
    return { text: await file.text() };
  } catch {
    return { problem: `${name} cannot be read: it is a folder, or was moved.` };
  }
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
