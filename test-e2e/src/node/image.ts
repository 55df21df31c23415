import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../harness/run.ts';
import type { Machine } from './machine.ts';

/** An image that is put together here: no registry is asked. */
export interface Image {
  readonly names: readonly string[];
  /** Makes its files in an empty folder. */
  readonly fill: (root: string) => void | Promise<void>;
  /** As an image's `config`. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Builds an image of one layer, and gives it to the machine's containerd. */
export async function importImage(machine: Machine, image: Image): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-image-'));
  try {
    const root = join(folder, 'root');
    mkdirSync(root);
    await image.fill(root);
    const layer = join(folder, 'layer.tar');
    await run('tar', ['-C', root, '--numeric-owner', '--owner=0', '--group=0', '--sort=name', '-cf', layer, '.']);
    const digest = createHash('sha256').update(readFileSync(layer)).digest('hex');
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({
        architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
        os: 'linux',
        config: image.config,
        rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
      }),
    );
    writeFileSync(
      join(folder, 'manifest.json'),
      JSON.stringify([{ Config: 'config.json', RepoTags: image.names, Layers: ['layer.tar'] }]),
    );
    const archive = `image-${digest}.tar`;
    await run('tar', ['-C', folder, '-cf', join(machine.dir, archive), 'manifest.json', 'config.json', 'layer.tar']);
    await machine.ok('ctr', '--namespace', 'k8s.io', 'images', 'import', `/machine/${archive}`);
    rmSync(join(machine.dir, archive));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
