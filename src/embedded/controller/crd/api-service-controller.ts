import { equal, findCondition, isFields, listAt, valueAt, type KubeObject } from "../../../core/object/index.ts";
import { crdSpecOf } from "../../crd/index.ts";
import { timestampOf } from "../../timestamp.ts";
import type { ControllerConstructor, EmbeddedControllerContext } from "../controller.ts";

const crds = "customresourcedefinitions.apiextensions.k8s.io";
const apiServices = "apiservices.apiregistration.k8s.io";
const automanaged = "kube-aggregator.kubernetes.io/automanaged";
const manager = "kube-apiserver";

/** The names of the APIServices of a CRD: one for each version that it serves. */
function namesOf(crd: KubeObject): readonly string[] {
  const { group } = crdSpecOf(crd);
  return listAt(crd, "spec.versions").flatMap((version) => (version["served"] === true ? [`${String(version["name"])}.${group}`] : []));
}

/**
 * Keeps an APIService for every version of the groups of CRDs, and says of every local one that it is available. Models
 * kube-aggregator pkg/controllers/autoregister and status/local, and pkg/controlplane/controller/crdregistration
 */
export const apiServiceController: ControllerConstructor = (context) => ({
  name: "api-service",
  watches: {
    [crds]: ({ object, previous }) => new Set([object, ...(previous === undefined ? [] : [previous])].flatMap(namesOf)),
    [apiServices]: ({ object }) => [object.metadata.name],
  },
  reconcile: (name) => reconcile(name, context),
});

function reconcile(name: string, { api, clock }: EmbeddedControllerContext): undefined {
  const live = api.read(apiServices, "", name);
  const isWanted = api.list(crds).some((crd) => findCondition(crd, "Established", "True") !== undefined && namesOf(crd).includes(name));
  if (live === undefined && isWanted) return void api.create(apiServices, apiServiceNamed(name), manager);
  if (live === undefined) return undefined;
  if (!isWanted && live.metadata.labels?.[automanaged] === "true") return api.delete(apiServices, "", name) as undefined;
  if (isFields(valueAt(live, "spec.service"))) return undefined;
  const lastTransitionTime = timestampOf(clock.now());
  const available = { type: "Available", status: "True", reason: "Local", message: "Local APIServices are always available" };
  const conditions = [{ ...available, lastTransitionTime }];
  const shown = listAt(live, "status.conditions").map(({ lastTransitionTime: _time, ...condition }) => condition);
  if (!equal(shown, [available])) api.updateStatus(apiServices, { ...live, status: { conditions } }, manager);
  return undefined;
}

function apiServiceNamed(name: string): KubeObject {
  const dot = name.indexOf(".");
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name, labels: { [automanaged]: "true" } },
    spec: { group: name.slice(dot + 1), version: name.slice(0, dot), groupPriorityMinimum: 1000, versionPriority: 100 },
  };
}
