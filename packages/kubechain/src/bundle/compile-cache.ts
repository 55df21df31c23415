import { accessSync, constants, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePlace } from './bundle-place.ts';

/**
 * Where children keep what Node compiled of their sources, which halves the time of later starts: beside the bundles,
 * or where that cannot be written, in Node's own place. Of several versions of Node each keeps its own part of it.
 */
export function compileCacheDirectory({ cacheDirectory } = bundlePlace()): string {
  const chosen = process.env['NODE_COMPILE_CACHE'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const directory = join(cacheDirectory, 'compiled');
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
    return directory;
  } catch {
    return join(tmpdir(), 'node-compile-cache');
  }
}
