/** werf's stages and weight groups, and the order of kinds. */
import {
  brief,
  makeVolumeClaim,
  makeConfigMap,
  makeDaemonSet,
  makeWidgetCrd,
  makeDeployment,
  makeJob,
  makeObject,
  makePod,
  makeSecret,
  makeService,
  makeServiceAccount,
  slow,
  makeStatefulSet,
  makeWidget,
} from "../objects.ts";
import type { ReleaseScenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const role = { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] };
const binding = (kind: string, name: string) => ({
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
  subjects: [{ kind: "ServiceAccount", name: "account", namespace: "$NS" }],
});
const rbac = "rbac.authorization.k8s.io/v1";

const podOf = (app: string) => ({ metadata: { labels: { app } }, spec: { containers: [{ name: "main", image: "example.com/app:1" }] } });

/** One of each kind, in the reverse of the documented order. */
const ofEachKind = [
  makeWidget("widget"),
  makeObject("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "$NS-validating"),
  makeObject("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "$NS-mutating"),
  makeObject("$NS.example.com/v1", "Gadget", "gadget"),
  makeObject(
    "networking.k8s.io/v1",
    "Ingress",
    "ingress",
    {},
    {
      spec: { defaultBackend: { service: { name: "service", port: { number: 80 } } } },
    },
  ),
  makeObject("networking.k8s.io/v1", "IngressClass", "$NS-ingress", {}, { spec: { controller: "example.com/none" } }),
  makeObject(
    "batch/v1",
    "CronJob",
    "cronjob",
    {},
    {
      spec: {
        schedule: "0 4 * * *",
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "example.com/done:1" }] } } },
        },
      },
    },
  ),
  makeJob("job", {}, { image: brief }),
  makeStatefulSet("statefulset"),
  makeObject(
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    "autoscaler",
    {},
    {
      spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "deployment" } },
    },
  ),
  makeDeployment("deployment"),
  makeObject(
    "apps/v1",
    "ReplicaSet",
    "replicaset",
    {},
    { spec: { replicas: 0, selector: { matchLabels: { app: "rs" } }, template: podOf("rs") } },
  ),
  makeObject("v1", "ReplicationController", "controller", {}, { spec: { replicas: 0, selector: { app: "rc" }, template: podOf("rc") } }),
  makePod("pod"),
  makeDaemonSet("daemonset"),
  makeService("service"),
  makeObject(rbac, "RoleBinding", "rolebinding", {}, binding("Role", "role")),
  makeObject(rbac, "Role", "role", {}, role),
  makeObject(rbac, "ClusterRoleBinding", "$NS-binding", {}, binding("ClusterRole", "$NS-role")),
  makeObject(rbac, "ClusterRole", "$NS-role", {}, role),
  makeVolumeClaim("claim"),
  makeObject(
    "v1",
    "PersistentVolume",
    "$NS-volume",
    {},
    {
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/nowhere" }, storageClassName: "$NS-class" },
    },
  ),
  makeObject("storage.k8s.io/v1", "StorageClass", "$NS-class", {}, { provisioner: "example.com/none" }),
  makeConfigMap("configmap"),
  makeSecret("secret"),
  makeServiceAccount("account"),
  makeObject("policy/v1", "PodDisruptionBudget", "budget", {}, { spec: { minAvailable: 0, selector: { matchLabels: { app: "none" } } } }),
  makeObject("v1", "LimitRange", "limits", {}, { spec: { limits: [{ type: "Container", default: { cpu: "1" } }] } }),
  makeObject("v1", "ResourceQuota", "quota", {}, { spec: { hard: { "count/configmaps": "20" } } }),
  makeObject("networking.k8s.io/v1", "NetworkPolicy", "policy", {}, { spec: { podSelector: {} } }),
  makeObject("scheduling.k8s.io/v1", "PriorityClass", "$NS-priority", {}, { value: 7 }),
  makeWidgetCrd(),
  makeWidgetCrd({}, "$NS.example.com", "Gadget"),
];

export const weightScenarios: readonly ReleaseScenario[] = [
  {
    name: "groups are deployed one after the other by weight, each when the one before is ready",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("app1", weight("1"), { image: slow }),
          makeDeployment("app2", weight("1"), { image: slow }),
          makeJob("database-migrations"),
          makeStatefulSet("database", weight("-1"), { image: slow }),
          makeConfigMap("zero", weight("0")),
        ],
        expect: {
          order: [
            "statefulset/database created < statefulset/database ready < configmap/zero created < job/database-migrations created < job/database-migrations ready",
            "job/database-migrations ready < deployment/app1 created, deployment/app2 created < deployment/app1 ready, deployment/app2 ready",
          ],
        },
      },
      {
        do: "delete",
        expect: {
          order: [
            "deployment/app1 gone, deployment/app2 gone < job/database-migrations going < configmap/zero going",
            "job/database-migrations gone, configmap/zero gone < statefulset/database going < statefulset/database gone",
          ],
          absent: ["statefulset/database", "job/database-migrations", "deployment/app1", "deployment/app2", "configmap/zero"],
          records: [],
        },
      },
    ],
  },
  {
    name: "inside a group objects are created in the documented order of kinds, unknown kinds last and by name, and then followed together",
    acts: [
      {
        do: "deploy",
        manifests: ofEachKind,
        terms: { wait: "none" },
        expect: {
          order: [
            "priorityclass/$NS-priority created < networkpolicy/policy created < resourcequota/quota created < limitrange/limits created < poddisruptionbudget/budget created < serviceaccount/account created",
            "serviceaccount/account created < secret/secret created < configmap/configmap created < storageclass/$NS-class created < persistentvolume/$NS-volume created < persistentvolumeclaim/claim created < clusterrole/$NS-role created",
            "clusterrole/$NS-role created < clusterrolebinding/$NS-binding created < role/role created < rolebinding/rolebinding created < service/service created < daemonset/daemonset created",
            "daemonset/daemonset created < pod/pod created < replicationcontroller/controller created < replicaset/replicaset created < deployment/deployment created < horizontalpodautoscaler/autoscaler created < statefulset/statefulset created < job/job created",
            "job/job created < cronjob/cronjob created < ingressclass/$NS-ingress created < ingress/ingress created < mutatingwebhookconfiguration/$NS-mutating created < validatingwebhookconfiguration/$NS-validating created < gadget/gadget created < widget/widget created",
          ],
        },
      },
    ],
  },
  {
    name: "all of a group are created before any of it is waited for",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeJob("c", {}, { image: brief }),
          makeStatefulSet("b", {}, { image: slow }),
          makeDeployment("a", {}, { image: slow }),
        ],
        expect: {
          order: ["deployment/a created < statefulset/b created < job/c created < deployment/a ready, statefulset/b ready, job/c ready"],
        },
      },
    ],
  },
  {
    name: "CRDs come first and are established before anything else, hooks included",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeWidget("early", { "helm.sh/hook": "pre-install" }),
          makeConfigMap("first", weight("-100")),
          makeWidget("main", weight("-200")),
          makeWidgetCrd(),
        ],
        expect: {
          order: [
            "customresourcedefinition/widgets.$NS.example.com created < customresourcedefinition/widgets.$NS.example.com ready < widget/early created < widget/main created < configmap/first created",
          ],
        },
      },
      {
        do: "delete",
        expect: {
          order: ["configmap/first gone < widget/main gone"],
          kept: ["customresourcedefinition/widgets.$NS.example.com"],
          records: [],
        },
      },
    ],
  },
];
