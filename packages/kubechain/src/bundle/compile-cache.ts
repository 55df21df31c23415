import { accessSync, constants, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundlePlace } from './bundle-place.ts';

/**
 * Where a child that runs `main` keeps what Node compiled of it, which halves the time of later starts: a bundle's in
 * the
 * bundle, so that it goes when the bundle goes; the sources' beside the bundles, or where that cannot be written, in
 * Node's own place. Of several versions of Node each keeps its own part of it.
 */
export function compileCacheDirectory(main: string, { cacheDirectory } = bundlePlace()): string {
  const chosen = process.env['NODE_COMPILE_CACHE'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const directory = join(main.startsWith(join(cacheDirectory, 'bundle-')) ? dirname(main) : cacheDirectory, 'compiled');
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
    return directory;
  } catch {
    return join(tmpdir(), 'node-compile-cache');
  }
}
