import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { goTool } from '../harness/go-tools.ts';
import { execute } from '../harness/run.ts';
import { Kubectl } from '../kubectl/kubectl.ts';
import { Cluster } from './cluster.ts';
import { startDNS } from './dns.ts';
import { SHELL_IMAGE } from './image.ts';
import { importKubechain } from './kubechain-image.ts';
import { Writer } from './writer.ts';

const chart = join(import.meta.dirname, '../../../helm/kubechain');
const namespace = 'planes';
const plane = 'plane-kubechain';
/** Of the release's pods without that of `helm test`, which stays. */
const ofServers = 'app.kubernetes.io/instance=plane,app.kubernetes.io/component!=test';

/** The chart in a cluster that runs its pods, with the image that the Dockerfile describes. */
describe('the chart on a real node', () => {
  let cluster: Cluster;
  let helm: string;
  let folder: string;

  before(async function () {
    // Programs may have to be built.
    this.timeout(1_800_000);
    folder = mkdtempSync(join(tmpdir(), 'kubechain-chart-'));
    helm = await goTool('helm3');
    cluster = await Cluster.start('own');
    await startDNS(cluster);
    await importKubechain(cluster.machine, 'docker.io/library/kubechain:0.1.0');
    mkdirSync(join(cluster.machine.dir, 'volume'));
    await cluster.apply(
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
      },
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'one' },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          local: { path: '/machine/volume' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-a'] }] },
              ],
            },
          },
        },
      },
    );
  });
  after(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  async function run(...args: readonly string[]): Promise<string> {
    const flags = ['--namespace', namespace, '--kubeconfig', cluster.chain.kubeconfig];
    const { code, stdout, stderr } = await execute(helm, [...args, ...flags], {
      env: { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder },
    });
    if (code !== 0) {
      const state = await cluster.kubectl.run(['get', 'pods,events', '-n', namespace, '-o', 'wide']);
      throw new Error(`helm ${args.join(' ')}\n${stdout}${stderr}${state.stdout}`);
    }
    return stdout;
  }
  const waiting = ['--wait', '--timeout', '4m'];

  /** A kubectl of the control plane inside, by the Service's address, which its certificate does not name. */
  async function inside(): Promise<Kubectl> {
    const secret = await cluster.kubectl.json(`get secret ${plane}-admin -n ${namespace}`);
    const config = parse(Buffer.from(secret.data?.['kubeconfig-local'] ?? '', 'base64').toString()) as {
      clusters: { cluster: Record<string, unknown> }[];
    };
    const ip = await cluster.kubectl.ok(`get service ${plane} -n ${namespace} -o jsonpath={.spec.clusterIP}`);
    for (const entry of config.clusters)
      Object.assign(entry.cluster, { server: `https://${ip}:443`, 'tls-server-name': 'localhost' });
    const file = join(folder, 'plane.kubeconfig');
    writeFileSync(file, JSON.stringify(config));
    return new Kubectl(await goTool('kubectl'), file);
  }

  it('is installed, and tests itself', async function () {
    this.timeout(300_000);
    await run('install', 'plane', chart, ...waiting, '--set', 'store.embedded.persistence.storageClassName=');
    expect(await run('test', 'plane')).to.include('Phase:          Succeeded');
    const kubectl = await inside();
    await kubectl.ok('create configmap kept --from-literal=a=b');
    await kubectl.ok('create deployment web --image=none');
    kubectl.close();
  });

  it('has its Services by name', async () => {
    const lookup = ['nslookup', `${plane}.${namespace}.svc.cluster.local`];
    await cluster.kubectl.ok(['run', 'names', `--image=${SHELL_IMAGE}`, '--restart=Never', '--', ...lookup]);
    await cluster.kubectl.ok('wait pod/names --for=jsonpath={.status.phase}=Succeeded --timeout=60s');
    const ip = await cluster.kubectl.ok(`get service ${plane} -n ${namespace} -o jsonpath={.spec.clusterIP}`);
    expect(await cluster.kubectl.ok('logs names')).to.include(ip);
  });

  it('is upgraded and rolled back without losing what it has confirmed', async function () {
    this.timeout(600_000);
    const kubectl = await inside();
    const writer = new Writer(kubectl, 'upgraded');
    await run(
      'upgrade',
      'plane',
      chart,
      '--reuse-values',
      ...waiting,
      '--set',
      'aggregator.replicas=2',
      '--set',
      'verbosity=1',
    );
    await run('rollback', 'plane', '1', ...waiting);
    const written = await writer.stop();
    const there = new Set((await kubectl.ok('get configmaps -o name')).split('\n'));
    expect(written.filter((name) => !there.has(name))).to.deep.equal([]);
    expect(written.length).to.be.greaterThan(10);
    kubectl.close();
  });

  it('tells a watch of every confirmed write while the store is killed twice in a minute', async function () {
    this.timeout(600_000);
    const kubectl = await inside();
    const watch = await kubectl.watching(['get', 'configmaps', '--watch-only', '-o', 'name']);
    const seen = (): Set<string> => new Set(watch.stdout().split('\n'));
    const writer = new Writer(kubectl, 'killed');
    for (let time = 0; time < 2; time++) {
      const before = writer.confirmed.length;
      await cluster.eventually('writes', () => Promise.resolve(writer.confirmed.length > before + 5));
      await cluster.kubectl.ok(['delete', 'pod', `${plane}-etcd-0`, '-n', namespace, '--grace-period=0', '--force']);
      await cluster.kubectl.ok(`wait pod/${plane}-etcd-0 -n ${namespace} --for=create --timeout=60s`);
      await cluster.kubectl.ok(`wait pod/${plane}-etcd-0 -n ${namespace} --for=condition=Ready --timeout=120s`);
      const restarted = writer.confirmed.length;
      // A watch whose connection was not missed stood still for a minute.
      const next = await cluster.eventually('a write after it', () => Promise.resolve(writer.confirmed[restarted]), 30);
      await cluster.eventually('its event', () => Promise.resolve(seen().has(next)), 30);
    }
    const written = await writer.stop();
    await cluster.eventually('all events', () => Promise.resolve(written.every((name) => seen().has(name))));
    const there = new Set((await kubectl.ok('get configmaps -o name')).split('\n'));
    expect(written.filter((name) => !there.has(name))).to.deep.equal([]);
    watch.stop();
    kubectl.close();
  });

  it('comes back over the claim that an uninstallation left', async function () {
    this.timeout(600_000);
    await run('uninstall', 'plane', '--wait');
    await cluster.kubectl.ok(`wait pod -n ${namespace} -l ${ofServers} --for=delete --timeout=120s`);
    await run(
      'install',
      'plane',
      chart,
      ...waiting,
      '--set',
      'topology=containers',
      '--set',
      'store.embedded.persistence.storageClassName=',
    );
    const kubectl = await inside();
    expect(await kubectl.ok('get configmap kept -o jsonpath={.data.a}')).to.equal('b');
    expect(await kubectl.ok('get deployment web -o name')).to.equal('deployment.apps/web\n');
    kubectl.close();
    expect(await run('test', 'plane')).to.include('Phase:          Succeeded');
    await run('uninstall', 'plane', '--wait');
  });
});
