import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { startChain } from '../harness/chain.ts';
import { goTool } from '../harness/go-tools.ts';
import { Kubectl, type KubectlList } from '../kubectl/kubectl.ts';
import { startKubeApiserver, type ControlPlane } from './kube-apiserver.ts';
import { Machine } from './machine.ts';
import { hasJoined, joinByKubeadm, prepareForKubeadm } from './kubeadm.ts';
import { checkPrograms } from './programs.ts';
import { startNode, startProxy, startRuntime } from './real-node.ts';
import { startUpstreamControllers, type UpstreamControllers } from './upstream-controllers.ts';

/** Who runs the controllers and the scheduler. */
export type Rulers = 'own' | 'upstream';

const TOKEN_GROUP = 'system:bootstrappers:kubeadm:default-node-token';
const TOKEN = { id: 'abcdef', secret: '0123456789abcdef' };

export interface ClusterOptions {
  /** Who serves. Default `kubechain`; kube-apiserver has no controllers of its own. */
  readonly server?: 'kubechain' | 'kube-apiserver';
  /** A node that is silent for so long is not ready. Default 12: tests of lost nodes wait for it. */
  readonly graceSeconds?: number;
  /** Further settings of kubelet's configuration. */
  readonly kubelet?: Readonly<Record<string, unknown>>;
  /** Who makes the machine a node. Default `kubelet`: it asks for its certificate itself, with a bootstrap token. */
  readonly join?: 'kubelet' | 'kubeadm';
  /** Further flags of the server. */
  readonly serverFlags?: readonly string[];
  /** Further flags of the controllers. */
  readonly controllerFlags?: readonly string[];
}

/** A control plane, by default of kubechain's processes, on this machine, and a real node in namespaces of its own. */
export class Cluster {
  readonly chain: ControlPlane;
  readonly machine: Machine;
  readonly kubectl: Kubectl;
  readonly #rulers: UpstreamControllers | undefined;

  private constructor(parts: {
    readonly chain: ControlPlane;
    readonly machine: Machine;
    readonly kubectl: Kubectl;
    readonly rulers: UpstreamControllers | undefined;
  }) {
    this.chain = parts.chain;
    this.machine = parts.machine;
    this.kubectl = parts.kubectl;
    this.#rulers = parts.rulers;
  }

  /** Resolves when the node is Ready and a pod can be made. */
  static async start(rulers: Rulers, options: ClusterOptions = {}): Promise<Cluster> {
    checkPrograms();
    const { graceSeconds = 12, controllerFlags = [], serverFlags: furtherFlags = [], server = 'kubechain' } = options;
    if (server === 'kube-apiserver' && rulers === 'own')
      throw new TypeError('controllers of kubechain come with its servers');
    const flags = [`--node-monitor-grace-period=${graceSeconds}s`, ...controllerFlags];
    const machine = await Machine.start('node-a');
    let chain: ControlPlane | undefined;
    let upstream: UpstreamControllers | undefined;
    try {
      const { outer, services } = machine.addresses;
      const serverFlags = [
        '--bind-address=0.0.0.0',
        `--advertise-address=${outer}`,
        `--service-cluster-ip-range=${services}`,
        // Nodes' names are no host names here.
        '--kubelet-preferred-address-types=InternalIP',
        '--enable-bootstrap-token-auth',
        ...furtherFlags,
      ];
      const ownControllers = ['--controllers=*,bootstrap-signer-controller,token-cleaner-controller', ...flags];
      chain =
        server === 'kube-apiserver'
          ? await startKubeApiserver(serverFlags)
          : await startChain({ flags: [...serverFlags, ...(rulers === 'own' ? ownControllers : [])] });
      const kubectl = new Kubectl(await goTool('kubectl'), chain.kubeconfig);
      const cluster = new Cluster({ chain, machine, kubectl, rulers: undefined });
      if (rulers === 'upstream') upstream = await startUpstreamControllers(chain, flags);
      await cluster.#join(options);
      await cluster.#becomesReady();
      return new Cluster({ chain, machine, kubectl, rulers: upstream });
    } catch (error) {
      const logs = ['containerd', 'kubelet'].map((name) => tail(machine, name)).join('\n');
      await upstream?.stop();
      await chain?.stop();
      await machine.stop();
      throw new Error(`the cluster did not start\n${logs}`, { cause: error });
    }
  }

