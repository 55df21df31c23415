import pytest
from kubernetes import client, config
from kubernetes.client import ApiException

NAMESPACE = "default"


def config_map(name, **data):
    return {"metadata": {"name": name}, "data": data}


def test_snapshots(control, core):
    core.create_namespaced_config_map(NAMESPACE, config_map("boat", sails="up"))
    control.call("PUT", "/v1/snapshots/fleet")
    core.delete_namespaced_config_map("boat", NAMESPACE)
    control.call("POST", "/v1/snapshots/fleet/restore")
    assert core.read_namespaced_config_map("boat", NAMESPACE).data == {"sails": "up"}


def test_the_state_of_another_test_is_gone(core):
    with pytest.raises(ApiException) as refused:
        core.read_namespaced_config_map("boat", NAMESPACE)
    assert refused.value.status == 404


def test_faults(control, core):
    rule = {
        "match": {"verbs": ["create"], "resources": ["configmaps"]},
        "effect": {"kind": "status", "code": 429, "retryAfterSeconds": 3},
        "count": 1,
    }
    control.call("POST", "/v1/faults", rule)
    with pytest.raises(ApiException) as refused:
        core.create_namespaced_config_map(NAMESPACE, config_map("boat"))
    assert refused.value.status == 429
    assert refused.value.headers["Retry-After"] == "3"
    core.create_namespaced_config_map(NAMESPACE, config_map("boat"))


def test_clock(control, core):
    control.call("POST", "/v1/clock", {"set": "2040-01-01T00:00:00Z"})
    control.call("POST", "/v1/clock", {"freeze": True})
    first = core.create_namespaced_config_map(NAMESPACE, config_map("first"))
    control.call("POST", "/v1/clock", {"advance": "24h"})
    second = core.create_namespaced_config_map(NAMESPACE, config_map("second"))
    assert first.metadata.creation_timestamp.isoformat() == "2040-01-01T00:00:00+00:00"
    assert second.metadata.creation_timestamp.isoformat() == "2040-01-02T00:00:00+00:00"


def test_journal(control, core):
    mark = control.call("GET", "/v1/journal")["mark"]
    core.create_namespaced_config_map(NAMESPACE, config_map("boat"))
    # A request is told of when its answer has ended; this waits for that.
    told = control.call("GET", f"/v1/journal?since={mark}&verb=create&user=kubernetes-admin&wait=5000")
    assert [(entry["resource"], entry["code"]) for entry in told["entries"]] == [("configmaps", 201)]


def test_tenants(control):
    authority = config.new_client_from_config(control.kubeconfig).configuration.ssl_ca_cert

    def core_of(name):
        tenant = control.call("POST", "/v1/tenants", {"name": name})
        settings = client.Configuration(host=tenant["url"])
        settings.ssl_ca_cert = authority
        settings.api_key = {"authorization": "Bearer " + tenant["token"]}
        return client.CoreV1Api(client.ApiClient(settings))

    one, other = core_of("one"), core_of("other")
    one.create_namespaced_config_map(NAMESPACE, {"metadata": {"name": "mine"}})
    with pytest.raises(ApiException) as refused:
        other.read_namespaced_config_map("mine", NAMESPACE)
    assert refused.value.status == 404
