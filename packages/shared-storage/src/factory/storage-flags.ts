import type { ServerOverride } from './storage-factory.ts';

/** A flag value that cannot be read; `message` names the flag and is fit to be the only line a user sees. */
export class StorageFlagError extends Error {
  override readonly name = 'StorageFlagError';
}

const overrideForm =
  '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, ' +
  'semicolon separated';

/**
 * Values of `--etcd-servers-overrides`: `/pods#http://etcd4:2379;http://etcd5:2379`, `apps/deployments#…`. @throws
 * StorageFlagError
 */
export function parseEtcdServersOverrides(values: readonly string[]): ServerOverride[] {
  return values.map((value) => {
    const [name, list, ...more] = value.split('#');
    const [group, resource, ...deeper] = name?.split('/') ?? [];
    const servers = list?.split(';') ?? [];
    if (
      more.length > 0 ||
      deeper.length > 0 ||
      group === undefined ||
      resource === undefined ||
      servers.length === 0 ||
      servers.includes('')
    )
      throw new StorageFlagError(overrideForm);
    return { resource: { group, resource }, servers };
  });
}

/** Values of `--watch-cache-sizes`: `resource[.group]#size`, by `resource[.group]`. @throws StorageFlagError */
export function parseWatchCacheSizes(values: readonly string[]): Map<string, number> {
  return new Map(
    values.map((value) => {
      const [name, size, ...more] = value.split('#');
      if (name === undefined || size === undefined || more.length > 0)
        throw new StorageFlagError(`--watch-cache-sizes: invalid value of watch cache size: ${value}`);
      if (!/^[+-]?\d+$/.test(size))
        throw new StorageFlagError(`--watch-cache-sizes: invalid size of watch cache size: ${value}`);
      if (size.startsWith('-') && Number(size) !== 0)
        throw new StorageFlagError(`--watch-cache-sizes: watch cache size cannot be negative: ${value}`);
      return [name, Number(size)];
    }),
  );
}
