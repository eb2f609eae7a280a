"""Uses a cluster with the official Python client, and prints what it sees: `python-client.py KUBECONFIG NAMESPACE`."""
import json
import sys
import threading

from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.rest import ApiException

kubeconfig, namespace = sys.argv[1:3]
config.load_kube_config(kubeconfig)
api = client.ApiClient()
core, apps, batch = client.CoreV1Api(api), client.AppsV1Api(api), client.BatchV1Api(api)
seconds = 120


def show(what, *values):
    print(what, *[json.dumps(api.sanitize_for_serialization(value), sort_keys=True) for value in values], flush=True)


def refused(what, call):
    try:
        call()
        show(what, "not refused")
    except ApiException as error:
        status = json.loads(error.body)
        show(what, error.status, status["reason"], status["message"])


def wait_for(what, list_function, selector, is_done):
    """Waits on a watch until an object is as it should be."""
    for event in watch.Watch().stream(list_function, namespace, field_selector=selector, timeout_seconds=seconds):
        if is_done(event["object"]):
            show(what, event["object"].metadata.name)
            return event["object"]
    raise SystemExit(f"{what}: nothing within {seconds} s")


show("namespace", core.create_namespace({"metadata": {"name": namespace}}).metadata.labels)
# A controller brings this one, sooner or later.
wait_for("found", core.list_namespaced_config_map, "metadata.name=kube-root-ca.crt", lambda _: True)

# Create, get, list, watch, patch, apply, replace, delete.
seen, deleted = [], threading.Event()


def follow():
    names = "metadata.name!=kube-root-ca.crt"
    for event in watch.Watch().stream(core.list_namespaced_config_map, namespace, field_selector=names, timeout_seconds=seconds):
        seen.append([event["type"], event["object"].metadata.name, event["object"].data])
        if event["type"] == "DELETED":
            deleted.set()
            return


follower = threading.Thread(target=follow)
follower.start()
made = core.create_namespaced_config_map(namespace, client.V1ConfigMap(metadata={"name": "one", "labels": {"app": "x"}}, data={"a": "1"}))
show("created", made.data, made.metadata.labels, [entry.manager for entry in made.metadata.managed_fields])
show("got", core.read_namespaced_config_map("one", namespace).data)
page = core.list_namespaced_config_map(namespace, limit=1)
rest = core.list_namespaced_config_map(namespace, limit=1, _continue=page.metadata._continue)
show("listed", [item.metadata.name for item in page.items + rest.items], page.metadata.remaining_item_count)
show("selected", [item.metadata.name for item in core.list_namespaced_config_map(namespace, label_selector="app in (x, y)").items])
show("patched", core.patch_namespaced_config_map("one", namespace, {"data": {"b": "2"}}).data)
operations = [{"op": "remove", "path": "/data/b"}]
show("json patch", core.patch_namespaced_config_map("one", namespace, operations).data)
applied = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}, "data": {"a": "3"}}
finder = dynamic.DynamicClient(api)
config_maps = finder.resources.get(api_version="v1", kind="ConfigMap")
apply = dict(body=applied, namespace=namespace, field_manager="python")
refused("apply", lambda: config_maps.server_side_apply(**apply))
show("applied", config_maps.server_side_apply(**apply, force_conflicts=True).to_dict()["data"])
refused("replace", lambda: core.replace_namespaced_config_map("one", namespace, made))
show("deleted", core.delete_namespaced_config_map("one", namespace).status)
deleted.wait(seconds)
follower.join()
show("watched", seen)
refused("get", lambda: core.read_namespaced_config_map("one", namespace))
refused("invalid", lambda: core.create_namespaced_config_map(namespace, {"metadata": {"name": "No"}}))
refused("exists", lambda: core.create_namespace({"metadata": {"name": namespace}}))

