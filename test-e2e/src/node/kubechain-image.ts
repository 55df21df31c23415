import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage, type BuiltImage } from '../harness/dockerfile.ts';
import { importImages } from './image.ts';
import type { Machine } from './machine.ts';
import { addProgram } from './program-files.ts';

const checkout = join(import.meta.dirname, '../../..');

/** What charts ask for. */
export const KUBECHAIN_IMAGE = 'docker.io/library/kubechain:0.1.0';
/** The same over a base that has Node alone. */
export const DISTROLESS_IMAGE = 'docker.io/library/kubechain:distroless';

/**
 * Follows the project's Dockerfile, and gives the machine what comes of it: over a base of this Node and the libraries
 * of this distribution in the place of `node:24-slim`, and over one without a shell, with Node where distroless images
 * have it.
 */
export async function importKubechain(machine: Machine): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-build-'));
  try {
    const built = await buildImage(checkout, folder);
    const config = configOf(built);
    const fill = async (root: string, node: string): Promise<void> => {
      await addProgram(root, process.execPath, node);
      for (const name of ['etc', 'tmp']) mkdirSync(join(root, name));
      writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/:/bin/sh\nnode:x:1000:1000:node:/tmp:/bin/sh\n');
      // As COPY --chown says.
      for (const volume of built.volumes) {
        mkdirSync(join(root, volume));
        chownSync(join(root, volume), 1000, 1000);
      }
    };
    const withShell = async (root: string): Promise<void> => {
      await fill(root, '/usr/local/bin/node');
      await addProgram(root, '/bin/busybox', '/bin/sh');
    };
    await importImages(
      machine,
      [
        { names: [KUBECHAIN_IMAGE], config, fill: withShell, keepOwners: true },
        { names: [DISTROLESS_IMAGE], config, fill: (root) => fill(root, '/nodejs/bin/node'), keepOwners: true },
      ],
      built.root,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf({ user, workdir, command, env, labels, volumes }: BuiltImage): Readonly<Record<string, unknown>> {
  return {
    User: user,
    WorkingDir: workdir,
    Cmd: command,
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    Labels: labels,
    Volumes: Object.fromEntries(volumes.map((path) => [path, {}])),
  };
}
