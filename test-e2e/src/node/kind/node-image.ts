import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { goModuleFolder, goTool, kubectlVersion } from '../../harness/go-tools.ts';
import { run } from '../../harness/run.ts';
import { debian } from '../debian.ts';
import { packImages } from '../image.ts';
import type { Machine } from '../machine.ts';
import { clusterImages } from './cluster-images.ts';
import { MANIFESTS, VOLUMES } from './manifests.ts';

/** What kind calls nodes of this release. */
export const NODE_IMAGE = `kindest/node:v${kubectlVersion}`;

/** As kind's own image has them, and containerd, runc and plugins of networks besides, which kind builds itself. */
const PACKAGES = [
  'bash ca-certificates conntrack containerd containernetworking-plugins curl e2fsprogs ethtool hostname iproute2',
  'iptables jq kmod libseccomp2 mount nftables pigz procps runc systemd systemd-sysv util-linux',
]
  .join(' ')
  .split(' ');
const UNITS = ['kubelet', 'containerd', 'undo-mount-hacks'];
const CONTAINERD_LIMIT_MS = 60_000;

/**
 * Puts kind's node image together, as `kind build node-image` does where there is a registry, and gives it to the
 * machine's Docker engine: Debian's packages, the files that kind's Go module has for it, programs of Kubernetes' Go
 * modules, and images of what kubeadm starts. `folder`, on the machine as well, keeps the Debian system.
 */
export async function makeNodeImage(machine: Machine, folder: string): Promise<void> {
  const base = join(folder, 'kind-debian');
  await debian(base, PACKAGES);
  const root = join(machine.dir, 'node-root');
  await run('cp', ['-a', '--reflink=auto', base, root]);
  await addFiles(root);
  await addImages(machine, root);
  await machine.ok(
    'sh',
    '-c',
    `tar -C /machine/node-root --numeric-owner -cf - . | docker import \\
      --change 'ENTRYPOINT ["/usr/local/bin/entrypoint","/sbin/init"]' --change 'ENV container=docker' - ${NODE_IMAGE}`,
  );
  rmSync(root, { recursive: true, force: true });
}

async function addFiles(root: string): Promise<void> {
  const at = (path: string): string => join(root, path);
  const files = join(await goModuleFolder('sigs.k8s.io/kind', 'clients/kind'), 'images/base/files');
  cpSync(files, root, { recursive: true });
  // Files of Go's module cache are for reading, and nobody runs them.
  await run('chmod', ['-R', 'u+w', at('kind'), at('etc/containerd'), at('etc/default'), at('etc/systemd/system')]);
  for (const folder of ['kind/bin', 'usr/local/bin'])
    for (const name of readdirSync(at(folder))) chmodSync(at(join(folder, name)), 0o755);
  for (const name of ['kubeadm', 'kubectl', 'kubernetes-kubelet'] as const)
    copyFileSync(await goTool(name), at(`usr/bin/${name.replace('kubernetes-', '')}`));
  symlinkSync('/usr/bin/containerd', at('usr/local/bin/containerd'));
  writeFileSync(at('kind/version'), `v${kubectlVersion}`);
  mkdirSync(at('opt/cni'), { recursive: true });
  symlinkSync('/usr/lib/cni', at('opt/cni/bin'));
  for (const [path, text] of Object.entries(MANIFESTS)) {
    mkdirSync(join(at(path), '..'), { recursive: true });
    writeFileSync(at(path), text);
  }
  for (const volume of VOLUMES) {
    mkdirSync(at(volume), { recursive: true });
    chmodSync(at(volume), 0o777);
  }
  mkdirSync(at('etc/kubernetes/manifests'), { recursive: true });
  // Nodes may have cgroups of version 1, which kubelet refuses unless it is told.
  const kubelet = readFileSync(at('etc/default/kubelet'), 'utf8').trim();
  writeFileSync(at('etc/default/kubelet'), `${kubelet} --fail-cgroupv1=false\n`);
  await configureContainerd(at);
  await enableUnits(root);
}

async function configureContainerd(at: (path: string) => string): Promise<void> {
  const path = at('etc/containerd/config.toml');
  const images = await clusterImages();
  const pause = images.flatMap(({ names }) => names).find((name) => name.includes('/pause:'));
  const config = readFileSync(path, 'utf8')
    .replace(/sandbox_image = ".*"/, `sandbox_image = "${pause}"`)
    // As in containerdConfig of real-node.ts: lowering it takes a capability that this machine may lack.
    .replace('restrict_oom_score_adj = false', 'restrict_oom_score_adj = true');
  writeFileSync(path, config);
  // As kind's image makes it.
  const spec = JSON.parse(await run('ctr', ['oci', 'spec'])) as Record<string, unknown> & {
    process: Record<string, unknown>;
  };
  spec['hooks'] = { createContainer: [{ path: '/kind/bin/mount-product-files.sh' }] };
  delete spec.process['rlimits'];
  writeFileSync(at('etc/containerd/cri-base.json'), JSON.stringify(spec));
}

/** What systemd starts is what kind's image has it start, and no more. */
async function enableUnits(root: string): Promise<void> {
  const wanted = ['multi-user', 'local-fs', 'basic', 'sockets'].map((name) =>
    join(root, `lib/systemd/system/${name}.target.wants`),
  );
  for (const folder of wanted.filter(existsSync))
    for (const name of readdirSync(folder))
      if (!folder.includes('sockets') || /udev|initctl/.test(name)) rmSync(join(folder, name));
  rmSync(join(root, 'lib/systemd/system/sysinit.target.wants/systemd-tmpfiles-setup.service'), { force: true });
  const own = join(root, 'etc/systemd/system');
  for (const name of readdirSync(own)) if (name.endsWith('.wants')) rmSync(join(own, name), { recursive: true });
  await run('chroot', [root, 'systemctl', 'enable', ...UNITS.map((name) => `${name}.service`)]);
  await run('chroot', [root, 'systemctl', 'mask', 'systemd-binfmt.service']);
  writeFileSync(join(root, 'etc/systemd/journald.conf'), '[Journal]\nReadKMsg=no\n');
}

/** Gives images to a containerd of the image's own that runs on its root, so that nodes begin with them. */
async function addImages(machine: Machine, root: string): Promise<void> {
  await packImages(await clusterImages(), join(root, 'images.tar'));
  await machine.ok('mount', '-t', 'proc', 'proc', '/machine/node-root/proc');
  machine.daemon('node-containerd', 'chroot', '/machine/node-root', 'containerd');
  const ctr = ['chroot', '/machine/node-root', 'ctr', '--namespace', 'k8s.io'];
  const endsMs = performance.now() + CONTAINERD_LIMIT_MS;
  while ((await machine.execute(...ctr, 'version')).code !== 0) {
    if (performance.now() > endsMs)
      throw new Error(`no answer from containerd: ${machine.read('node-containerd.log')}`);
    await delay(100);
  }
  await machine.ok(...ctr, 'images', 'import', '--no-unpack', '/images.tar');
  await machine.kill('node-containerd');
  await machine.ok('umount', '--lazy', '/machine/node-root/proc');
  for (const path of ['images.tar', 'run/containerd']) rmSync(join(root, path), { recursive: true, force: true });
}