# A Deployment becomes available, scales and is deleted.
template = {
    "metadata": {"labels": {"app": "web"}},
    "spec": {"containers": [{"name": "web", "image": "example.com/good:1", "command": ["sh", "-c", "echo ready; sleep 100000"]}]},
}
spec = {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template}
utils.create_from_dict(api, {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}, namespace=namespace)
wait_for("available", apps.list_namespaced_deployment, "metadata.name=web", lambda web: web.status.available_replicas == 2)
scale = apps.read_namespaced_deployment_scale("web", namespace)
show("scale", scale.spec.replicas, scale.status.replicas, scale.status.selector)
scale.spec.replicas = 1
show("scaled", apps.replace_namespaced_deployment_scale("web", namespace, scale).spec.replicas)
wait_for("scaled down", apps.list_namespaced_deployment, "metadata.name=web", lambda web: web.status.replicas == 1)
pods = core.list_namespaced_pod(namespace, label_selector="app=web").items
running = [pod for pod in pods if pod.metadata.deletion_timestamp is None]
show("logs", [core.read_namespaced_pod_log(pod.metadata.name, namespace) for pod in running])

# A Job's pod is followed to its end.
container = {"name": "c", "image": "example.com/done:1", "command": ["sh", "-c", "echo one; echo two"]}
job = {"template": {"spec": {"restartPolicy": "Never", "containers": [container]}}}
batch.create_namespaced_job(namespace, client.V1Job(metadata={"name": "once"}, spec=job))
wait_for("complete", batch.list_namespaced_job, "metadata.name=once", lambda once: once.status.succeeded == 1)
pod = core.list_namespaced_pod(namespace, label_selector="job-name=once").items[0]
show("followed", list(watch.Watch().stream(core.read_namespaced_pod_log, pod.metadata.name, namespace)))

# A custom resource by the dynamic client, which discovers it.
group = f"{namespace}.example.com"
schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer", "maximum": 5, "default": 1}}}}}
version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
names = {"plural": "widgets", "kind": "Widget"}
crds = client.ApiextensionsV1Api(api)
crds.create_custom_resource_definition(
    {"metadata": {"name": f"widgets.{group}"}, "spec": {"group": group, "scope": "Namespaced", "names": names, "versions": [version]}}
)
for event in watch.Watch().stream(crds.list_custom_resource_definition, field_selector=f"metadata.name=widgets.{group}", timeout_seconds=seconds):
    if any(each.type == "Established" and each.status == "True" for each in event["object"].status.conditions or []):
        break
widgets = finder.resources.get(api_version=f"{group}/v1", kind="Widget")
widget = {"apiVersion": f"{group}/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {}}
show("widget", widgets.create(body=widget, namespace=namespace).to_dict()["spec"])
widget["spec"] = {"size": 3}
show("applied widget", widgets.server_side_apply(body=widget, namespace=namespace, field_manager="python", force_conflicts=True).to_dict()["spec"])
refused("wrong widget", lambda: widgets.patch(body={"spec": {"size": 9}}, name="w", namespace=namespace, content_type="application/merge-patch+json"))
show("widgets", [item.metadata.name for item in widgets.get(namespace=namespace).items])
show("widget gone", widgets.delete(name="w", namespace=namespace).status)
crds.delete_custom_resource_definition(f"widgets.{group}")

# Reviews and tokens.
review = {"spec": {"resourceAttributes": {"verb": "create", "resource": "pods", "namespace": namespace}}}
show("allowed", client.AuthorizationV1Api(api).create_self_subject_access_review(review).status.allowed)
token = core.create_namespaced_service_account_token("default", namespace, {"spec": {"expirationSeconds": 600}}).status.token
show("user", client.AuthenticationV1Api(api).create_token_review({"spec": {"token": token}}).status.user.username)
show("version", client.VersionApi(api).get_code().git_version)
groups = client.ApisApi(api).get_api_versions().groups
show("groups", sorted(each.name for each in groups if not each.name.endswith(".example.com")))
core.delete_namespace(namespace)
