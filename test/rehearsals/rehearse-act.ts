import { connect } from "../../src/kube/index.ts";
import { readForRehearsal, rehearse, type RehearsedRun } from "../../src/release/rehearse/index.ts";
import { suiteBehaviour } from "../conformance/suite-behaviour.ts";
import type { ClusterUnderTest } from "../scenarios/cluster-under-test.ts";
import { timeoutMs } from "../scenarios/run-operation.ts";
import type { Act, ReleaseScenario } from "../scenarios/scenario.ts";
import { manifestsIn } from "../scenarios/third-party-client.ts";

/** Why an act is not rehearsed; undefined when it is. */
export function objectionToRehearsal(act: Act, { acts }: ReleaseScenario): string | undefined {
  if (act.do === "others") return "it is not done by Sluice";
  if (act.do !== "deploy") return `it is no deploy but ${act.do}`;
  if (acts.some((each) => "manifests" in each && JSON.stringify(each.manifests).includes("WebhookConfiguration")))
    return "a webhook decides, and a rehearsal calls none";
  if (act.meanwhile !== undefined) return "others take part in it, whom a rehearsal does not know";
  return undefined;
}

/** Rehearses the deploy of an act on the cluster as it is now. */
export async function rehearseAct(act: Act, underTest: ClusterUnderTest, home: string): Promise<RehearsedRun> {
  if (act.do !== "deploy") throw new TypeError("only a deploy is rehearsed");
  const { signal } = new AbortController();
  const namespace = (act.namespace ?? "$NS").replaceAll("$NS", home);
  const live = connect(underTest.exchange, { clock: underTest.clock, namespace });
  const request = {
    ...act.terms,
    release: { name: act.release ?? "app", namespace },
    manifests: manifestsIn(act.manifests, home),
    createNamespace: act.createNamespace ?? false,
  };
  const startedAtMs = underTest.clock.now();
  try {
    const { snapshot } = await underTest.until(readForRehearsal(request, live, { signal }));
    return await rehearse(request, snapshot, { namespace, behaviour: suiteBehaviour, deploy: { timeoutMs, ...act.options, signal } });
  } catch (refusal) {
    return { startedAtMs, endedAtMs: startedAtMs, progress: [], unserved: [], refusal };
  }
}
