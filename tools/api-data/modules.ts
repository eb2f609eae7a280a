import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";

export const kubernetesVersion = "v1.35.8";
export const clientGoVersion = "v0.35.8";

/** The folder of a Go module, which is downloaded into the module cache if needed. */
export function moduleFolder(path: string, version: string): string {
  const answer = execFileSync("go", ["mod", "download", "-json", `${path}@${version}`], { cwd: tmpdir(), encoding: "utf8" });
  const { Dir } = JSON.parse(answer) as { Dir: string };
  return Dir;
}
