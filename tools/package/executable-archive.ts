import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzip, writeTar, type Entry } from "./write-tar.ts";

/** What shells look for, each in its own folder. */
const completionFiles = { bash: "sluice.bash", zsh: "_sluice", fish: "sluice.fish", powershell: "sluice.ps1" };

/** What comes with an executable: the licences of all that is in it, and completions for shells. */
export function companions(root: string, built: string, nodeLicence: string): readonly Entry[] {
  const completion = (shell: string) => execFileSync(process.execPath, [join(built, "sluice.js"), "completion", shell]);
  return [
    { name: "LICENSE", data: readFileSync(join(root, "LICENSE")) },
    { name: "LICENSE-node.txt", data: Buffer.from(nodeLicence) },
    { name: "README.md", data: readFileSync(join(root, "README.md")) },
    { name: "THIRD-PARTY-LICENSES.txt", data: readFileSync(join(built, "THIRD-PARTY-LICENSES.txt")) },
    ...Object.entries(completionFiles).map(([shell, file]) => ({ name: `completions/${file}`, data: completion(shell) })),
  ];
}

/** An executable with its companions, as one archive that unpacks into a folder of that name. */
export function executableArchive(folder: string, executable: Buffer, beside: readonly Entry[], seconds: number): Buffer {
  const entries: readonly Entry[] = [...beside, { name: "sluice", data: executable, mode: 0o755 }];
  return gzip(
    writeTar(
      entries.map((entry) => ({ ...entry, name: `${folder}/${entry.name}` })),
      seconds,
    ),
  );
}
