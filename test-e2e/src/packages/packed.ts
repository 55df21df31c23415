import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../harness/run.ts';

/** The root of the checkout. */
export const root = join(import.meta.dirname, '../../..');
/** The oldest Node that the packages run on, by their manifests. */
export const oldestNode = '22.19.0';
/** The Node releases that users run it with, as the registry has them. */
export const nodeReleases = { 22: oldestNode, 24: '24.21.0', 26: '26.10.0' } as const;
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
