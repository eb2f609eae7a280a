import { join } from "node:path";
import type { KubeObject } from "../../src/core/object/index.ts";
import { openCluster, type Cluster } from "../../src/kube/index.ts";
import { chartArchive, chartOfProfile, serveCharts } from "../support/chart/chart-repository.ts";
import { isFeatureOf, readFeatures } from "../support/feature-statuses.ts";
import { sveltosObject } from "../support/sveltos-objects.ts";
import { becomes, becomesReady, registerSecond, serveClusters, serving, type ServingProgram } from "./fleet-parts.ts";
import type { SluiceCommand } from "./run-process.ts";

const grow = "{{ $l := list }}{{ range until 100000 }}{{ $l = append $l (randBytes 3000 | b64dec) }}{{ end }}{{ len $l }}";
const lua = (text: string) => `function evaluate()\n${text}\nend`;

/** How content is processed, its text, and what the status of its profile must say. */
type Content = readonly [annotation: "template" | "lua", text: string, says: RegExp];

/** No engine counts all that it takes: its worker is ended from outside. */
const isSetAside = /: it (used more than|ended its worker) .*; it is set aside until .*, and tried again then or when it changes$/;
/** What is ended from outside, unless it has taken too long before: which limit is reached first is up to the machine. */
const isEnded = new RegExp(`${isSetAside.source}|calling \\w+: takes longer than allowed$`);

/** Each ends within a second or two of the processor, by what an engine counts or from outside. */
const hostileContents: Readonly<Record<string, Content>> = {
  "template-memory": ["template", grow, isEnded],
  "script-loop": ["lua", lua("while true do end"), /: the script takes more steps than it may$/],
};
const hostileChart = { "templates/a.yaml": grow, "values.yaml": `list: [${"{},".repeat(400_000)}]` };
const says: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(Object.entries(hostileContents).map(([name, [, , text]]) => [name, text])),
  "chart-memory": isSetAside,
};

/** Of the good profile: a template, a script and a chart each deploy a ConfigMap. */
const goodContents: Readonly<Record<string, readonly [annotation: "template" | "lua", text: string]>> = {
  "by-template": ["template", "{apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ print `by-template` }}', namespace: default}}"],
  "by-script": [
    "lua",
    lua("return {resources = '{apiVersion: v1, kind: ConfigMap, metadata: {name: by-' .. 'script, namespace: default}}'}"),
  ],
};
const goodChart = "{apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ .Release.Name }}'}}";
const wanted = [...Object.keys(goodContents), "by-chart"];

/** What became of a controller and of the good profile, and what hostile profiles say that do not say why they have failed. */
type HostileOutcome = {
  readonly deployed: readonly string[];
  readonly silent: readonly string[];
  readonly probe: string;
  readonly ended: number | null;
};

/** How it goes when all is well. */
export const unharmedController: HostileOutcome = { deployed: wanted, silent: [], probe: "ok\n", ended: 0 };

/** On a machine that does a lot besides, workers come last. */
const patienceMs = 600_000;

/** Who runs as the controller, once the kubeconfig of its cluster is there, and what that is called where it runs. */
type ControllerIn = (kubeconfig: string) => { readonly program: SluiceCommand; readonly kubeconfig: string };

/** A controller, in clusters that the program serves, gets templates, scripts and charts that ask for all time or memory, and good ones. */
export async function runHostileProfiles(
  program: SluiceCommand,
  folder: string,
  controllerIn: ControllerIn = (kubeconfig) => ({ program, kubeconfig }),
): Promise<HostileOutcome> {
  const kubeconfig = join(folder, "hostile.kubeconfig");
  const repository = await serveCharts({
    "chart-memory": chartArchive("chart-memory", hostileChart),
    good: chartArchive("good", { "templates/a.yaml": goodChart }),
  });
  const ends: (() => unknown)[] = [repository.close, await serveClusters(program, kubeconfig)];
  try {
    const [hub, managed] = await Promise.all(["sluice-1", "sluice-2"].map((context) => openCluster({ kubeconfig, context })));
    ends.push(hub!.close, managed!.close);
    const where = controllerIn(kubeconfig);
    const controller = await serving(where.program, ["controller", "--context", "sluice-1", "--install-definitions"], where.kubeconfig);
    ends.push(controller.end);
    await becomesReady(controller);
    await registerSecond(program, kubeconfig, join(folder, "managed.kubeconfig"));
    for (const object of objectsOf(repository.url)) await hub!.cluster.apply(object, { manager: "test" });
    return await outcomeOf(controller, hub!.cluster, managed!.cluster);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

const content = (name: string, annotation: string, text: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", annotations: { [`projectsveltos.io/${annotation}`]: "ok" } },
  data: { "a.yaml": text },
});
const refTo = (name: string) => ({ kind: "ConfigMap", namespace: "default", name });
const profile = (name: string, spec: object) =>
  sveltosObject("ClusterProfile", name, { clusterSelector: { matchLabels: { env: "fv" } }, ...spec });

/** The good profile comes last. */
function objectsOf(repositoryURL: string): readonly KubeObject[] {
  return [
    ...Object.entries({ ...hostileContents, ...goodContents }).map(([name, [annotation, text]]) => content(name, annotation, text)),
    ...Object.keys(hostileContents).map((name) => profile(name, { policyRefs: [refTo(name)] })),
    profile("chart-memory", { helmCharts: [chartOfProfile(repositoryURL, "chart-memory")] }),
    profile("good", {
      policyRefs: Object.keys(goodContents).map(refTo),
      helmCharts: [chartOfProfile(repositoryURL, "good", "by-chart")],
    }),
  ];
}

async function outcomeOf(controller: ServingProgram, hub: Cluster, managed: Cluster): Promise<HostileOutcome> {
  let [deployed, silent]: [readonly string[], readonly string[]] = [[], []];
  const look = async () => {
    const { items } = await managed.list({ group: "", version: "v1", kind: "ConfigMap" }, { namespace: "default" });
    deployed = wanted.filter((name) => items.some(({ metadata }) => metadata.name === name));
    const features = await readFeatures(hub);
    silent = Object.entries(says).flatMap(([name, pattern]) => {
      const own = features.filter((feature) => isFeatureOf(feature, name)).map(({ message }) => message);
      return own.some((message) => pattern.test(message)) ? [] : [`${name}: ${own.join()}`];
    });
    if ((await (await fetch(`${controller.url}/healthz`)).text()) !== "ok\n") throw new Error("/healthz does not answer ok");
    return deployed.length === wanted.length && silent.length === 0;
  };
  await becomes(look, () => `as it should be: deployed ${deployed.join()}, silent ${silent.join("; ")}`, patienceMs);
  const probe = await (await fetch(`${controller.url}/healthz`)).text();
  return { deployed, silent, probe, ended: await controller.end() };
}
