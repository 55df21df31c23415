import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../harness/run.ts';

/** The root of the checkout. */
export const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'dist/npm');

/**
 * Paths of the tarballs that `npm run pack` leaves; makes them, unless `KUBECHAIN_PACKED` says that this has been
 * done.
 */
export async function packedTarballs(): Promise<readonly string[]> {
  if (process.env['KUBECHAIN_PACKED'] === undefined) await run('npm', ['run', '-s', 'pack'], { cwd: root });
  return readdirSync(folder).map((name) => join(folder, name));
}

/** The one of the package `kubechain`. */
export function commandOf(tarballs: readonly string[]): string {
  const found = tarballs.find((path) => /\/kubechain-\d[^/]*\.tgz$/.test(path));
  if (found === undefined) throw new TypeError(`no package kubechain in ${folder}`);
  return found;
}
