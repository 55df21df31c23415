import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../harness/run.ts';
import { debian } from '../debian.ts';
import type { Machine } from '../machine.ts';

/** What the project's Dockerfile begins with. */
const BASE_IMAGE = 'node:24-slim';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Gives the machine's Docker engine what stands for `node:24-slim`: Debian, this Node, and npm and the certificates of
 * this machine. `folder` keeps the Debian system.
 */
export async function makeBaseImage(machine: Machine, folder: string): Promise<void> {
  const base = join(folder, 'slim-debian');
  await debian(base, ['ca-certificates', 'libstdc++6']);
  const root = join(machine.dir, 'base-root');
  await run('cp', ['-a', '--reflink=auto', base, root]);
  cpSync(process.execPath, join(root, 'usr/local/bin/node'));
  const npm = join(realpathSync((await run('which', ['npm'])).trim()), '../..');
  const modules = join(root, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(npm, join(modules, 'npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(root, CERTIFICATES));
  const passwd = join(root, 'etc/passwd');
  writeFileSync(passwd, `${readFileSync(passwd, 'utf8')}node:x:1000:1000::/home/node:/bin/sh\n`);
  // Node asks nobody else than its own authorities unless it is told, as it is here.
  const trusted =
    process.env['NODE_EXTRA_CA_CERTS'] === undefined ? '' : `--change 'ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}'`;
  const changes = `--change 'CMD ["node"]' ${trusted}`;
  await machine.ok(
    'sh',
    '-c',
    `tar -C /machine/base-root --numeric-owner -cf - . | docker import ${changes} - ${BASE_IMAGE}`,
  );
  rmSync(root, { recursive: true, force: true });
}
