import { Option, type Command } from "commander";
import { parseParallelism, parseDurationFlag, parseHistoryMax } from "./parse-argument.ts";

/** What the arguments that name a release and its manifests say of themselves. */
export const releaseHelp = "the name of the release; its namespace is that of -n, or of the context";
export const sourceHelp =
  "files, folders, http(s) URLs, - for standard input; or a chart: a folder, a .tgz, repository/name, a URL, oci://…";

/** The argument that says which release is meant. */
export function addReleaseArgument(command: Command): Command {
  return command.argument("<release>", releaseHelp);
}

/** The argument that says which manifests are meant. */
export function addSourceArgument(command: Command): Command {
  return command.argument("<source...>", sourceHelp);
}

/** The flags that say which cluster is meant, and which part of it; `otherwise` is the namespace when none is named. */
export function addClusterOptions(
  command: Command,
  namespace = "the namespace of objects that name none",
  otherwise: "the context's" | "all" = "the context's",
): Command {
  return command
    .option("--context <name>", "the context of the kubeconfig to use")
    .option("--kubeconfig <file>", "the kubeconfig to use (default: $KUBECONFIG, else ~/.kube/config)")
    .option("-n, --namespace <name>", `${namespace} (default: ${otherwise})`);
}

/** The flags of all that takes its time. */
export function addRunOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--timeout <duration>", "how long it may take in all (90s, 10m, 1h30m)")
        .argParser(parseDurationFlag)
        .default(600_000, "10m"),
    )
    .addOption(new Option("--parallel <count>", "how many objects are applied or deleted at once").argParser(parseParallelism).default(20))
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "ndjson"]).default("text"));
}

/** What the flag that deletes data says of itself. */
export const deleteDataHelp = "delete volume claims, and definitions that still have objects, too";

/** The flags that say what a deploy may do and how far it waits: all that shapes its plan. */
export function addPlanOptions(command: Command): Command {
  return command
    .addOption(waitOption())
    .addOption(new Option("--no-wait", "do not wait until the objects are ready"))
    .option("--force-conflicts", "take over fields that others own", false)
    .option("--take-ownership", "adopt objects that are there and belong to no release", false)
    .option("--delete-data", deleteDataHelp, false);
}

/** The flags of all that writes a revision. */
export function addDeployOptions(command: Command): Command {
  return addPlanOptions(command).addOption(
    new Option("--history-max <count>", "how many revisions are kept; 0 keeps all").argParser(parseHistoryMax).default(10),
  );
}

/** The flag for a namespace that comes with the release. */
export function createNamespaceOption(): Option {
  return new Option("--create-namespace", "make the release's namespace when it is not there").default(false);
}

/** Until when a command waits. */
export function waitOption(): Option {
  return new Option("--wait [what]", "until when to wait: all, until everything is ready; hooks, for the hooks alone (Helm's manner)")
    .choices(["all", "hooks"])
    .default(true, "all");
}

/** The flag for a cluster that lives as long as the command. */
export function embeddedOption(verb: string): Option {
  return new Option("--embedded", `${verb} to a new embedded cluster that ends with the command`).conflicts(["context", "kubeconfig"]);
}
