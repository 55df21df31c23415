import { createHash, X509Certificate } from 'node:crypto';
import { goTool, kubectlVersion } from '../harness/go-tools.ts';
import { run } from '../harness/run.ts';
import type { Machine } from './machine.ts';
import { kubeletConfig } from './real-node.ts';
import { temporaryFile } from './temporary-file.ts';

const RUNTIME = 'unix:///run/containerd/containerd.sock';

/** A control plane, and the machine that is to join it. */
export interface JoiningByKubeadm {
  readonly machine: Machine;
  /** Of the control plane, at the machine's outer address. */
  readonly port: number;
  readonly token: string;
}

/** Does what `kubeadm init` does for nodes that join, with kubeadm's own phases: configurations, token, cluster-info. */
export async function prepareForKubeadm(
  { machine, port, token }: JoiningByKubeadm,
  adminKubeconfig: string,
): Promise<void> {
  const { outer, pods, services } = machine.addresses;
  const api = 'kubeadm.k8s.io/v1beta4';
  const configuration = temporaryFile(
    'kubeadm.yaml',
    [
      {
        apiVersion: api,
        kind: 'InitConfiguration',
        bootstrapTokens: [{ token }],
        localAPIEndpoint: { advertiseAddress: outer, bindPort: port },
        nodeRegistration: { name: 'control-plane', criSocket: RUNTIME },
      },
      {
        apiVersion: api,
        kind: 'ClusterConfiguration',
        kubernetesVersion: `v${kubectlVersion}`,
        controlPlaneEndpoint: `${outer}:${port}`,
        networking: { dnsDomain: 'cluster.local', podSubnet: pods, serviceSubnet: services },
      },
      {
        ...kubeletConfig(machine),
        authentication: {
          anonymous: { enabled: false },
          webhook: { enabled: true },
          x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' },
        },
      },
    ]
      .map((document) => JSON.stringify(document))
      .join('\n---\n'),
  );
  const kubeconfig = temporaryFile('admin.conf', adminKubeconfig);
  try {
    const kubeadm = await goTool('kubeadm');
    const flags = ['--config', configuration.path, '--kubeconfig', kubeconfig.path];
    for (const phase of [
      ['upload-config', 'all'],
      ['bootstrap-token', '--skip-token-print'],
    ])
      await run(kubeadm, ['init', 'phase', ...phase, ...flags], { timeoutMs: 60_000 });
  } finally {
    configuration.remove();
    kubeconfig.remove();
  }
}

/** Lets a machine, whose containerd runs, begin to join. */
export async function joinByKubeadm({ machine, port, token }: JoiningByKubeadm, caCertificate: string): Promise<void> {
  const key = new X509Certificate(caCertificate).publicKey.export({ type: 'spki', format: 'der' });
  machine.install(await goTool('kubernetes-kubelet'));
  startKubeadmsKubelet(machine);
  machine.daemon(
    'kubeadm',
    machine.install(await goTool('kubeadm')),
    'join',
    `${machine.addresses.outer}:${port}`,
    '--token',
    token,
    '--discovery-token-ca-cert-hash',
    `sha256:${createHash('sha256').update(key).digest('hex')}`,
    '--node-name',
    machine.name,
    '--cri-socket',
    RUNTIME,
    // It looks for what a whole machine has: an init system, modules of the kernel.
    '--ignore-preflight-errors',
    'all',
  );
}

/** Whether kubeadm says that its machine has joined. */
export function hasJoined(machine: Machine): boolean {
  return machine.read('kubeadm.log').includes('This node has joined the cluster');
}

/** Starts kubelet as the unit of Kubernetes' packages does, which waits for what kubeadm writes. */
export function startKubeadmsKubelet(machine: Machine): void {
  const written = '/var/lib/kubelet/kubeadm-flags.env';
  machine.daemon(
    'kubelet',
    'sh',
    '-c',
    [
      `until [ -s ${written} ]; do sleep 0.2; done`,
      `. ${written}`,
      [
        'exec /machine/bin/kubernetes-kubelet -v 2',
        '--bootstrap-kubeconfig /etc/kubernetes/bootstrap-kubelet.conf',
        '--kubeconfig /etc/kubernetes/kubelet.conf',
        '--config /var/lib/kubelet/config.yaml',
        `--node-ip ${machine.addresses.inner} $KUBELET_KUBEADM_ARGS`,
      ].join(' '),
    ].join('\n'),
  );
}
