"""Powers that a chain is started with: runs that repeat themselves, and many servers in one."""

import pytest
from kubernetes import client, config
from kubernetes.client import ApiException

from conftest import TOPOLOGIES, running

NAMESPACE = "default"


def seeded_run(seed, topology):
    """What the server chooses of three objects. Revisions also count what a running chain writes from time to time, such as leases."""
    with running("--topology", topology, "--controllers", "none", "--seed", str(seed)) as (_, kubeconfig):
        core = client.CoreV1Api(config.new_client_from_config(kubeconfig))
        body = {"metadata": {"generateName": "boat-"}}
        made = [core.create_namespaced_config_map(NAMESPACE, body).metadata for _ in range(3)]
        return [(boat.name, boat.uid, boat.creation_timestamp) for boat in made]


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_seed_repeats_a_run(topology):
    assert seeded_run(7, topology) == seeded_run(7, topology)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_tenants(topology):
    with running("--topology", topology) as (control, kubeconfig):
        authority = config.new_client_from_config(kubeconfig).configuration.ssl_ca_cert

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
