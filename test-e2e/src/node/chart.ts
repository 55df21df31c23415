import { expect } from 'chai';
import { freePort } from '@kubechain/shared-storage/testing';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { ChartRelease } from './chart-release.ts';
import { recorded } from './chart-recorder.ts';
import type { Cluster } from './cluster.ts';
import { startDNS } from './dns.ts';
import { GapPoller } from './gap-poller.ts';
import { SHELL_IMAGE } from './image.ts';
import { importKubechain } from './kubechain-image.ts';
import { startEtcdPod } from './etcd-pod.ts';
import { runKindScript } from './kind-script.ts';
import { printed } from './streams.ts';

const namespace = 'planes';
/** The claim of the store is for a volume that is made by hand. */
const noClass = 'store.embedded.persistence.storageClassName=';
const servers = ['aggregator', 'kube-apiserver', 'apiextensions'] as const;
const replicas = (aggregator: number, others: number): string =>
  `aggregator.replicas=${aggregator},kubeApiserver.replicas=${others},apiextensions.replicas=${others}`;

/** The whole life of the chart in a cluster that runs its pods, with the image that the Dockerfile describes. */
export function describeChart(host: () => Cluster): void {
  let plane: ChartRelease;

  before(async function () {
    this.timeout(1_800_000);
    await startDNS(host());
    await importKubechain(host().machine);
    mkdirSync(join(host().machine.dir, 'volume'));
    await host().apply(restrictedNamespace(namespace), localVolume('one'));
    plane = new ChartRelease(host(), 'plane', namespace);
  });
  after(() => plane?.close());

  it('is installed in a restricted namespace, and tests itself', async function () {
    this.timeout(420_000);
    const { inner } = host().machine.addresses;
    await plane.install(noClass, 'service.type=NodePort', `certificates.extraAddresses={${inner}}`);
    await plane.test();
    const kubectl = await plane.inside();
    await kubectl.ok('create configmap kept --from-literal=a=b');
    await kubectl.ok('create deployment web --image=none');
    kubectl.close();
  });

  it('has its Services by name', async () => {
    const lookup = ['nslookup', `${plane.fullName}.${namespace}.svc.cluster.local`];
    await host().kubectl.ok(['run', 'names', `--image=${SHELL_IMAGE}`, '--restart=Never', '--', ...lookup]);
    await host().kubectl.ok('wait pod/names --for=jsonpath={.status.phase}=Succeeded --timeout=60s');
    expect(await host().kubectl.ok('logs names')).to.include(await plane.serviceAddress());
  });

  it('is reached by its node port and by port-forward, under names of its certificate', async () => {
    const nodePort = await plane.ok('get', 'service', plane.fullName, '-o', 'jsonpath={.spec.ports[0].nodePort}');
    const outside = await plane.inside(`https://${host().machine.addresses.inner}:${nodePort}`);
    expect(await outside.ok('get configmap kept -o jsonpath={.data.a}')).to.equal('b');
    outside.close();
    const local = await freePort();
    const forward = host().kubectl.start([
      'port-forward',
      '--namespace',
      namespace,
      `service/${plane.fullName}`,
      `${local}:443`,
    ]);
    try {
      await printed(forward, /Forwarding from 127\.0\.0\.1/);
      const forwarded = await plane.inside(`https://127.0.0.1:${local}`);
      expect(await forwarded.ok('get configmap kept -o jsonpath={.data.a}')).to.equal('b');
      forwarded.close();
    } finally {
      forward.kill();
    }
  });

  it('is upgraded and rolled back without losing a write or an event', async function () {
    this.timeout(900_000);
    const changes = await recorded(plane, async (progress) => {
      await plane.upgrade('aggregator.replicas=2', 'verbosity=1');
      await progress(3);
      await plane.rollback(1);
    });
    expect(changes).to.be.greaterThan(10);
  });

  it('tells watches of every confirmed write while the store is killed twice in a minute', async function () {
    this.timeout(600_000);
    const store = `${plane.fullName}-etcd-0`;
    await recorded(plane, async (progress) => {
      for (let time = 0; time < 2; time++) {
        await plane.ok('delete', 'pod', store, '--grace-period=0', '--force');
        await plane.ok('wait', `pod/${store}`, '--for=create', '--timeout=60s');
        await plane.ok('wait', `pod/${store}`, '--for=condition=Ready', '--timeout=120s');
        await progress(3);
      }
    });
  });

  it('runs two and three of each, of which any may be killed', async function () {
    this.timeout(900_000);
    await plane.upgrade(replicas(3, 2));
    await recorded(plane, async (progress) => {
      for (const server of [...servers, 'etcd']) {
        const [victim = ''] = await plane.pods(server);
        await plane.ok('delete', 'pod', victim, '--grace-period=0', '--force');
        // A pod of the store has the name of the one before.
        if (server === 'etcd') await plane.ok('wait', `pod/${victim}`, '--for=create', '--timeout=60s');
        await plane.isRolledOut();
        await progress(3);
      }
    });
    for (const server of servers) expect(await plane.pods(server)).to.have.length(server === 'aggregator' ? 3 : 2);
    await plane.upgrade(replicas(1, 1));
  });

  it('goes over to other certificates without a gap', async function () {
    this.timeout(900_000);
    const ports = new Map([
      ['', 443],
      ['kube-apiserver', 7444],
      ['apiextensions', 7445],
      ['etcd', 2379],
    ]);
    const serving = async (): Promise<readonly string[]> =>
      Promise.all([...ports].map(async ([part, port]) => servedCertificate(await plane.serviceAddress(part), port)));
    const before = await serving();
    await recorded(plane, async (progress) => {
      const poller = new GapPoller(await plane.access());
      await plane.upgrade('certificates.rotation=second');
      await host().eventually(
        'other certificates',
        async () => (await serving()).every((certificate, index) => certificate !== before[index]),
        240,
      );
      await progress(3);
      await poller.stop();
      expect(poller.failures, `of ${poller.asked}`).to.deep.equal([]);
    });
  });

  it('changes its topology, there and back, without a gap', async function () {
    this.timeout(1_200_000);
    await recorded(plane, async (progress) => {
      const poller = new GapPoller(await plane.access());
      for (const [topology, former] of [
        ['containers', 'pods'],
        ['pods', 'containers'],
      ]) {
        await plane.upgrade(`topology=${topology}`, `formerTopology=${former}`);
        await plane.upgrade('formerTopology=');
        await progress(3);
      }
      await poller.stop();
      expect(poller.failures, `of ${poller.asked}`).to.deep.equal([]);
    });
    expect(await plane.pods('aggregator')).to.have.length(1);
  });

  it('comes back to a node that was drained, and has lost nothing', async function () {
    this.timeout(600_000);
    await recorded(plane, async (progress) => {
      const limits = ['--ignore-daemonsets', '--delete-emptydir-data', '--force', '--timeout=180s'];
      await host().kubectl.ok(['drain', 'node-a', ...limits]);
      const { stdout } = await plane.kubectl('get', 'pods', '-o', 'jsonpath={.items[*].spec.nodeName}');
      expect(stdout).to.equal('');
      await host().kubectl.ok('uncordon node-a');
      await host().kubectl.ok('rollout status deployment/coredns -n kube-system --timeout=120s');
      await plane.isRolledOut();
      await progress(3);
    });
  });

  it('comes back over the claim that an uninstallation left, in the other topology', async function () {
    this.timeout(600_000);
    await plane.uninstall();
    for (const part of [...servers, 'etcd'])
      await host().eventually(`no ${part}`, async () => (await plane.pods(part)).length === 0, 120);
    await plane.install(noClass, 'topology=containers');
    const kubectl = await plane.inside();
    expect(await kubectl.ok('get configmap kept -o jsonpath={.data.a}')).to.equal('b');
    expect(await kubectl.ok('get deployment web -o name')).to.equal('deployment.apps/web\n');
    kubectl.close();
    await plane.test();
    await plane.uninstall();
  });

  it('keeps its objects in an etcd that is there', async function () {
    this.timeout(600_000);
    const other = new ChartRelease(host(), 'other', namespace);
    try {
      const store = await startEtcdPod(host(), namespace);
      await other.install('store.kind=external', `store.external.endpoints={http://${store.host}:${store.port}}`);
      expect(await other.pods('etcd')).to.deep.equal([]);
      await other.test();
      const changes = await recorded(other, (progress) => progress(5), store);
      expect(changes).to.be.greaterThan(10);
      await other.uninstall();
    } finally {
      other.close();
    }
  });

  it('does what the script for kind asks of it, up to a request in the debugger', async function () {
    this.timeout(660_000);
    const { output, asked } = await runKindScript(host(), 'kind');
    expect(asked.map((line) => line.replace(/ --(?:kubeconfig|wait) \S+/g, ''))).to.deep.equal([
      'kind get clusters',
      'docker build -t kubechain:0.1.0 .',
      'kind create cluster --name kubechain-e2e',
      'kind load docker-image kubechain:0.1.0 --name kubechain-e2e',
      'kind delete cluster --name kubechain-e2e',
    ]);
    expect(output).to.include('== done');
    const installed = new ChartRelease(host(), 'plane', 'kind');
    try {
      await installed.uninstall();
    } finally {
      installed.close();
    }
  });
}

function restrictedNamespace(name: string): object {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** A volume on the node: nobody makes volumes for claims. */
function localVolume(name: string): object {
  const here = { key: 'kubernetes.io/hostname', operator: 'In', values: ['node-a'] };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      local: { path: '/machine/volume' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [here] }] } },
    },
  };
}

/** The fingerprint of what a server shows. */
function servedCertificate(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
