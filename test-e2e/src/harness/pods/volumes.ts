import { mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SecretManifest, Volume } from './manifests.ts';

/**
 * A volume as the kubelet makes it. A projected one is a directory of links into one that is replaced whole, so that
 * readers see all of an update or nothing of it:
 *
 *     tls.crt → ..data/tls.crt     ..data → ..2
 */
export class PodVolume {
  readonly directory: string;
  readonly #volume: Volume;

  constructor(directory: string, volume: Volume) {
    this.directory = directory;
    this.#volume = volume;
    mkdirSync(directory, { recursive: true });
  }

  /** Puts what the Secrets hold now in the place of what was there. Throws for a Secret or a key that is missing. */
  write(secrets: ReadonlyMap<string, SecretManifest>): void {
    const { projected } = this.#volume;
    if (projected === undefined) return;
    const version = mkdtempSync(join(this.directory, '..'.concat('v')));
    for (const { secret } of projected.sources) {
      for (const { key, path } of secret.items) {
        const value = secrets.get(secret.name)?.data?.[key];
        if (value === undefined) throw new Error(`volume ${this.#volume.name}: Secret ${secret.name} has no ${key}`);
        mkdirSync(dirname(join(version, path)), { recursive: true });
        writeFileSync(join(version, path), Buffer.from(value, 'base64'), { mode: projected.defaultMode });
      }
    }
    const link = join(this.directory, '..data_tmp');
    symlinkSync(basename(version), link);
    renameSync(link, join(this.directory, '..data'));
    for (const { secret } of projected.sources) for (const { path } of secret.items) this.#link(path);
  }

  #link(path: string): void {
    try {
      symlinkSync(join('..data', path), join(this.directory, path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
