import type { ServerStorageVersion, StorageVersion } from './storage-version.ts';

const type = 'AllEncodingVersionsEqual';

/**
 * The status of a storage version of which these servers tell: which version they have in common, and whether they have
 * one; the status that it is given where nothing changes (apiserver/storageversion/updater.go, 1.36).
 */
export function statusOfServers(
  status: StorageVersion['status'] = {},
  storageVersions: readonly ServerStorageVersion[],
  now: string,
): NonNullable<StorageVersion['status']> {
  const versions = new Set(storageVersions.map(({ encodingVersion }) => encodingVersion));
  const [common] = versions.size === 1 ? versions : [];
  const old = status.conditions?.find((each) => each.type === type);
  const state = common === undefined ? 'False' : 'True';
  const isOther = old?.status !== state || (common !== undefined && common !== status.commonEncodingVersion);
  const condition = {
    type,
    status: state,
    lastTransitionTime: isOther ? now : (old?.lastTransitionTime ?? now),
    reason: common === undefined ? 'CommonEncodingVersionUnset' : 'CommonEncodingVersionSet',
    message: common === undefined ? 'Common encoding version unset' : 'Common encoding version set',
  };
  const others = (status.conditions ?? []).filter((each) => each.type !== type);
  return {
    storageVersions,
    ...(common === undefined ? {} : { commonEncodingVersion: common }),
    conditions: [...others, condition],
  };
}
