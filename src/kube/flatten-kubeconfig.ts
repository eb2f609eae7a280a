import { Fault } from "../core/fault/index.ts";
import { writeYaml } from "../lang/yaml/index.ts";
import { chooseContext, findKubeconfig, flattenContext, thisMachine } from "./config/index.ts";
import type { OpenOptions } from "./open-cluster.ts";

/** The text of a kubeconfig with nothing but one context of a kubeconfig. `flag` is the flag that selects it, for errors. */
export async function flattenKubeconfig(
  { kubeconfig, context, machine = thisMachine() }: Pick<OpenOptions, "kubeconfig" | "context" | "machine">,
  flag: string,
): Promise<string> {
  const config = await findKubeconfig(machine, kubeconfig);
  if (config === undefined)
    throw new Fault(`there is no ${machine.home}/.kube/config, and KUBECONFIG is not set; name a file with --kubeconfig`, undefined, {
      final: true,
    });
  return writeYaml(await flattenContext(chooseContext(config, context, flag), machine));
}
