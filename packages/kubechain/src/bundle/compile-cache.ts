import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtPrograms } from '../programs/built-programs.ts';
import { bundlePlace } from './bundle-place.ts';

/**
 * Where a child that runs `main` keeps what Node compiled of it, which halves the time of later starts: a bundle's in
 * the bundle, so that it goes when the bundle goes; the sources' beside the bundles, or where that cannot be written,
 * below the user's home. Of several versions of Node each keeps its own part of it. Never where others can write, as
 * Node's own place in the system's temporary folder: what lies there is run.
 */
export function compileCacheDirectory(main: string, { cacheDirectory } = bundlePlace()): string {
  const chosen = process.env['NODE_COMPILE_CACHE'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const bundled = main.startsWith(join(cacheDirectory, 'bundle-')) || dirname(main) === builtPrograms;
  const directory = join(bundled ? dirname(main) : cacheDirectory, 'compiled');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK);
    if ((statSync(directory).mode & 0o022) === 0) return directory;
  } catch {
    // Somebody else's checkout.
  }
  return join(homedir(), '.cache/kubechain/compiled');
}
