import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

const modules = join(import.meta.dirname, '../..');

/**
 * Where a program comes from: a package that `go build` makes it of, and the module (below test-e2e) whose go.mod pins
 * it.
 */
interface Source {
  readonly module: string;
  readonly package: string;
  /** CI does without it. */
  readonly byHand?: true;
  /** It is the package's tests. */
  readonly tests?: true;
}

const clients = 'clients/go';
const kubernetes = 'clients/kubernetes';
const sources = {
  /**
   * etcd 3.6: distributions carry older ones, which cannot be trusted with progress requests. A module of its own: its
   * requirements are not the clients'.
   */
  etcd: { module: 'etcd', package: '.' },
  kubectl: { module: clients, package: './kubectl' },
  helm3: { module: clients, package: 'helm.sh/helm/v3/cmd/helm' },
  helm4: { module: clients, package: 'helm.sh/helm/v4/cmd/helm' },
  clients: { module: clients, package: '.' },
  operator: { module: clients, package: './operator' },
  informers: { module: clients, package: './informers' },
  kubelet: { module: clients, package: './kubelet' },
  certificates: { module: 'clients/certificates', package: '.' },
  /** What texts mean to Kubernetes' own parsers. */
  parsers: { module: clients, package: './parsers' },
  kubebuilder: { module: 'clients/kubebuilder', package: 'sigs.k8s.io/kubebuilder/v4' },
  'controller-gen': { module: 'clients/kubebuilder', package: 'sigs.k8s.io/controller-tools/cmd/controller-gen' },
  // What may rule a real node.
  'kube-controller-manager': {
    module: kubernetes,
    package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    byHand: true,
  },
  'kube-scheduler': { module: kubernetes, package: 'k8s.io/kubernetes/cmd/kube-scheduler', byHand: true },
  // What a chain is compared with on a real node.
  'kube-apiserver': { module: kubernetes, package: 'k8s.io/kubernetes/cmd/kube-apiserver', byHand: true },
  'kubectl-convert': { module: kubernetes, package: 'k8s.io/kubernetes/cmd/kubectl-convert', byHand: true },
  kubeadm: { module: kubernetes, package: 'k8s.io/kubernetes/cmd/kubeadm', byHand: true },
  // Kubernetes' conformance tests, and what runs in their containers.
  'e2e.test': { module: kubernetes, package: 'k8s.io/kubernetes/test/e2e', byHand: true, tests: true },
  agnhost: { module: kubernetes, package: 'k8s.io/kubernetes/test/images/agnhost', byHand: true },
  nonewprivs: { module: kubernetes, package: 'k8s.io/kubernetes/test/images/nonewprivs', byHand: true },
  // Clusters of containers, and the files of their nodes.
  kind: { module: 'clients/kind', package: 'sigs.k8s.io/kind', byHand: true },
  coredns: { module: 'clients/coredns', package: '.', byHand: true },
  // Drivers of devices and storage that Kubernetes' own tests have, and what stands beside them.
  'dra-driver': { module: kubernetes, package: 'k8s.io/kubernetes/test/e2e/dra/test-driver', byHand: true },
  'csi-driver': { module: kubernetes, package: './csi-driver', byHand: true },
  'csi-provisioner': { module: 'clients/csi', package: '.', byHand: true },
  'csi-attacher': {
    module: 'clients/csi',
    package: 'github.com/kubernetes-csi/external-attacher/v4/cmd/csi-attacher',
    byHand: true,
  },
  'sample-apiserver': { module: 'clients/sample-apiserver', package: 'k8s.io/sample-apiserver' },
  // What a real node runs. They take longest, so that what waits for others does not wait for them.
  'kubernetes-kubelet': { module: kubernetes, package: 'k8s.io/kubernetes/cmd/kubelet' },
  'kube-proxy': { module: kubernetes, package: 'k8s.io/kubernetes/cmd/kube-proxy' },
} as const satisfies Readonly<Record<string, Source>>;

export type GoTool = keyof typeof sources;

export const goTools = Object.keys(sources) as readonly GoTool[];

/** Those that CI builds. */
export const ciTools: readonly GoTool[] = goTools.filter((name) => !('byHand' in sources[name]));

/** Release whose packages go.mod pins; programs of Kubernetes are told when they are linked. */
export const kubectlVersion = '1.36.2';

const versionOfKubernetes = `-X k8s.io/component-base/version.gitVersion=v${kubectlVersion}`;

let ownFolder: string | undefined;
const built = new Map<GoTool, Promise<string>>();

/**
 * Resolves to the path of a Go program, built when first asked for: into the folder that KUBECHAIN_GO_TOOLS names,
 * where it stays and is found again, or into one that goes when this process ends. A cold build takes minutes.
 */
export function goTool(name: GoTool): Promise<string> {
  let path = built.get(name);
  if (path === undefined) built.set(name, (path = build(name)));
  return path;
}

async function build(name: GoTool): Promise<string> {
  const path = join(folder(), name);
  if (existsSync(path)) return path;
  const source: Source = sources[name];
  // Another process may build the same: what is there is always whole.
  const unfinished = `${path}.${process.pid}`;
  // Without debugging information: half the size and linking time.
  await run(
    'go',
    [
      ...(source.tests === true ? ['test', '-c', '-vet=off'] : ['build']),
      '-ldflags',
      `-s -w ${name === 'kubectl' || source.module === kubernetes ? versionOfKubernetes : ''}`,
      '-o',
      unfinished,
      source.package,
    ],
    { cwd: join(modules, source.module) },
  );
  renameSync(unfinished, path);
  return path;
}

/** Resolves to the folder with the sources of a module that another one (below test-e2e) requires, or of itself. */
export async function goModuleFolder(module: string, required = kubernetes): Promise<string> {
  const cwd = join(modules, required);
  await run('go', ['mod', 'download', module], { cwd });
  return (await run('go', ['list', '-m', '-f', '{{.Dir}}', module], { cwd })).trim();
}

function folder(): string {
  const shared = process.env['KUBECHAIN_GO_TOOLS'];
  if (shared !== undefined) {
    mkdirSync(shared, { recursive: true });
    return shared;
  }
  if (ownFolder === undefined) {
    const made = (ownFolder = mkdtempSync(join(tmpdir(), 'kubechain-go-')));
    process.once('exit', () => {
      rmSync(made, { recursive: true, force: true });
    });
  }
  return ownFolder;
}
