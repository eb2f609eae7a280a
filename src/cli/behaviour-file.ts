import { readFile } from "node:fs/promises";
import { BadInput, doing } from "../core/fault/index.ts";
import { parseBehaviour, type Behaviour } from "../embedded/index.ts";
import { readYaml } from "../lang/yaml/index.ts";

/** Reads a behaviour file. All problems in it are thrown together. */
export async function readBehaviourFile(file: string): Promise<Behaviour> {
  const text = await doing(`read ${file}`, () => readFile(file, "utf8"));
  const { behaviour, problems } = parseBehaviour(readYaml(text, file));
  if (problems.length > 0) throw new BadInput(problems.map(({ at, message }) => ({ at: at === "" ? file : `${file}: ${at}`, message })));
  return behaviour;
}
