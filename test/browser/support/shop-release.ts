/** A shop as it is deployed in tests of the release view: a database, a migration before everything else, and what waits for it. */
type ShopOptions = {
  /** The image of the migration: `migrate` or `migrate-bad`. */
  readonly migration?: string;
  /** The image of what is served. */
  readonly image?: string;
  /** How many more workers there are. */
  readonly workers?: number;
};

/** How pods of the shop turn out, as `sluice cluster --behaviour` takes it. */
export const shopBehaviour = `
- match: {image: migrate}
  run: 1s
- match: {image: migrate-slow}
  run: 4s
- match: {image: migrate-bad}
  run: 2s
  result: {exitCode: 1}
  logs:
  - "connecting to db:5432 as shop with correct-horse"
  - "<img src=x onerror=alert(1)><b>relation orders</b> does not exist"
  - "\\u001b[31mmigration 042 failed\\u001b[0m"
- match: {image: db}
  pull: 300ms
  ready: 700ms
- match: {image: web}
  pull: 300ms
  ready: 500ms
- match: {image: web-2}
  pull: 300ms
  ready: 900ms
`;

/** The manifests of the shop. */
export function shopManifests({ migration = "migrate", image = "web", workers = 1 }: ShopOptions = {}): string {
  const names = ["cart", "checkout", "search", ...Array.from({ length: workers }, (_, at) => `worker-${at + 1}`)];
  return [
    configMap("settings", `image: ${image}`),
    secret,
    workload("StatefulSet", "db", "db", -20),
    service("db", -20),
    job("migrate", migration, -10),
    configMap("prices", "currency: EUR"),
    ...names.flatMap((name) => [workload("Deployment", name, image, 0), service(name, 0)]),
    workload("Deployment", "gateway", image, 10),
    job("warm-up", "migrate", 20),
  ].join("---\n");
}

const weight = (value: number) => `annotations: {werf.io/weight: "${value}"}`;

const secret = `apiVersion: v1
kind: Secret
metadata: {name: db-password, annotations: {werf.io/weight: "-20"}}
stringData: {password: correct-horse}
`;

function configMap(name: string, data: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}}
data: {${data}}
`;
}

function service(name: string, rank: number): string {
  return `apiVersion: v1
kind: Service
metadata: {name: ${name}, ${weight(rank)}}
spec: {selector: {app: ${name}}, ports: [{port: 80}]}
`;
}

function workload(kind: "Deployment" | "StatefulSet", name: string, image: string, rank: number): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}, ${weight(rank)}}
spec:
  replicas: 2
  ${kind === "StatefulSet" ? `serviceName: ${name}` : "progressDeadlineSeconds: 60"}
  selector: {matchLabels: {app: ${name}}}
  template: {metadata: {labels: {app: ${name}}}, spec: {containers: [{name: ${name}, image: ${image}}]}}
`;
}

function job(name: string, image: string, rank: number): string {
  return `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}, ${weight(rank)}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: ${name}, image: ${image}}]}}}
`;
}
