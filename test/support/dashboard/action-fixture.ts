import { VirtualClock } from "../../../src/core/clock/index.ts";
import type { Exchange } from "../../../src/core/exchange/index.ts";
import { ActionRunner, type ActingVisitor } from "../../../src/dashboard/action/action-runner.ts";
import { isAtWork, type ActionItem, type ActionPreview, type ActionRequest } from "../../../src/dashboard/api/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../../src/embedded/index.ts";
import { connect, type Cluster } from "../../../src/kube/index.ts";
import { readManifests } from "../../../src/lang/yaml/index.ts";
import { deploy, proposeDeploy, readIdentity, savedPlanText } from "../../../src/release/deploy/index.ts";
import { historyOf } from "../../../src/release/record/index.ts";

const { signal } = new AbortController();
const release = { name: "web", namespace: "default" };
const { behaviour } = parseBehaviour([{ match: { image: "slow" }, run: "60s" }]);

type Rule = { readonly apiGroups: readonly string[]; readonly resources: readonly string[]; readonly verbs: readonly string[] };

/** A cluster in virtual time with a release, and visitors who act on it by role-based access control. */
export class ActionFixture {
  readonly clock = new VirtualClock();
  readonly exchange: Exchange = startEmbeddedCluster({ clock: this.clock, behaviour }).exchange;
  readonly admin: Cluster = connect(this.exchange, { clock: this.clock });
  readonly runner = this.dashboard();
  #ids = 0;

  /** Another dashboard. `dead` says which holders of Leases have ended. */
  dashboard(dead: (holder: string) => boolean = () => false): ActionRunner {
    let count = 0;
    return new ActionRunner({ clock: this.clock, hasDied: dead, identityFor: (user) => `${user}@test (${++count})` });
  }

  /** A user of the cluster with these rights in namespace default. Default: all. */
  async visitor(user: string, rules: readonly Rule[] = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]): Promise<ActingVisitor> {
    const rbac = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: user } };
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: user };
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }];
    const read = { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] };
    for (const object of [
      { ...rbac, kind: "ClusterRole", rules: [...rules, read] },
      { ...rbac, kind: "ClusterRoleBinding", roleRef, subjects },
    ])
      await this.clock.until(this.admin.create(object));
    return this.actAs(user, this.exchange);
  }

  /** Acts as a user by an exchange of one's own. */
  actAs(user: string, exchange: Exchange): ActingVisitor {
    const peer = { certificate: { commonName: user, organizations: ["system:authenticated"], fingerprint: user } };
    const cluster = connect((request) => exchange({ ...request, peer }), { clock: this.clock });
    return { key: user, user, context: "test", cluster };
  }

  /** Deploys manifests as release `web`. */
  async deploy(yaml: string): Promise<void> {
    const { manifests } = readManifests(yaml, "web.yaml");
    const events = deploy({ release, manifests }, this.admin, { signal, identity: "tester" });
    const follow = async () => {
      for (let next = await events.next(); next.done !== true;) next = await events.next();
    };
    await this.clock.until(follow());
  }

  /** What `sluice plan --save` writes. */
  async savedPlan(yaml: string): Promise<string> {
    const { manifests } = readManifests(yaml, "web.yaml");
    const proposal = await this.clock.until(proposeDeploy({ release, manifests }, this.admin, { signal }));
    const cluster = await this.clock.until(readIdentity(this.admin, "default", { signal }));
    return savedPlanText({ cluster, proposal });
  }

  /** Shows an action. Its id is new. */
  preview(action: ActionRequest, visitor: ActingVisitor, runner = this.runner): Promise<ActionPreview> {
    return this.clock.until(runner.preview(`action-${++this.#ids}-of-a-test`, action, visitor, signal));
  }

  /** Shows an action, starts it, and returns how it has ended. */
  async act(action: ActionRequest, visitor: ActingVisitor, runner = this.runner): Promise<ActionItem> {
    const { id } = await this.preview(action, visitor, runner);
    runner.start(id, visitor);
    return this.end(id, visitor, runner);
  }

  /** Waits for the end of an action. */
  async end(id: string, visitor: ActingVisitor, runner = this.runner): Promise<ActionItem> {
    const list = runner.listOf(visitor);
    const ended = Promise.withResolvers<ActionItem>();
    const look = () => {
      const item = list.find(id);
      if (item !== undefined && !isAtWork(item)) ended.resolve(item);
    };
    list.subscribe(look);
    look();
    return this.clock.until(ended.promise);
  }

  /** `1 superseded Install complete`, the oldest first. */
  async records(): Promise<readonly string[]> {
    const revisions = await this.clock.until(historyOf(this.admin).revisions(release, { signal }));
    return revisions.map(({ revision, state, description }) => `${revision} ${state} ${description}`);
  }

  async value(name: string): Promise<unknown> {
    const found = await this.clock.until(this.admin.find({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name }));
    return found?.["data"];
  }
}
