import type { Command } from "commander";
import type { StorageKind } from "../../release/record/index.ts";
import { UsageFault } from "../failure.ts";
import { parseHistoryMax } from "../parse-argument.ts";

/** Variables by which Helm reaches a cluster otherwise than the kubeconfig says. Models helm pkg/cli/environment.go */
const refused = [
  "HELM_KUBEAPISERVER",
  "HELM_KUBEASGROUPS",
  "HELM_KUBEASUSER",
  "HELM_KUBECAFILE",
  "HELM_KUBEINSECURE_SKIP_TLS_VERIFY",
  "HELM_KUBETLS_SERVER_NAME",
  "HELM_KUBETOKEN",
] as const;

/** Helm reads a switch as Go's strconv.ParseBool does, and sets it for its plugins in any case. */
const off = ["", "0", "f", "F", "false", "FALSE", "False"];

const readers = new WeakSet<Command>();

/** Where a command works whose flags name neither. */
export function placeInVariables(command: Command): { readonly context?: string; readonly namespace?: string } {
  if (!readers.has(command)) return {};
  const { HELM_KUBECONTEXT: context = "", HELM_NAMESPACE: namespace = "" } = process.env;
  return { ...(context === "" ? {} : { context }), ...(namespace === "" ? {} : { namespace }) };
}

/**
 * Has a command take what its flags leave open from Helm's variables: flag before variable before kubeconfig, as Helm does. What
 * would lead Helm to another cluster or user and is not taken is refused: the command must not work on another one in silence.
 */
export function readHelmVariables(command: Command, { reachesCluster = true }: { readonly reachesCluster?: boolean } = {}): void {
  readers.add(command);
  command.hook("preAction", (_command, running) => {
    const { env } = process;
    // A saved plan knows its namespace.
    if (running.getOptionValue("usePlan") === undefined) take(running, "namespace", env["HELM_NAMESPACE"]);
    take(running, "historyMax", env["HELM_MAX_HISTORY"], historyMaxOf);
    // An embedded cluster is reached by no kubeconfig.
    if (running.getOptionValue("embedded") === true) return;
    take(running, "context", env["HELM_KUBECONTEXT"]);
    if (!reachesCluster) return;
    refuseVariables(env);
    refuseDriver(env);
  });
}

function refuseVariables(env: NodeJS.ProcessEnv): void {
  const found = refused.find((name) => !off.includes(env[name] ?? ""));
  if (found === undefined) return;
  throw new UsageFault(
    `${found} is set, and is not taken: a kubeconfig says how a cluster is reached: name one with --kubeconfig, and unset ${found}`,
  );
}

const driverKinds: Readonly<Record<string, StorageKind>> = {
  secret: "Secret",
  secrets: "Secret",
  configmap: "ConfigMap",
  configmaps: "ConfigMap",
};

/** What stores the records of a new release, where `HELM_DRIVER` says it. Models helm pkg/action/action.go Configuration.Init */
export function storageInVariables(): StorageKind | undefined {
  const { HELM_DRIVER: driver = "" } = process.env;
  return Object.hasOwn(driverKinds, driver) ? driverKinds[driver] : undefined;
}

/** Releases that Helm keeps elsewhere are not seen, so a command would take them for releases that are not there. */
function refuseDriver({ HELM_DRIVER: driver = "" }: NodeJS.ProcessEnv): void {
  if (driver === "" || Object.hasOwn(driverKinds, driver)) return;
  throw new UsageFault(
    `HELM_DRIVER is ${JSON.stringify(driver)}, and is not taken: records are kept in the cluster: set it to secret or configmap, or unset it`,
  );
}

/** Sets an option that the command has and the command line leaves open. */
function take(command: Command, name: string, text: string | undefined, parse: (text: string) => unknown = (same) => same): void {
  if (text === undefined || text === "" || command.getOptionValueSource(name) === "cli") return;
  if (command.options.some((option) => option.attributeName() === name)) command.setOptionValueWithSource(name, parse(text), "env");
}

function historyMaxOf(text: string): number {
  try {
    return parseHistoryMax(text);
  } catch (error) {
    throw new UsageFault(`read HELM_MAX_HISTORY: ${JSON.stringify(text)}`, error);
  }
}
