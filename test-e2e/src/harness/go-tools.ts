import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

const goModule = join(import.meta.dirname, '../../clients/go');
/** A module of its own: etcd's requirements are not the clients'. */
const etcdModule = join(import.meta.dirname, '../../etcd');

/** Programs of test-e2e/clients/go, and the tools that its go.mod pins, by the package that `go build` makes them of; and etcd. */
const packages = {
  clients: '.',
  operator: './operator',
  kubectl: './kubectl',
  kubelet: './kubelet',
  helm3: 'helm.sh/helm/v3/cmd/helm',
  helm4: 'helm.sh/helm/v4/cmd/helm',
  /** etcd 3.6: distributions carry older ones, which cannot be trusted with progress requests. */
  etcd: '.',
} as const;

export type GoTool = keyof typeof packages;

/** Release whose packages go.mod pins; kubectl is told when it is linked. */
export const kubectlVersion = '1.36.2';

let folder: string | undefined;
const built = new Map<GoTool, Promise<string>>();

/** Resolves to the path of a Go program, built when first asked for; the folder goes when this process ends. A cold build takes minutes. */
export function goTool(name: GoTool): Promise<string> {
  let path = built.get(name);
  if (path === undefined) built.set(name, (path = build(name)));
  return path;
}

async function build(name: GoTool): Promise<string> {
  if (folder === undefined) {
    const made = (folder = mkdtempSync(join(tmpdir(), 'kubechain-go-')));
    process.once('exit', () => { rmSync(made, { recursive: true, force: true }); });
  }
  const path = join(folder, name);
  // Without debugging information: half the size and linking time.
  await run('go', ['build', '-ldflags', `-s -w ${name === 'kubectl' ? `-X k8s.io/component-base/version.gitVersion=v${kubectlVersion}` : ''}`, '-o', path, packages[name]], { cwd: name === 'etcd' ? etcdModule : goModule });
  return path;
}
