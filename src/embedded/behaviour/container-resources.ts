import { equal, fieldsAt, type Fields } from "../../core/object/index.ts";
import type { Container, ContainerStatus, Pod } from "./pod.ts";

/** What the status of a running container says of its resources. */
export function resourcesOf({ resources = {} }: Container): Pick<ContainerStatus, "resources" | "allocatedResources"> {
  const requests = fieldsAt(resources, "requests");
  return { resources, ...(Object.keys(requests).length === 0 ? {} : { allocatedResources: requests }) };
}

/** Whether a resource changes that the container has to be restarted for. */
export function needsRestart({ resources, resizePolicy = [] }: Container, status: ContainerStatus): boolean {
  return resizePolicy.some(
    ({ resourceName, restartPolicy }) =>
      restartPolicy === "RestartContainer" && !equal(amounts(resources, resourceName), amounts(status.resources, resourceName)),
  );
}

/** The resources of all containers, as events show them. Models pkg/kubelet/events/resize.go */
export function resourceSummary({ initContainers = [], containers }: Pod["spec"]): Fields {
  return {
    ...(initContainers.length === 0 ? {} : { initContainers: allocationsOf(initContainers) }),
    containers: allocationsOf(containers),
  };
}

function allocationsOf(containers: readonly Container[]): readonly Fields[] {
  return containers.map(({ name, resources = {} }) => ({ name, resources }));
}

function amounts(resources: unknown, name: string): readonly unknown[] {
  return ["requests", "limits"].map((list) => fieldsAt(resources, list)[name]);
}
