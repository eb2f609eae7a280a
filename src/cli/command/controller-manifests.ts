import { renderInstallManifests } from "../controller/install-manifests.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import type { ControllerManifestsFlags } from "../command-group/controller.ts";

/** The CRDs that an agent needs in its cluster. */
const agentCrdFiles = /\/(eventsources|eventreports)\.[^/]*$/;

/** Prints the manifests that install the controller, or with `--agent` an agent. */
export function controllerManifests({ namespace, image, replicas, agent }: ControllerManifestsFlags, terminal: Terminal): number {
  const values = {
    createNamespace: true,
    ...(image === undefined ? {} : { image: imageFrom(image) }),
    controller: { enabled: !agent, ...(replicas === undefined ? {} : { replicas }) },
    agent: { enabled: agent },
  };
  const text = renderInstallManifests({ namespace, values, includeCrd: (file) => !agent || agentCrdFiles.test(file) });
  terminal.out(text.trimEnd());
  return exitCodes.ok;
}

/** Splits `registry:5000/sluice:1.0`, `sluice` or `sluice@sha256:…`. The text after the last colon is the tag, unless a slash follows. */
function imageFrom(text: string): { readonly repository: string; readonly tag?: string } {
  const [, repository = text, tag] = /^(.+):([^/:]+)$/.exec(text) ?? [];
  return tag === undefined ? { repository } : { repository, tag };
}
