import { expect } from 'chai';
import { Cluster } from './cluster.ts';
import { SHELL_IMAGE } from './image.ts';
import { startKubeadmsKubelet } from './kubeadm.ts';

const limit = '--timeout=90s';
const CERTIFICATES = '/var/lib/kubelet/pki';

/** A node's whole life, in the words of kubeadm and kubectl. */
describe('a node that kubeadm has joined', () => {
  let cluster: Cluster;
  const ok = (line: string): Promise<string> => cluster.kubectl.ok(line);

  before(async function () {
    // Programs may have to be built.
    this.timeout(1_800_000);
    // Kubelet's certificates are due one to three minutes after they were signed, and outlive that for a minute.
    cluster = await Cluster.start('own', { join: 'kubeadm', controllerFlags: ['--cluster-signing-duration=4m'] });
  });
  after(() => cluster?.stop());

  /** What a certificate's link points to: another file for each. */
  const current = (name: string): Promise<string> =>
    cluster.machine.ok('readlink', `${CERTIFICATES}/kubelet-${name}-current.pem`);

  it('runs pods, and shows what they say', async () => {
    const deployment = ['create', 'deployment', 'web', `--image=${SHELL_IMAGE}`, '--replicas=2'];
    await cluster.kubectl.ok([...deployment, '--', 'sh', '-c', 'echo here; sleep 3600']);
    await ok(`rollout status deployment/web ${limit}`);
    expect(await ok('logs deployment/web')).to.include('here');
  });

  it('is drained, goes silent, is deleted, and comes back', async function () {
    this.timeout(300_000);
    await ok(`drain node-a --ignore-daemonsets --force ${limit}`);
    await cluster.eventually('pods that nobody takes', async () => {
      const phases = await ok('get pods -l app=web -o jsonpath={.items[*].status.phase}');
      return phases === 'Pending Pending';
    });
    await cluster.machine.kill('kubelet');
    await ok(`wait node/node-a --for=condition=Ready=Unknown ${limit}`);
    await ok(`delete node node-a ${limit}`);
    startKubeadmsKubelet(cluster.machine);
    await ok(`wait node/node-a --for=create ${limit}`);
    await ok(`wait node/node-a --for=condition=Ready ${limit}`);
    // It is another Node, which nobody has cordoned.
    await ok(`rollout status deployment/web ${limit}`);
  });

  it('renews both of its certificates before they end', async function () {
    this.timeout(480_000);
    const before = { client: await current('client'), server: await current('server') };
    await cluster.eventually(
      'other certificates',
      async () => {
        await cluster.approveServing();
        return (await current('client')) !== before.client && (await current('server')) !== before.server;
      },
      400,
    );
    await ok(`wait node/node-a --for=condition=Ready ${limit}`);
    expect(await ok('logs deployment/web')).to.include('here');
    // Its lease is renewed with the new one.
    const renewed = (): Promise<string> => ok('get lease node-a -n kube-node-lease -o jsonpath={.spec.renewTime}');
    const first = await renewed();
    await cluster.eventually('its lease', async () => (await renewed()) !== first);
  });
});
