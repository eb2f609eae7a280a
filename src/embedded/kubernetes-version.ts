/** The version of Kubernetes whose API data and behaviour the embedded cluster has. */
export const kubernetesVersion = "v1.35.8";
