"""What a chain is started with: runs that repeat themselves."""

import pytest
from kubernetes import client, config

from conftest import TOPOLOGIES, running

NAMESPACE = "default"


def seeded_run(seed, topology):
    """What the server chooses of three objects. Revisions also count what a running chain writes from time to time, such as leases."""
    with running("--topology", topology, "--seed", str(seed)) as control:
        core = client.CoreV1Api(config.new_client_from_config(control.kubeconfig))
        body = {"metadata": {"generateName": "boat-"}}
        made = [core.create_namespaced_config_map(NAMESPACE, body).metadata for _ in range(3)]
        return [(boat.name, boat.uid, boat.creation_timestamp) for boat in made]


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_seed_repeats_a_run(topology):
    assert seeded_run(7, topology) == seeded_run(7, topology)
