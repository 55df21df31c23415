"""Drives the chain with the official Python client: CRUD, patches, server-side apply, watch, custom objects.

Usage: client.py KUBECONFIG. Prints one line per step; exits 1 at the first that fails.
"""
import sys
import threading
import time

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException

NAMESPACE = "python-client"


def main(kubeconfig: str) -> None:
    config.load_kube_config(kubeconfig)
    core = client.CoreV1Api()
    core.create_namespace({"metadata": {"name": NAMESPACE}})
    for name, step in [("crud", crud), ("errors", errors), ("server-side apply", apply), ("watch", watched), ("dynamic client", dynamically), ("custom objects", custom)]:
        started = time.monotonic()
        step(core)
        print(f"ok   {name} ({(time.monotonic() - started) * 1000:.0f} ms)")


def crud(core: client.CoreV1Api) -> None:
    core.create_namespaced_config_map(NAMESPACE, {"metadata": {"name": "a", "labels": {"x": "y"}}, "data": {"k": "v"}})
    core.patch_namespaced_config_map("a", NAMESPACE, {"data": {"p": "q"}})
    got = core.read_namespaced_config_map("a", NAMESPACE)
    assert got.data == {"k": "v", "p": "q"}, got.data
    got.data["k"] = "w"
    core.replace_namespaced_config_map("a", NAMESPACE, got)
    assert [m.metadata.name for m in core.list_namespaced_config_map(NAMESPACE, label_selector="x=y").items] == ["a"]
    core.delete_namespaced_config_map("a", NAMESPACE)
    assert core.list_namespaced_config_map(NAMESPACE, label_selector="x=y").items == []


def errors(core: client.CoreV1Api) -> None:
    for status, call in [
        (404, lambda: core.read_namespaced_config_map("none", NAMESPACE)),
        (422, lambda: core.create_namespaced_config_map(NAMESPACE, {"metadata": {"name": "Not Valid"}})),
        (409, lambda: core.create_namespace({"metadata": {"name": NAMESPACE}})),
    ]:
        try:
            call()
        except ApiException as error:
            assert error.status == status, error
        else:
            raise AssertionError(f"no {status}")


def apply(_core: client.CoreV1Api) -> None:
    dyn = dynamic.DynamicClient(client.ApiClient())
    deployments = dyn.resources.get(api_version="apps/v1", kind="Deployment")
    labels = {"app": "web"}
    body = {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
        "spec": {"replicas": 2, "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "nginx"}]}}},
    }
    first = deployments.server_side_apply(body=body, name="web", namespace=NAMESPACE, field_manager="python")
    again = deployments.server_side_apply(body=body, name="web", namespace=NAMESPACE, field_manager="python")
    assert first.metadata.resourceVersion == again.metadata.resourceVersion
    assert again.spec.replicas == 2


def watched(core: client.CoreV1Api) -> None:
    seen = []
    ready = threading.Event()

    def follow() -> None:
        for event in watch.Watch().stream(core.list_namespaced_secret, NAMESPACE, timeout_seconds=20):
            seen.append((event["type"], event["object"].metadata.name))
            ready.set()
            if len(seen) == 61:
                return

    core.create_namespaced_secret(NAMESPACE, {"metadata": {"name": "first"}, "stringData": {"a": "b"}})
    thread = threading.Thread(target=follow)
    thread.start()
    assert ready.wait(10)
    expected = [("ADDED", "first")]
    for i in range(20):
        name = f"s-{i}"
        core.create_namespaced_secret(NAMESPACE, {"metadata": {"name": name}})
        core.patch_namespaced_secret(name, NAMESPACE, {"stringData": {"n": "1"}})
        core.delete_namespaced_secret(name, NAMESPACE)
        expected += [("ADDED", name), ("MODIFIED", name), ("DELETED", name)]
    thread.join(20)
    assert seen == expected, seen


def dynamically(core: client.CoreV1Api) -> None:
    dyn = dynamic.DynamicClient(client.ApiClient())
    maps = dyn.resources.get(api_version="v1", kind="ConfigMap")
    made = maps.create(body={"metadata": {"name": "d", "labels": {"dynamic": "true"}}, "data": {"a": "b"}}, namespace=NAMESPACE)
    maps.patch(body={"data": {"a": "c"}}, name="d", namespace=NAMESPACE, content_type="application/merge-patch+json")
    assert maps.get(name="d", namespace=NAMESPACE).data.a == "c"
    threading.Timer(0.5, lambda: core.delete_namespaced_config_map("d", NAMESPACE)).start()
    # Resumes after the creation: the patch and the deletion.
    events = []
    for event in maps.watch(namespace=NAMESPACE, resource_version=made.metadata.resourceVersion, label_selector="dynamic=true", timeout=20):
        events.append((event["type"], event["object"].metadata.name))
        if event["type"] == "DELETED":
            break
    assert events == [("MODIFIED", "d"), ("DELETED", "d")], events
    assert {"deployments", "statefulsets", "daemonsets"} <= {resource.name for resource in dyn.resources.search(group="apps")}


def custom(_core: client.CoreV1Api) -> None:
    api = client.ApiextensionsV1Api()
    api.create_custom_resource_definition({
        "metadata": {"name": "pythons.py.example.com"},
        "spec": {"group": "py.example.com", "scope": "Namespaced", "names": {"plural": "pythons", "kind": "Python"},
                 "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                     "type": "object", "properties": {"spec": {"type": "object", "properties": {"length": {"type": "integer"}}}}}}}]},
    })
    objects = client.CustomObjectsApi()
    made = objects.create_namespaced_custom_object("py.example.com", "v1", NAMESPACE, "pythons", {
        "apiVersion": "py.example.com/v1", "kind": "Python", "metadata": {"name": "monty"}, "spec": {"length": 7, "unknown": 1}})
    assert made["spec"] == {"length": 7}, made
    listed = objects.list_cluster_custom_object("py.example.com", "v1", "pythons")
    assert [item["metadata"]["name"] for item in listed["items"]] == ["monty"]
    api.delete_custom_resource_definition("pythons.py.example.com")


if __name__ == "__main__":
    main(sys.argv[1])
