/** A workload of one container, as small as the server takes it. */
export const webWorkload = (kind: string) => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "a" },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: "a" } },
    template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a:1" }] } },
  },
});
