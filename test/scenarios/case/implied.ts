/** The order that is implied by manifests and yields to annotations. */
import {
  makeVolumeClaim,
  makeConfigMap,
  makeWidgetCrd,
  makeDeployment,
  makeJob,
  makeNamespace,
  makeObject,
  makeSecret,
  makeService,
  makeServiceAccount,
  slow,
  makeStatefulSet,
  makeWidget,
} from "../objects.ts";
import type { ReleaseScenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const late = weight("5");
/** Leaves its rank, so that only implied needs hold it back. */
const loose = { "werf.io/deploy-dependency-first": "state=present,kind=ConfigMap,name=first" };
const rbac = "rbac.authorization.k8s.io/v1";
const rules = { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] };
const bound = (kind: string, name: string, account: string) => ({
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
  subjects: [{ kind: "ServiceAccount", name: account, namespace: "$NS" }],
});
const volume = (source: object) => ({ pod: { volumes: [{ name: "v", ...source }] } });

export const impliedScenarios: readonly ReleaseScenario[] = [
  {
    name: "what a pod names comes before it: configuration by variables and volumes, accounts, claims, classes, services and rights",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("first"),
          makeDeployment("slow", {}, { image: slow }),
          makeDeployment("free", loose),
          makeDeployment("by-env", loose, {
            container: { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "env", key: "a" } } }] },
          }),
          makeConfigMap("env", late, { a: "1" }),
          makeDeployment("by-secret-env", loose, {
            container: { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "secret-env", key: "a", optional: true } } }] },
          }),
          makeSecret("secret-env", late),
          makeDeployment("by-env-from", loose, {
            container: { envFrom: [{ configMapRef: { name: "env-from" } }, { secretRef: { name: "secret-env-from" } }] },
          }),
          makeConfigMap("env-from", late),
          makeSecret("secret-env-from", late),
          makeDeployment("by-volume", loose, volume({ configMap: { name: "volume" } })),
          makeConfigMap("volume", late),
          makeDeployment("by-secret-volume", loose, volume({ secret: { secretName: "secret-volume" } })),
          makeSecret("secret-volume", late),
          makeDeployment(
            "by-projection",
            loose,
            volume({ projected: { sources: [{ configMap: { name: "projected" } }, { secret: { name: "secret-projected" } }] } }),
          ),
          makeConfigMap("projected", late),
          makeSecret("secret-projected", late),
          makeDeployment("by-claim", loose, volume({ persistentVolumeClaim: { claimName: "claim" } })),
          makeVolumeClaim("claim", late),
          makeDeployment("by-account", loose, { pod: { serviceAccountName: "account" } }),
          makeServiceAccount("account", late),
          makeObject(rbac, "Role", "role", late, rules),
          makeObject(rbac, "RoleBinding", "rolebinding", late, bound("Role", "role", "account")),
          makeObject(rbac, "ClusterRole", "$NS-role", late, rules),
          makeObject(rbac, "ClusterRoleBinding", "$NS-binding", late, bound("ClusterRole", "$NS-role", "account")),
          makeDeployment("by-class", loose, { pod: { priorityClassName: "$NS-priority" } }),
          makeObject("scheduling.k8s.io/v1", "PriorityClass", "$NS-priority", late, { value: 7 }),
          makeStatefulSet("by-service", loose, { spec: { serviceName: "headless" } }),
          makeService("headless", late, { clusterIP: "None" }),
        ],
        expect: {
          order: [
            "deployment/free created < deployment/slow ready < configmap/env created < deployment/by-env created",
            "deployment/slow ready < configmap/env-from created, secret/secret-env-from created < deployment/by-env-from created",
            "deployment/slow ready < configmap/volume created < deployment/by-volume created",
            "deployment/slow ready < secret/secret-volume created < deployment/by-secret-volume created",
            "deployment/slow ready < configmap/projected created, secret/secret-projected created < deployment/by-projection created",
            "deployment/slow ready < persistentvolumeclaim/claim created < deployment/by-claim created",
            "deployment/slow ready < serviceaccount/account created, rolebinding/rolebinding created, clusterrolebinding/$NS-binding created < deployment/by-account created",
            "role/role created < rolebinding/rolebinding created",
            "clusterrole/$NS-role created < clusterrolebinding/$NS-binding created",
            "deployment/slow ready < priorityclass/$NS-priority created < deployment/by-class created",
            "deployment/slow ready < service/headless created < statefulset/by-service created",
          ],
        },
      },
    ],
  },
  {
    name: "what a pod can do without comes before it all the same when the release brings it",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeConfigMap("first"),
          makeDeployment("slow", {}, { image: slow }),
          makeDeployment("modest", loose, volume({ configMap: { name: "late", optional: true } })),
          makeConfigMap("late", late),
        ],
        expect: { order: ["deployment/slow ready < configmap/late created < deployment/modest created"] },
      },
    ],
  },
  {
    name: "a Namespace is active and a CRD established before the objects that need them",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeWidget("w", { "kots.io/creation-phase": "-5" }, { metadata: { namespace: "$NS-more" } }),
          makeObject("v1", "ConfigMap", "inside", { "kots.io/creation-phase": "-4" }, { metadata: { namespace: "$NS-more" } }),
          makeWidgetCrd({ "kots.io/creation-phase": "-5" }),
          makeNamespace("$NS-more", { "kots.io/creation-phase": "-5" }),
        ],
        expect: {
          order: [
            "namespace/$NS-more created < namespace/$NS-more ready < widget/w in $NS-more created < configmap/inside in $NS-more created",
            "customresourcedefinition/widgets.$NS.example.com created < customresourcedefinition/widgets.$NS.example.com ready < widget/w in $NS-more created",
          ],
        },
      },
      {
        do: "delete",
        expect: {
          order: [
            "configmap/inside in $NS-more gone < widget/w in $NS-more gone < customresourcedefinition/widgets.$NS.example.com going",
            "widget/w in $NS-more gone < namespace/$NS-more going < namespace/$NS-more gone",
          ],
          records: [],
        },
      },
    ],
  },
  {
    name: "references turn the order of kinds round where they have to",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeServiceAccount("account", {}, { imagePullSecrets: [{ name: "pull" }] }),
          makeSecret("pull"),
          makeStatefulSet("scaled"),
          makeObject(
            "autoscaling/v2",
            "HorizontalPodAutoscaler",
            "scaler",
            { "werf.io/track-termination-mode": "NonBlocking" },
            {
              spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "StatefulSet", name: "scaled" } },
            },
          ),
        ],
        expect: {
          order: [
            "secret/pull created < serviceaccount/account created < statefulset/scaled created < horizontalpodautoscaler/scaler created",
          ],
        },
      },
    ],
  },
  {
    name: "an implied need is dropped where it contradicts an annotation",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("user", { ...weight("-1"), "sluice.dev/gate": "applied" }, volume({ configMap: { name: "used" } })),
          makeConfigMap("used", weight("1")),
          makeJob(
            "hook",
            { "helm.sh/hook": "pre-install" },
            { container: { envFrom: [{ configMapRef: { name: "unused", optional: true } }] } },
          ),
          makeConfigMap("unused", weight("2")),
        ],
        expect: {
          order: [
            "job/hook ready < deployment/user created < configmap/used created < deployment/user ready",
            "configmap/used created < configmap/unused created",
          ],
        },
      },
    ],
  },
];
