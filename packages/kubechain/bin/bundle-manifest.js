// Plain JavaScript: read before anything is loaded that has types to strip.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Another format is as good as no bundle. To be raised when bundles are made in another way. */
export const MANIFEST_FORMAT = 9;

/** The description of the newest bundle; undefined when there is none that can be read. */
export function readManifest(manifestFile) {
  try {
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
    return manifest.format === MANIFEST_FORMAT ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the sources are what they were when the programs were made of them, and the programs are there. */
export function isCurrent(checkout, { inputs, programs }) {
  try {
    for (const [path, mtimeMs, bytes] of inputs) {
      const stat = statSync(join(checkout, path));
      if (stat.mtimeMs !== mtimeMs || stat.size !== bytes) return false;
    }
    for (const path of Object.values(programs)) statSync(join(checkout, path));
    return true;
  } catch {
    // One of them is gone.
    return false;
  }
}
