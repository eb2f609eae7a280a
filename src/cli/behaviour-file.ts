import { BadInput, Fault } from "../core/fault/index.ts";
import { readTextFile } from "../core/file/index.ts";
import { parseBehaviour, type Behaviour } from "../embedded/index.ts";
import { readYaml } from "../lang/yaml/index.ts";
import { readErrorText } from "./read-error-text.ts";

const remedies = {
  missing: "docs/embedded-cluster.md tells how to write one",
  folder: "name a file in it",
  denied: "name a file that you may read",
};

/** Reads a behaviour file. All problems in it are thrown together. */
export async function readBehaviourFile(file: string): Promise<Behaviour> {
  const text = await readTextFile(file).catch((error: unknown) => {
    throw new Fault(`use the behaviour file ${file}`, readErrorText(error, remedies), { final: true });
  });
  const { behaviour, problems } = parseBehaviour(readYaml(text, file));
  if (problems.length > 0) throw new BadInput(problems.map(({ at, message }) => ({ at: at === "" ? file : `${file}: ${at}`, message })));
  return behaviour;
}
