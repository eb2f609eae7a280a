import type { KubeObject } from "../../../core/object/index.ts";
import { tenantLabels } from "../../api/index.ts";

const toRequest = (account: string) => `add this right to the roles that a RoleRequest of ServiceAccount ${account} refers to`;

/** What to do about a failure, by its message. Many messages say it themselves; these do not. */
const advices: readonly (readonly [RegExp, (parts: readonly string[]) => string])[] = [
  [
    /ServiceAccount (\S+) in cluster (\S+): nothing is granted to it there/,
    ([account, cluster]) =>
      `see that a RoleRequest names ServiceAccount ${account}, that its spec.clusterSelector matches cluster ${cluster}, and what its status says`,
  ],
  // The user of a tenant in managed clusters, and the one that it is in the management cluster.
  [/User "system:serviceaccount:projectsveltos:(\S+?)--(\S+)" cannot/, ([namespace, name]) => toRequest(`${namespace}/${name}`)],
  [
    /ServiceAccount (\S+)\/(\S+) in .*User "system:serviceaccount:\1:\2" cannot/s,
    ([namespace, name]) => `give ServiceAccount ${namespace}/${name} this right by a Role in the management cluster`,
  ],
  [/ServiceAccount (\S+) in cluster \S+: .*forbidden/is, ([account = ""]) => toRequest(account)],
  [
    /^Referenced resource: (\S+) (\S+) does not exist/,
    ([kind, name]) => `create ${kind} ${name} in the management cluster, or take it out of the profile`,
  ],
  [
    /(?:currently deploy(?:ed|ing)|managing it|conflict)/i,
    () => "another profile has it: take it out of one of the two, or give the one that is to have it a lower spec.tier",
  ],
  [/load chart/, () => "correct repositoryURL, chartName or chartVersion of the profile, or bring the repository back"],
  [/image|ErrImagePull|ImagePullBackOff/, () => "correct the image in the profile's content, or let the cluster pull it"],
  [/crash|exit code|OOMKilled/, () => "see above what it has written, and correct the container or what it needs"],
  [/cannot be scheduled|no node|Insufficient/i, () => "make room: nodes, quotas, or smaller requests"],
  [/forbidden|not accepted/i, () => "give the account of the cluster's kubeconfig this right"],
];

export function adviceFor(message: string): { readonly advice?: string } {
  for (const [pattern, advise] of advices) {
    const found = pattern.exec(message);
    if (found !== null) return { advice: advise(found.slice(1)) };
  }
  return {};
}

/**
 * What to do about a profile that cannot be withdrawn. An administrator can take the labels of a tenant without a grant off: then
 * it is withdrawn with the rights of the platform.
 */
export function withdrawalAdviceFor(message: string, { kind, metadata }: KubeObject): { readonly advice?: string } {
  const { advice } = adviceFor(message);
  const labels = tenantLabels.filter((label) => metadata.labels?.[label] !== undefined);
  if (advice === undefined || labels.length === 0 || !message.includes("nothing is granted to it there")) return adviceFor(message);
  const place = metadata.namespace === undefined ? "" : ` -n ${metadata.namespace}`;
  const command = `kubectl label ${kind.toLowerCase()} ${metadata.name}${place} ${labels.map((label) => `${label}-`).join(" ")}`;
  return { advice: `${advice}; or withdraw it with the rights of the platform: ${command}` };
}
