import { BadInput, Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { readBundledFolder } from "../bundled-files.ts";

/** Reads the manifests of an example. Like `kubectl apply -f`, it leaves out subfolders. */
export function readExample(name: string): readonly KubeObject[] {
  const folder = `examples/${name}`;
  const files = readBundledFolder(folder).filter((file) => /^[^/]+\.yaml$/.test(file.name));
  if (files.length === 0)
    throw new Fault(`find ${folder}`, "it did not come with the program: install Sluice anew, or run it in a clone", { final: true });
  const read = files.map((file) => readManifests(Buffer.from(file.data).toString(), `${folder}/${file.name}`));
  const problems = read.flatMap((each) => each.problems);
  if (problems.length > 0) throw new BadInput(problems);
  return read.flatMap((each) => each.manifests.map(({ object }) => object));
}
