import type { EtcdClient } from '../etcd-client/etcd-client.ts';

/** What is known about each client's etcd, so that it is asked once. */
const known = new WeakMap<EtcdClient, Promise<boolean>>();

/**
 * Whether a progress notification that was asked for is true: etcd before 3.4.31 and 3.5.13 may answer before it has
 * delivered all events up to the revision it tells (apiserver/pkg/storage/feature). Asks etcd once; false as long as it
 * cannot be asked.
 */
export function supportsProgressRequests(client: EtcdClient): Promise<boolean> {
  let support = known.get(client);
  if (support === undefined) {
    support = client.status().then(
      ({ version }) => versionSupportsProgressRequests(version),
      () => {
        known.delete(client);
        return false;
      },
    );
    known.set(client, support);
  }
  return support;
}

/** As `supportsProgressRequests`, for a version such as `3.5.13` or `3.6.0-rc.1`. */
export function versionSupportsProgressRequests(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/, 3).map(Number);
  if (major !== 3) return major > 3;
  if (minor === 4) return patch >= 31;
  if (minor === 5) return patch >= 13;
  return minor > 5;
}
