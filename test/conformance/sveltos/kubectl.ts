import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "../../../src/core/clock/index.ts";
import { Fault } from "../../../src/core/fault/index.ts";
import { isNotFound, type Cluster, type ObjectLocation, type Patch, type Resource, type WriteOptions } from "../../../src/kube/index.ts";
import { parseLabelSelector, refOf, type KubeObject } from "../../../src/core/object/index.ts";
import { readManifests, readYaml } from "../../../src/lang/yaml/index.ts";
import { parseKubectlCommands, type KubectlCommand } from "./kubectl-command.ts";
import { kubectlApply, withDefaultNamespace, type KubectlOptions } from "./kubectl-apply.ts";
import { splitShellWords } from "./split-shell-words.ts";

/** The cluster that a command runs on, and the folder of the files that it names. */
export type KubectlContext = KubectlOptions & { readonly cluster: Cluster; readonly folder: string };

/** Runs a kubectl command line with our own client. Refuses unknown commands by name. */
export async function kubectl(line: string, context: KubectlContext): Promise<void> {
  for (const command of parseKubectlCommands(splitShellWords(line))) await runCommand(command, context);
}

/** Submits the manifests of a file in their order. */
export async function submitManifests(
  yaml: string,
  verb: "apply" | "create" | "replace",
  context: KubectlContext,
  namespace?: string,
): Promise<void> {
  const { cluster, dryRun } = context;
  const { manifests, problems } = readManifests(yaml, "STDIN");
  if (problems.length > 0) throw new Fault("read manifests", problems.map(({ at, message }) => `${at}: ${message}`).join("; "));
  for (const { object } of manifests) {
    const desired = await withDefaultNamespace(object, cluster, namespace);
    const options: WriteOptions = { dryRun, manager: `kubectl-${verb}`, fieldValidation: "Strict" };
    if (verb === "apply") await kubectlApply(desired, cluster, context);
    else if (verb === "create") await cluster.create(desired, options);
    else await replace(desired, cluster, options);
  }
}

async function replace(object: KubeObject, cluster: Cluster, options: WriteOptions): Promise<void> {
  const { resourceVersion = "" } = (await cluster.get(refOf(object))).metadata;
  await cluster.replace({ ...object, metadata: { ...object.metadata, resourceVersion } }, options);
}

async function runCommand(command: KubectlCommand, context: KubectlContext): Promise<void> {
  switch (command.verb) {
    case "describe":
    case "get":
    case "wait":
      return; // reads only
    case "apply":
      return valueOf(command, "server-side") === "true" ? applyByServer(command, context) : submitFiles(command, "apply", context);
    case "replace":
      return submitFiles(command, "replace", context);
    case "create":
      return command.flags.has("filename") ? submitFiles(command, "create", context) : createNamed(command, context);
    case "delete":
      return deleteChosen(command, context);
    case "label":
      return mark(command, "labels", context);
    case "annotate":
      return mark(command, "annotations", context);
    case "patch":
      return patchChosen(command, context);
    case "scale": {
      const spec = { replicas: Number(valueOf(command, "replicas")) };
      return forEach(command, context, command.operands, (ref) => change(ref, { type: "merge", patch: { spec } }, context, "scale"));
    }
    default:
      throw new Fault(`run kubectl ${command.verb}`, "this command is not known");
  }
}

async function submitFiles(command: KubectlCommand, verb: "apply" | "create" | "replace", context: KubectlContext): Promise<void> {
  for (const file of command.flags.get("filename") ?? []) {
    await submitManifests(readFileSync(join(context.folder, file), "utf8"), verb, context, namespaceOf(command));
  }
}

async function applyByServer(command: KubectlCommand, { cluster, dryRun, folder }: KubectlContext): Promise<void> {
  const force = valueOf(command, "force-conflicts") === "true";
  for (const file of command.flags.get("filename") ?? []) {
    const { manifests } = readManifests(readFileSync(join(folder, file), "utf8"), file);
    for (const { object } of manifests)
      await cluster.apply(await withDefaultNamespace(object, cluster, namespaceOf(command)), { manager: "kubectl", force, dryRun });
  }
}

/** `create namespace x`, `create configmap x --from-literal=a=b`, `create secret generic x --from-literal=a=b`. */
async function createNamed(command: KubectlCommand, { cluster, dryRun }: KubectlContext): Promise<void> {
  const [kind = "", ...rest] = command.operands;
  const name = rest.at(-1) ?? "";
  const data = Object.fromEntries((command.flags.get("from-literal") ?? []).map((pair) => parted(pair, "=")));
  const metadata = { name, namespace: namespaceOf(command) };
  const options = { dryRun, manager: "kubectl-create" };
  if (kind === "namespace" || kind === "ns") await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } }, options);
  else if (kind === "configmap" || kind === "cm") await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data }, options);
  else if (kind === "secret") await cluster.create({ apiVersion: "v1", kind: "Secret", metadata, stringData: data }, options);
  else throw new Fault(`run kubectl create ${kind}`, "this command is not known");
}

async function deleteChosen(command: KubectlCommand, context: KubectlContext): Promise<void> {
  const { cluster, dryRun, folder } = context;
  const cascade = valueOf(command, "cascade");
  const propagation = cascade === "orphan" || cascade === "foreground" ? cascade : "background";
  const remove = async (ref: ObjectLocation): Promise<void> => {
    try {
      await cluster.delete(ref, { propagation, dryRun });
      if (!dryRun && valueOf(command, "wait") !== "false") await untilGone(ref, cluster);
    } catch (error) {
      if (!isNotFound(error) || valueOf(command, "ignore-not-found") !== "true") throw error;
    }
  };
  for (const file of command.flags.get("filename") ?? []) {
    const { manifests } = readManifests(readFileSync(join(folder, file), "utf8"), file);
    for (const { object } of manifests) await remove(refOf(await withDefaultNamespace(object, cluster, namespaceOf(command))));
  }
  if (command.operands.length > 0) await forEach(command, context, command.operands, remove);
}

