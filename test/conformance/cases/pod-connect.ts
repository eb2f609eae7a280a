import { httpDelete, httpGet, httpPost, httpPut, mergePatch, namespacedPath, type ConformanceCase } from "../conformance-case.ts";

const podsPath = namespacedPath("v1", "pods");
const servicesPath = namespacedPath("v1", "services");
const pod = (name: string, ...containers: readonly string[]) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { schedulerName: "nobody", containers: containers.map((each) => ({ name: each, image: "example.com/good:1" })) },
});
const command = "command=ls&stdout=true";

/** What is refused before anybody is connected with a container. */
export const podConnectCases: readonly ConformanceCase[] = [
  {
    id: "pod-connect/exec",
    title: "exec and attach need a pod, a container, a command and a node",
    steps: [
      httpPost(podsPath, pod("one", "a"), { show: [] }),
      httpPost(podsPath, pod("two", "a", "b"), { show: [] }),
      httpGet(`${podsPath}/absent/exec?${command}`, { expect: 404 }),
      httpPost(`${podsPath}/absent/exec?${command}`, {}, { expect: 404 }),
      httpPost(`${podsPath}/one/exec?${command}`, {}, { expect: 400 }),
      httpPost(`${podsPath}/one/exec?stdout=true`, {}, { expect: 400 }),
      httpPost(`${podsPath}/one/exec?command=ls`, {}, { expect: 400 }),
      httpPost(`${podsPath}/one/exec?${command}&container=none`, {}, { expect: 400 }),
      httpPost(`${podsPath}/one/exec?${command}&tty=maybe`, {}, { expect: 400 }),
      httpPost(`${podsPath}/two/exec?${command}`, {}, { expect: 400 }),
      httpPost(`${podsPath}/two/exec?${command}&container=b`, {}, { expect: 400 }),
      httpGet(`${podsPath}/absent/attach?stdout=true`, { expect: 404 }),
      httpPost(`${podsPath}/one/attach?stdout=true`, {}, { expect: 400 }),
      httpPost(`${podsPath}/one/attach`, {}, { expect: 400 }),
      httpPost(`${podsPath}/two/attach?stdout=true`, {}, { expect: 400 }),
      httpPut(`${podsPath}/one/exec?${command}`, {}, { expect: 405 }),
      mergePatch(`${podsPath}/one/attach`, {}, { expect: 405 }),
      httpDelete(`${podsPath}/one/exec`, undefined, { expect: 405 }),
    ],
  },
  {
    id: "pod-connect/forward",
    title: "port forwarding and proxies need an object, and a pod that is on a node",
    steps: [
      httpPost(podsPath, pod("one", "a"), { show: [] }),
      httpGet(`${podsPath}/absent/portforward`, { expect: 404 }),
      httpPost(`${podsPath}/one/portforward`, {}, { expect: 400 }),
      httpPut(`${podsPath}/one/portforward`, {}, { expect: 405 }),
      httpGet(`${podsPath}/absent/proxy/`, { expect: 404 }),
      httpGet(`${podsPath}/absent/proxy/a/b?c=d`, { expect: 404 }),
      httpPut(`${podsPath}/absent/proxy`, {}, { expect: 404 }),
      httpGet(`${podsPath}/absent:80/proxy/`, { expect: 404 }),
      httpGet(`${servicesPath}/absent/proxy/x`, { expect: 404 }),
      httpGet(`${servicesPath}/http:absent:80/proxy/x`, { expect: 404 }),
      httpGet("/api/v1/nodes/absent/proxy/healthz", { expect: 404 }),
    ],
  },
];
