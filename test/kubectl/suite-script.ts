/**
 * The Bash program that runs one function of kubectl's own suite (test/cmd of k8s.io/kubernetes) in a folder that links to the
 * module. It sets up what the suite's own set-up does, but for the servers. It needs SECURE_API_PORT and the name of the
 * function in TEST_FUNCTION.
 */
export const suiteScript = `
source hack/lib/init.sh
source hack/lib/test.sh
source test/cmd/legacy-script.sh

kube::util::ensure-temp-dir
kube::util::trap_add 'stop-proxy; rm -rf "\${KUBE_TEMP}"' EXIT
kube::util::ensure-gnu-sed

CONTEXT="test"
kubectl create -f node.json || kubectl get -f node.json

run_chosen_tests() {
  "\${TEST_FUNCTION}"
}

export SUPPORTED_RESOURCES=("*")
WHAT=chosen runTests
`;

/** What the suite's own set-up writes into the kubeconfig. */
export function suiteKubeconfig(port: number): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [{ name: "local", cluster: { server: `https://127.0.0.1:${port}`, "insecure-skip-tls-verify": true } }],
    users: [{ name: "test-admin", user: { token: "admin-token" } }],
    contexts: [{ name: "test", context: { cluster: "local", user: "test-admin" } }],
  });
}

/** The node that the suite expects. Its annotation has field managers recorded. */
export const suiteNode = JSON.stringify({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "127.0.0.1", annotations: { "save-managers": "true" } },
  status: { capacity: { memory: "1Gi" } },
});