/** Waits like kubectl, but not for ever: the next command may remove the finalizer that holds the object. */
async function untilGone(ref: ObjectLocation, cluster: Cluster): Promise<void> {
  const [everyMs, times] = [500, 60];
  for (let looks = 0; looks < times; looks++) {
    if ((await cluster.find(ref)) === undefined) return;
    await sleep(cluster.clock, everyMs);
  }
}

/** `key=value` sets, `key-` removes; the operands before the first of these name objects. */
async function mark(command: KubectlCommand, where: "labels" | "annotations", context: KubectlContext): Promise<void> {
  const changes = Object.fromEntries(
    command.operands.filter(isChange).map((word) => (word.includes("=") ? parted(word, "=") : [word.slice(0, -1), null])),
  );
  const names = command.operands.filter((word) => !isChange(word));
  const patch = { metadata: { [where]: changes } };
  await forEach(command, context, names, async (ref) => {
    if (valueOf(command, "overwrite") !== "true") refuseOverwriting(changes, (await context.cluster.get(ref)).metadata[where]);
    await change(ref, { type: "merge", patch }, context);
  });
}

/** Models kubectl pkg/cmd/label validateNoOverwrites */
function refuseOverwriting(changes: Readonly<Record<string, string | null>>, there: Readonly<Record<string, string>> = {}): void {
  const [taken] = Object.entries(changes).filter(([key, value]) => value !== null && key in there && there[key] !== value);
  if (taken !== undefined) throw new Fault(`'${taken[0]}' already has a value (${there[taken[0]]}), and --overwrite is false`);
}

async function patchChosen(command: KubectlCommand, context: KubectlContext): Promise<void> {
  const file = valueOf(command, "patch-file");
  const text = file === undefined ? (valueOf(command, "patch") ?? "") : readFileSync(join(context.folder, file), "utf8");
  const patch = patchOf(valueOf(command, "type") ?? "strategic", readYaml(text, "patch"));
  await forEach(command, context, command.operands, (ref) => change(ref, patch, context, valueOf(command, "subresource")));
}

function patchOf(type: string, patch: unknown): Patch {
  if (type === "json" && Array.isArray(patch)) return { type, patch };
  if (type === "merge" || type === "strategic") return { type, patch };
  throw new Fault(`run kubectl patch --type=${type}`, "there is no such patch");
}

type Chosen = Resource & { readonly namespace: string; readonly name: string };

async function change(ref: Chosen, patch: Patch, { cluster, dryRun }: KubectlContext, subresource?: string): Promise<void> {
  await cluster.patch(ref, patch, { dryRun, manager: "kubectl-patch", ...(subresource !== undefined && { subresource }) });
}

/**
 * Runs `work` on the objects that operands name (`kind name…`, `kind/name…`, `kinda,kindb name`), that a selector matches, or
 * on all of a kind.
 */
async function forEach(
  command: KubectlCommand,
  { cluster }: KubectlContext,
  words: readonly string[],
  work: (ref: Chosen) => Promise<unknown>,
): Promise<void> {
  for (const { kind, name } of namedBy(words)) {
    const resource = await cluster.discovery.findByName(kind);
    if (resource === undefined) throw new Fault("error", `the server doesn't have a resource type "${kind}"`);
    const namespace = resource.namespaced ? namespaceOf(command) : "";
    const names = name === undefined ? await namesOf(command, resource, namespace, cluster) : [{ namespace, name }];
    for (const each of names) await work({ ...resource, ...each });
  }
}

function namedBy(words: readonly string[]): readonly { readonly kind: string; readonly name?: string }[] {
  if (words.some((word) => word.includes("/"))) return words.map((word) => parted(word, "/")).map(([kind, name]) => ({ kind, name }));
  const [kinds = "", ...names] = words;
  return kinds.split(",").flatMap((kind) => (names.length === 0 ? [{ kind }] : names.map((name) => ({ kind, name }))));
}

async function namesOf(
  command: KubectlCommand,
  resource: Resource,
  namespace: string,
  cluster: Cluster,
): Promise<readonly { namespace: string; name: string }[]> {
  const selector = valueOf(command, "selector");
  if (selector === undefined && valueOf(command, "all") !== "true")
    throw new Fault("error", "resource(s) were provided, but no name was specified");
  const everywhere = valueOf(command, "all-namespaces") === "true";
  const { items } = await cluster.list(resource);
  const matching = parseLabelSelector(selector ?? "");
  return items
    .filter(({ metadata }) => matching.matches(metadata.labels) && (everywhere || (metadata.namespace ?? "") === namespace))
    .map(({ metadata }) => ({ namespace: metadata.namespace ?? "", name: metadata.name }));
}

function isChange(word: string): boolean {
  return word.includes("=") || word.endsWith("-");
}

function namespaceOf(command: KubectlCommand): string {
  return valueOf(command, "namespace") ?? "default";
}

function valueOf({ flags }: KubectlCommand, name: string): string | undefined {
  return flags.get(name)?.at(-1);
}

function parted(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + by.length)];
}