  async stop(): Promise<void> {
    this.kubectl.close();
    await this.machine.stop();
    await this.#rulers?.stop();
    await this.chain.stop();
  }

  /** The administrator's kubeconfig, perhaps as somebody else, by the address that nodes use. */
  kubeconfigOf(user: string | undefined): string {
    const config = parse(readFileSync(this.chain.kubeconfig, 'utf8')) as {
      clusters: { cluster: { server: string } }[];
      users: { user: Record<string, unknown> }[];
    };
    for (const { cluster } of config.clusters)
      cluster.server = `https://${this.machine.addresses.outer}:${this.chain.port}`;
    if (user !== undefined) for (const entry of config.users) entry.user['as'] = user;
    return JSON.stringify(config);
  }

  apply(...items: readonly object[]): Promise<string> {
    return this.kubectl.ok(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  }

  /** Asks again until it holds; a minute is a limit for what hangs. */
  async eventually<T>(what: string, check: () => Promise<T | undefined | false>, withinSeconds = 60): Promise<T> {
    const endsMs = performance.now() + withinSeconds * 1000;
    for (let last: unknown; ; await delay(200)) {
      try {
        const found = await check();
        if (found !== undefined && found !== false) return found;
      } catch (error) {
        last = error;
      }
      if (performance.now() > endsMs) throw new Error(`not within ${withinSeconds} s: ${what}`, { cause: last });
    }
  }

  /** Approves what kubelets ask of the signer for servers, which nobody approves by itself. */
  async approveServing(): Promise<number> {
    const { items } = await this.kubectl.json<KubectlList>('get certificatesigningrequests');
    const waiting = items.filter(
      ({ spec, status }) =>
        spec['signerName'] === 'kubernetes.io/kubelet-serving' && status?.['conditions'] === undefined,
    );
    for (const { metadata } of waiting) await this.kubectl.ok(['certificate', 'approve', metadata.name]);
    return waiting.length;
  }

  async #join({ join: by = 'kubelet', kubelet = {} }: ClusterOptions): Promise<void> {
    const { chain, machine } = this;
    const token = `${TOKEN.id}.${TOKEN.secret}`;
    const caCertificate = readFileSync(join(chain.dataDir, 'pki/ca.crt'), 'utf8');
    const proxyKubeconfig = this.kubeconfigOf('system:kube-proxy');
    if (by === 'kubeadm') {
      const joining = { machine, port: chain.port, token };
      await prepareForKubeadm(joining, this.kubeconfigOf(undefined));
      await startRuntime(machine);
      await joinByKubeadm(joining, caCertificate);
      await this.eventually('kubeadm join', () => Promise.resolve(hasJoined(machine)), 180);
      await startProxy(machine, proxyKubeconfig);
      return;
    }
    await this.#letNodesIn();
    const server = `https://${machine.addresses.outer}:${chain.port}`;
    await startNode(machine, { server, caCertificate, token, proxyKubeconfig, settings: kubelet });
  }

  /** What kubeadm init makes for nodes that join. */
  async #letNodesIn(): Promise<void> {
    const role = (name: string, granted: string): object => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: granted },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: TOKEN_GROUP }],
    });
    await this.apply(
      {
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'bootstrap.kubernetes.io/token',
        metadata: { name: `bootstrap-token-${TOKEN.id}`, namespace: 'kube-system' },
        stringData: {
          'token-id': TOKEN.id,
          'token-secret': TOKEN.secret,
          'usage-bootstrap-authentication': 'true',
          'usage-bootstrap-signing': 'true',
          'auth-extra-groups': TOKEN_GROUP,
        },
      },
      role('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper'),
      role('kubeadm:node-autoapprove-bootstrap', 'system:certificates.k8s.io:certificatesigningrequests:nodeclient'),
    );
  }

  async #becomesReady(): Promise<void> {
    await this.eventually('kubelet asks for a serving certificate', async () => (await this.approveServing()) > 0);
    await this.kubectl.ok('wait node/node-a --for=condition=Ready --timeout=60s');
    await this.kubectl.ok('wait serviceaccount/default --for=create --timeout=60s');
  }
}

/** The last lines of a log, for who must find out why something did not start. */
function tail(machine: Machine, name: string): string {
  try {
    return `${name}:\n${machine.read(`${name}.log`).split('\n').slice(-15).join('\n')}`;
  } catch {
    return `${name}: not started`;
  }
}
