/** What to do about a failure, by its message. Many messages say it themselves; these do not. */
const advices: readonly (readonly [RegExp, (parts: readonly string[]) => string])[] = [
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
