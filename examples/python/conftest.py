"""A kubechain for the tests, and its control API over HTTP."""

import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile

import pytest
from kubernetes import client, config

KUBECHAIN = os.environ.get("KUBECHAIN", "kubechain").split()
# A process for each server, and all of them in one. A project chooses; these tests show that both do the same.
TOPOLOGIES = ["chain", "all-in-one"]


class Control:
    """The control API (docs/control-api.md) on its unix socket."""

    def __init__(self, path, kubeconfig):
        self.path = path
        self.kubeconfig = kubeconfig

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("control")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(self.path)
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            response = connection.getresponse()
            answer = json.loads(response.read())
        finally:
            connection.close()
        assert response.status < 300, answer
        return answer


@contextlib.contextmanager
def running(*flags):
    """A chain with flags of its own: its control API, which knows the path of its kubeconfig."""
    folder = tempfile.mkdtemp(prefix="kubechain-")
    try:
        command = [*KUBECHAIN, "up", "--control", "--controllers", "none", "--detach", "--secure-port", "0"]
        command += ["--data-dir", folder, *flags]
        started = subprocess.run([*command, "--output", "json"], check=True, capture_output=True, text=True)
        yield Control(os.path.join(folder, "run", "control.sock"), json.loads(started.stdout)["kubeconfig"])
    finally:
        subprocess.run([*KUBECHAIN, "down", "--data-dir", folder], check=False)
        shutil.rmtree(folder)


@pytest.fixture(scope="session", params=TOPOLOGIES)
def chain(request):
    with running("--topology", request.param) as control:
        config.load_kube_config(control.kubeconfig)
        yield control


@pytest.fixture
def control(chain):
    """Each test begins with the state right after the start, the machine's time, and without faults."""
    chain.call("PUT", "/v1/snapshots/before")
    yield chain
    chain.call("DELETE", "/v1/faults")
    chain.call("POST", "/v1/clock", {"reset": True})
    chain.call("POST", "/v1/snapshots/before/restore")


@pytest.fixture
def core(control):
    return client.CoreV1Api()
