import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from '../harness/run.ts';
import type { Machine } from './machine.ts';

/** An image that is put together here: no registry is asked. */
export interface Image {
  readonly names: readonly string[];
  /** Makes its files in an empty folder. */
  readonly fill: (root: string) => void | Promise<void>;
  /** As an image's `config`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Files of its own layer belong to whom they belong here. Default: all to root. */
  readonly keepOwners?: true;
}

/** Builds an image of one layer, and gives it to the machine's containerd. */
export function importImage(machine: Machine, image: Image): Promise<void> {
  return importImages(machine, [image]);
}

/** Builds images, each of one layer over what `base` has, if anything, and gives them to the machine's containerd. */
export async function importImages(machine: Machine, images: readonly Image[], base?: string): Promise<void> {
  const folder = mkdtempSync(join(machine.dir, 'images-'));
  try {
    await packImages(images, join(folder, 'images.tar'), base);
    const archive = `/machine/${basename(folder)}/images.tar`;
    await machine.ok('ctr', '--namespace', 'k8s.io', 'images', 'import', archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds images, each of one layer over what `base` has, if anything, into an archive as `docker save` writes them. */
export async function packImages(images: readonly Image[], archive: string, base?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-image-'));
  try {
    const below = base === undefined ? [] : [await pack(base, folder)];
    const manifest: object[] = [];
    for (const { names, fill, config, keepOwners = false } of images) {
      const root = mkdtempSync(join(folder, 'root-'));
      chmodSync(root, 0o755);
      await fill(root);
      const layers = [...below, await pack(root, folder, keepOwners)];
      rmSync(root, { recursive: true });
      const description = JSON.stringify({
        architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
        os: 'linux',
        config,
        rootfs: { type: 'layers', diff_ids: layers.map((digest) => `sha256:${digest}`) },
      });
      const file = `${createHash('sha256').update(description).digest('hex')}.json`;
      writeFileSync(join(folder, file), description);
      manifest.push({ Config: file, RepoTags: names, Layers: layers.map((digest) => `${digest}.tar`) });
    }
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await run('tar', ['-C', folder, '-cf', archive, '.']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a layer of the files below `root`; resolves to its digest, by which it is named. */
async function pack(root: string, folder: string, keepOwners = false): Promise<string> {
  const unnamed = join(folder, 'layer.tar');
  const owners = keepOwners ? [] : ['--owner=0', '--group=0'];
  await run('tar', ['-C', root, '--numeric-owner', ...owners, '--sort=name', '-cf', unnamed, '.']);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(unnamed)) hash.update(chunk as Buffer);
  const digest = hash.digest('hex');
  renameSync(unnamed, join(folder, `${digest}.tar`));
  return digest;
}

/** Name by which pods of the tests know the image below. */
export const SHELL_IMAGE = 'docker.io/library/shell:1';
export const PAUSE_IMAGE = 'registry.k8s.io/pause:3.10.1';

const applets = [
  'sh sleep cat echo ls mkdir rm cp touch tar nc wget httpd nslookup hostname id env date kill ps',
  'true false test grep seq',
].join(' ');

async function fillWithBusybox(root: string): Promise<void> {
  for (const folder of ['bin', 'etc', 'tmp', 'root']) mkdirSync(join(root, folder));
  chmodSync(join(root, 'tmp'), 0o1777);
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
  for (const applet of applets.split(' ')) symlinkSync('busybox', join(root, 'bin', applet));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:/tmp:/bin/sh\n');
  await Promise.resolve();
}

/** A shell with the usual small programs. */
export const shellImage: Image = {
  names: [SHELL_IMAGE],
  fill: fillWithBusybox,
  config: { Cmd: ['sh'], Env: ['PATH=/bin'] },
};

/** What holds the namespaces of each pod: it waits, buries children, and ends when told to. */
export const pauseImage: Image = {
  names: [PAUSE_IMAGE],
  fill: fillWithBusybox,
  config: {
    Entrypoint: ['/bin/sh', '-c', "trap 'exit 0' TERM INT; while :; do sleep 86400 & wait; done"],
    Env: ['PATH=/bin'],
  },
};
