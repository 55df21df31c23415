import type { GroupResource, TimerClock } from '@kubechain/apimachinery';
import {
  EncryptionConfigurationError,
  EncryptionMetrics,
  EncryptionReloader,
  loadEncryptionFile,
} from '@kubechain/shared-storage/factory';
import type { EncryptionFile, EncryptionFileOptions, ValueTransformer } from '@kubechain/shared-storage/factory';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { messageOf } from '@kubechain/apimachinery';
import type { HealthCheck } from '../health/health-check.ts';
import { Logger } from '../logging/logger.ts';
import { OptionsError, unusableFlag } from '../options/options-error.ts';
import { apiServerID } from '../options/api-server-id.ts';

const log = new Logger('encryption');

export interface EncryptionFlags {
  readonly 'encryption-provider-config': string;
  readonly 'encryption-provider-config-automatic-reload': boolean;
}

/** Encryption at rest of one process. */
export interface OpenedEncryption {
  /** Undefined: nothing is encrypted. */
  readonly transformerFor: ((resource: GroupResource) => ValueTransformer | undefined) | undefined;
  /** `kms-providers`, where there are any or may come, or one of each where one is v1. */
  readonly healthChecks: readonly HealthCheck[];
  /** Follows the file; undefined when it is read once. */
  readonly startReloading: (() => void) | undefined;
  close(): Promise<void>;
}

export interface OpenEncryptionOptions {
  readonly clock: TimerClock;
  /** Where the metrics are kept. */
  readonly registry: MetricRegistry;
  /** Feature gate KMSv1. */
  readonly allowsKMSv1: boolean;
  /** Between two looks at the file where it is followed. Default: the reloader's. */
  readonly reloadPollMs?: number | undefined;
}

/**
 * Reads `--encryption-provider-config`.
 * @throws OptionsError one line that names the flag
 */
export async function openEncryption(
  flags: EncryptionFlags,
  { allowsKMSv1, clock, registry, reloadPollMs }: OpenEncryptionOptions,
): Promise<OpenedEncryption> {
  const metrics = new EncryptionMetrics(registry, apiServerID());
  const path = flags['encryption-provider-config'];
  const reloads = flags['encryption-provider-config-automatic-reload'];
  if (path === '') {
    if (reloads)
      throw new OptionsError(
        'InvalidValue',
        '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
      );
    return { transformerFor: undefined, healthChecks: [], startReloading: undefined, close: () => Promise.resolve() };
  }
  const file = await load(path, { allowsKMSv1, clock, reloads, metrics });
  const reloader = new EncryptionReloader(file, {
    metrics,
    ...(reloadPollMs === undefined ? {} : { pollMs: reloadPollMs }),
    onError: (error) => {
      log.error('error processing encryption config file', {
        path,
        error: messageOf(error),
      });
    },
    onReload: () => {
      log.info('loaded new encryption config content', { path }, 2);
    },
  });
  return {
    transformerFor: (resource) => file.transformerFor(resource),
    healthChecks: file.healthChecks,
    startReloading: reloads
      ? () => {
          reloader.start();
        }
      : undefined,
    close: async () => {
      await reloader.stop();
      file.close();
    },
  };
}

async function load(
  path: string,
  options: EncryptionFileOptions & { readonly reloads: boolean },
): Promise<EncryptionFile> {
  try {
    return await loadEncryptionFile(path, options);
  } catch (error) {
    if (error instanceof EncryptionConfigurationError)
      throw unusableFlag('encryption-provider-config', error.message, error);
    throw error;
  }
}
