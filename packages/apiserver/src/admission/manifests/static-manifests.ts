import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { messageOf } from '@kubechain/apimachinery';
import { FollowedFiles } from '@kubechain/apimachinery/followed-files';
import { Logger } from '../../logging/logger.ts';
import { configurationError } from '../configuration/plugin-configurations.ts';
import { manifestPaths } from './manifest-files.ts';
import type { ManifestMetrics } from './manifest-metrics.ts';
import { loadManifests, type LoadedManifests, type LoadOptions } from './manifest-objects.ts';

const log = new Logger('manifests');

/** Where a plugin's manifests are, and how they are read. */
export interface StaticManifestsOptions extends LoadOptions {
  readonly plugin: string;
  readonly directory: string;
  readonly metrics: ManifestMetrics;
}

/**
 * Configurations of admission that come from files and are in force before and without the API
 * (`staticManifestsDir`; feature gate ManifestBasedAdmissionControlConfig, 1.36). Files are followed; what cannot be
 * used of a change leaves what was before.
 */
export class StaticManifests<T> {
  readonly #files: FollowedFiles<LoadedManifests>;
  readonly #stop: () => void;
  #current: T;

  /**
   * @param make what the plugin works with, of what is loaded
   * @throws OptionsError for what is in the directory at first
   */
  constructor(options: StaticManifestsOptions, make: (loaded: LoadedManifests, before: T | undefined) => T) {
    const { directory, metrics, plugin } = options;
    try {
      this.#files = new FollowedFiles({
        paths: () => [directory, ...manifestPaths(directory)],
        read: () => loadManifests(directory, options),
        onReload: () => log.info('Reloaded manifests of admission', { plugin, directory }),
        onError: (error) => {
          metrics.failed(plugin);
          log.error('Manifests of admission changed but cannot be used; what they held stays', error, {
            plugin,
            directory,
          });
        },
      });
    } catch (error) {
      throw configurationError(
        `${plugin}: failed to load static manifests from ${JSON.stringify(directory)}: ${messageOf(error)}`,
      );
    }
    const first = this.#files.current;
    this.#current = make(first, undefined);
    metrics.loaded(plugin, first.hash);
    let { hash } = first;
    this.#stop = this.#files.follow((loaded) => {
      if (loaded.hash === hash) return;
      hash = loaded.hash;
      this.#current = make(loaded, this.#current);
      metrics.loaded(plugin, loaded.hash);
    });
  }

  /** The same value until the files change. */
  get current(): T {
    return this.#current;
  }

  stop(): void {
    this.#stop();
  }
}

/**
 * The directory that a plugin's configuration names; undefined where it names none.
 * @throws OptionsError as apiserver/pkg/admission/plugin/manifest/validation.go says, 1.36
 */
export function manifestsDirectory(plugin: string, directory: unknown, enabled: boolean): string | undefined {
  if (directory === undefined || directory === null || directory === '') return undefined;
  const quoted = JSON.stringify(directory);
  const refuse = (reason: string): never => {
    throw configurationError(`${plugin}: staticManifestsDir: ${reason}`);
  };
  if (!enabled)
    return refuse(
      'Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled',
    );
  if (typeof directory !== 'string' || !isAbsolute(directory))
    return refuse(`Invalid value: ${quoted}: must be an absolute file path`);
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found === undefined)
    return refuse(`Invalid value: ${quoted}: unable to read: stat ${directory}: no such file or directory`);
  if (!found.isDirectory()) return refuse(`Invalid value: ${quoted}: must be a directory`);
  return directory;
}
