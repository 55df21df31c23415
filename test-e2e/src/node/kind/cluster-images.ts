import { mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { goTool, kubectlVersion, type GoTool } from '../../harness/go-tools.ts';
import { execute, run } from '../../harness/run.ts';
import { pauseImage, type Image } from '../image.ts';
import { addProgram } from '../program-files.ts';

const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** What kubeadm starts, by the last part of its images' names. */
const programs: Readonly<Record<string, GoTool>> = {
  'kube-apiserver': 'kube-apiserver',
  'kube-controller-manager': 'kube-controller-manager',
  'kube-scheduler': 'kube-scheduler',
  'kube-proxy': 'kube-proxy',
  etcd: 'etcd',
  coredns: 'coredns',
};

/**
 * Images of a cluster that kubeadm starts, under the names that it says itself, each of a program and the libraries of
 * this machine that it needs.
 */
export async function clusterImages(): Promise<readonly Image[]> {
  const list = ['config', 'images', 'list', '--kubernetes-version', `v${kubectlVersion}`];
  const names = (await run(await goTool('kubeadm'), list)).trim().split('\n');
  return Promise.all(
    names.map(async (name): Promise<Image> => {
      const part = /([^/:]+):[^/]+$/.exec(name)?.[1] ?? name;
      if (part === 'pause') return { ...pauseImage, names: [name] };
      const tool = programs[part];
      if (tool === undefined) throw new Error(`kubeadm wants an image that nobody makes here: ${name}`);
      const program = await goTool(tool);
      return {
        names: [name],
        config: {
          Env: [PATH],
          WorkingDir: '/',
          ...(part === 'coredns' ? { Entrypoint: ['/usr/local/bin/coredns'] } : {}),
        },
        fill: async (root) => {
          await addProgram(root, program, `/usr/local/bin/${part}`);
          if (part === 'kube-proxy') await addIptables(root);
        },
      };
    }),
  );
}

/** iptables of this machine, in the one of its two kinds that is in use here, with its extensions. */
async function addIptables(root: string): Promise<void> {
  const program = realpathSync((await run('which', ['iptables'])).trim());
  const path = `/usr/sbin/${basename(program)}`;
  await addProgram(root, program, path);
  for (const name of ['iptables', 'ip6tables'])
    for (const suffix of ['', '-save', '-restore'])
      symlinkSync(basename(path), join(root, `/usr/sbin/${name}${suffix}`));
  const { stdout } = await execute('ldd', [program]);
  const library = /=> (\S+\/libxtables\S+)/.exec(stdout)?.[1];
  if (library === undefined) throw new Error(`${program} has no extensions`);
  const extensions = join(dirname(realpathSync(library)), 'xtables');
  for (const name of readdirSync(extensions)) await addProgram(root, join(extensions, name), join(extensions, name));
  // Of its lock.
  mkdirSync(join(root, 'run'), { recursive: true });
}
