import { setTimeout as delay } from 'node:timers/promises';
import { goTool } from '../harness/go-tools.ts';
import { importImage, pauseImage, PAUSE_IMAGE, shellImage } from './image.ts';
import type { Machine } from './machine.ts';

/** How a node finds its control plane, and is let in. */
export interface Joining {
  /** Of the control plane, as nodes reach it. */
  readonly server: string;
  /** PEM: who signed the server's certificate, and clients'. */
  readonly caCertificate: string;
  /** A bootstrap token, with which kubelet asks for its certificate. */
  readonly token: string;
  /** Of somebody who may do what kube-proxy does. */
  readonly proxyKubeconfig: string;
  /** Further settings of kubelet's configuration. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Brings containerd, kubelet and kube-proxy up on a machine; kubelet goes on by itself to make its Node. */
export async function startNode(machine: Machine, joining: Joining): Promise<void> {
  machine.install(await goTool('kubernetes-kubelet'));
  await startRuntime(machine);
  machine.write('etc/ca.crt', joining.caCertificate);
  machine.write('etc/bootstrap.kubeconfig', bootstrapKubeconfig(joining));
  machine.write('etc/kubelet.yaml', JSON.stringify({ ...kubeletConfig(machine), ...joining.settings }));
  startKubelet(machine);
  await startProxy(machine, joining.proxyKubeconfig);
}

/** Brings containerd up with the images that every test needs; makes what kubelet asks to be there. */
export async function startRuntime(machine: Machine): Promise<void> {
  machine.write('etc/containerd.toml', containerdConfig());
  machine.write('etc/cni/10-bridge.conflist', cniConfig(machine.addresses.pods));
  machine.write('etc/manifests/.keep', '');
  machine.daemon('containerd', 'containerd', '--config', '/machine/etc/containerd.toml');
  await answers(machine, 'ctr', 'version');
  await importImage(machine, pauseImage);
  await importImage(machine, shellImage);
}

/** Brings kube-proxy up. */
export async function startProxy(machine: Machine, kubeconfig: string): Promise<void> {
  machine.write('etc/proxy.kubeconfig', kubeconfig);
  machine.write('etc/proxy.yaml', JSON.stringify(proxyConfig(machine)));
  machine.daemon(
    'kube-proxy',
    machine.install(await goTool('kube-proxy')),
    '--config',
    '/machine/etc/proxy.yaml',
    '--hostname-override',
    machine.name,
  );
}

/** Starts kubelet, at first or after it was killed. */
export function startKubelet(machine: Machine): void {
  machine.daemon(
    'kubelet',
    '/machine/bin/kubernetes-kubelet',
    '--config',
    '/machine/etc/kubelet.yaml',
    '--bootstrap-kubeconfig',
    '/machine/etc/bootstrap.kubeconfig',
    '--kubeconfig',
    '/var/lib/kubelet/kubeconfig',
    '--cert-dir',
    '/var/lib/kubelet/pki',
    '--node-ip',
    machine.addresses.inner,
    '-v',
    '2',
  );
}

async function answers(machine: Machine, ...command: readonly string[]): Promise<void> {
  for (let tries = 0; (await machine.execute(...command)).code !== 0; tries++) {
    if (tries === 100) throw new Error(`no answer to ${command.join(' ')}: ${machine.read('containerd.log')}`);
    await delay(100);
  }
}

function containerdConfig(): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return [
    'version = 2',
    `[${cri}]`,
    // Lowering it takes a capability that containers and small virtual machines do not have.
    '  restrict_oom_score_adj = true',
    `  sandbox_image = "${PAUSE_IMAGE}"`,
    `  [${cri}.containerd.runtimes.runc]`,
    '    runtime_type = "io.containerd.runc.v2"',
    `  [${cri}.cni]`,
    '    bin_dir = "/usr/lib/cni"',
    '    conf_dir = "/machine/etc/cni"',
    '',
  ].join('\n');
}

function cniConfig(subnet: string): string {
  return JSON.stringify({
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: 'pods0',
        isDefaultGateway: true,
        ipMasq: true,
        hairpinMode: true,
        ipam: { type: 'host-local', ranges: [[{ subnet }]] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  });
}

/** The configuration of a node's kubelet, for tests that do not like to wait. */
export function kubeletConfig({ addresses, cgroup }: Machine): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    failCgroupV1: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${cgroup}`,
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: '/machine/etc/ca.crt' },
    },
    authorization: { mode: 'Webhook' },
    clusterDNS: [addresses.dns],
    clusterDomain: 'cluster.local',
    rotateCertificates: true,
    serverTLSBootstrap: true,
    failSwapOn: false,
    imageGCHighThresholdPercent: 100,
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    staticPodPath: '/machine/etc/manifests',
    // What changes in ConfigMaps, Secrets and static pods is seen soon.
    syncFrequency: '2s',
    fileCheckFrequency: '2s',
    nodeStatusUpdateFrequency: '2s',
    nodeStatusReportFrequency: '10s',
    nodeLeaseDurationSeconds: 8,
  };
}

function proxyConfig({ addresses }: Machine): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: '/machine/etc/proxy.kubeconfig' },
    mode: 'iptables',
    clusterCIDR: addresses.pods,
    iptables: { minSyncPeriod: '100ms' },
    // Limits of the kernel are those of the machine around it.
    conntrack: { maxPerCore: 0, tcpCloseWaitTimeout: '0s', tcpEstablishedTimeout: '0s' },
  };
}

function bootstrapKubeconfig({ server, token }: Joining): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster: { server, 'certificate-authority': '/machine/etc/ca.crt' } }],
    users: [{ name: 'bootstrap', user: { token } }],
    contexts: [{ name: 'bootstrap', context: { cluster: 'cluster', user: 'bootstrap' } }],
    'current-context': 'bootstrap',
  });
}
