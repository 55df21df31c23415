import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage } from '../harness/dockerfile.ts';
import { importImage } from './image.ts';
import type { Machine } from './machine.ts';
import { addProgram } from './program-files.ts';

const checkout = join(import.meta.dirname, '../../..');

/**
 * Follows the project's Dockerfile, and gives the machine what comes of it: over a base of this Node and the libraries
 * of this distribution in the place of `node:24-slim`.
 */
export async function importKubechain(machine: Machine, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-build-'));
  try {
    const { root: built, workdir, user, env, command } = await buildImage(checkout, folder);
    await importImage(machine, {
      names: [name],
      fill: async (root) => {
        rmSync(root, { recursive: true });
        renameSync(built, root);
        await addProgram(root, process.execPath, '/usr/local/bin/node');
        await addProgram(root, '/bin/busybox', '/bin/sh');
        mkdirSync(join(root, 'etc'));
        mkdirSync(join(root, 'tmp'));
        writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/:/bin/sh\nnode:x:1000:1000:node:/tmp:/bin/sh\n');
      },
      config: {
        User: user,
        WorkingDir: workdir,
        Cmd: command,
        Env: ['PATH=/usr/local/bin:/bin', ...Object.entries(env).map(([key, value]) => `${key}=${value}`)],
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
