import { expect } from 'chai';
import type { Cluster } from './cluster.ts';
import { startEtcdPod } from './etcd-pod.ts';
import { DISTROLESS_IMAGE, KUBECHAIN_IMAGE } from './kubechain-image.ts';

const namespace = 'images';
const READY_LIMIT_SECONDS = 120;
const MIB = 2 ** 20;
/** Of its processes' own memory at rest: as one process, and as five. */
const MEMORY_LIMITS = { one: 200 * MIB, several: 215 * MIB };
/** So long Docker waits before it kills. */
const END_LIMIT_MS = 10_000;
const COMMAND = 'packages/kubechain/bin/kubechain.js';
const UP = ['node', '--expose-gc', COMMAND, 'up', '--logs', '--data-dir', '/data'];

/** As much of kubelet's own statistics as is read here (k8s.io/kubelet/pkg/apis/stats/v1alpha1). */
interface Summary {
  readonly pods: readonly {
    readonly podRef: { readonly name: string; readonly namespace: string };
    readonly memory?: { readonly rssBytes?: number };
  }[];
}

/** What the image does by itself; the chart's tests have brought it. */
export function describeImage(host: () => Cluster): void {
  const ok = (...args: readonly string[]): Promise<string> => host().kubectl.ok(['--namespace', namespace, ...args]);

  before(async () => {
    await host().kubectl.ok(`create namespace ${namespace}`);
    await host().kubectl.ok(`label namespace ${namespace} pod-security.kubernetes.io/enforce=restricted`);
    await host().kubectl.ok(`wait serviceaccount/default -n ${namespace} --for=create --timeout=60s`);
  });

  /** Starts one, with a volume of the image's own and nothing else to write to but /tmp; resolves when it is ready. */
  async function start(name: string, image: string, args?: readonly string[]): Promise<void> {
    const container = {
      name: 'chain',
      image,
      ...(args === undefined ? {} : { command: args }),
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
    };
    await host().apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace },
      spec: {
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        volumes: [{ name: 'tmp', emptyDir: {} }],
        containers: [container],
      },
    });
    await says(name, /ready in \d+ ms/, READY_LIMIT_SECONDS);
  }
  const says = (name: string, what: RegExp, withinSeconds?: number): Promise<boolean> =>
    host().eventually(
      `${name} says ${what}`,
      async () => what.test((await host().kubectl.run(['--namespace', namespace, 'logs', name])).stdout),
      withinSeconds,
    );
  const healthy = (name: string): Promise<string> =>
    ok('exec', name, '--', 'node', COMMAND, 'status', '--data-dir', '/data');

  it('runs by itself in its volume, not as root, with a read-only root, and says what happens', async function () {
    this.timeout(240_000);
    await start('alone', KUBECHAIN_IMAGE);
    await says('alone', /^kube-apiserver +\S/m);
    await healthy('alone');
    expect(await ok('exec', 'alone', '--', 'sh', '-c', 'echo $(id -u) >/data/who; cat /data/who')).to.equal('1000\n');
    const elsewhere = ['exec', 'alone', '--', 'sh', '-c', 'echo >/kubechain/x'];
    const { stderr } = await host().kubectl.run(['--namespace', namespace, ...elsewhere]);
    expect(stderr).to.include('Read-only file system');
  });

  /** Waits until a pod's processes have no more memory of their own than that. */
  function atRest(name: string, limit: number): Promise<boolean> {
    return host().eventually(
      `${name}: at most ${limit / MIB} MiB`,
      async () => {
        const summary = JSON.parse(await ok('get', '--raw', '/api/v1/nodes/node-a/proxy/stats/summary')) as Summary;
        const pod = summary.pods.find(({ podRef }) => podRef.name === name && podRef.namespace === namespace);
        const bytes = pod?.memory?.rssBytes ?? Infinity;
        if (bytes > limit) throw new Error(`${bytes / MIB} MiB`);
        return true;
      },
      120,
    );
  }

  it('takes little memory at rest, as several processes and as one', async function () {
    this.timeout(480_000);
    await atRest('alone', MEMORY_LIMITS.several);
    await start('one', KUBECHAIN_IMAGE, [...UP, '--topology', 'all-in-one']);
    await atRest('one', MEMORY_LIMITS.one);
    await ok('delete', 'pod', 'one');
  });

  it('ends at once when it is told to', async function () {
    this.timeout(240_000);
    const { machine } = host();
    const [pid = ''] = (await machine.ok('pgrep', '-f', 'kubechain.js up --logs')).split('\n');
    const beganMs = performance.now();
    await machine.ok('sh', '-c', `kill -TERM ${pid}; while kill -0 ${pid} 2>/dev/null; do sleep 0.05; done`);
    expect(performance.now() - beganMs).to.be.below(END_LIMIT_MS);
    await ok('wait', 'pod/alone', '--for=jsonpath={.status.phase}=Succeeded', '--timeout=60s');
    await ok('delete', 'pod', 'alone');
  });

  it('keeps its objects in an etcd that is there', async function () {
    this.timeout(300_000);
    const store = await startEtcdPod(host(), namespace);
    await start('external', KUBECHAIN_IMAGE, [...UP, `--etcd-servers=http://${store.host}:${store.port}`]);
    await healthy('external');
    const stored = await ok('exec', 'external', '--', 'sh', '-c', 'echo /data/*');
    expect(stored).to.include('admin.kubeconfig').and.not.to.include('etcd.db');
    await ok('delete', 'pod', 'external');
  });

  it('runs over a base without a shell', async function () {
    this.timeout(240_000);
    await start('distroless', DISTROLESS_IMAGE);
    await healthy('distroless');
    const shell = await host().kubectl.run(['-n', namespace, 'exec', 'distroless', '--', 'sh', '-c', 'true']);
    expect(shell.stderr).to.match(/executable file not found/);
    await ok('delete', 'pod', 'distroless');
  });
}
