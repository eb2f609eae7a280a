/** Builders for the content of profiles. */

/** A ConfigMap of the management cluster, in namespace default, with these texts. */
export function sourceYaml(
  name: string,
  texts: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>> = {},
): string {
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", annotations }, data: texts });
}

/** ConfigMaps to be deployed: `a=1 b=2`, each with these annotations. */
export function configMapsYaml(text: string, annotations: Readonly<Record<string, string>> = {}, namespace = "default"): string {
  return text
    .split(" ")
    .filter((each) => each !== "")
    .map((each) => {
      const [name = "", v = ""] = each.split("=");
      return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, annotations }, data: { v } });
    })
    .join("\n---\n");
}

export function jobYaml(name: string, annotations: Readonly<Record<string, string>> = {}, more: object = {}): string {
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "good" }] } };
  const metadata = { name, namespace: "default", annotations };
  return JSON.stringify({ apiVersion: "batch/v1", kind: "Job", metadata, spec: { backoffLimit: 0, template, ...more } });
}

export const policyRefsYaml = (...names: readonly string[]) =>
  `policyRefs: [${names.map((name) => `{kind: ConfigMap, namespace: default, name: ${name}}`).join(", ")}]`;
