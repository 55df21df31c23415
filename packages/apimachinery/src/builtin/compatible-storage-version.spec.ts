import { expect } from 'chai';
import { knownReleases, loadRelease } from './load-release.ts';
import { minorOf, type Release } from './release.ts';
import { formatGroupVersion } from '../runtime/group-version.ts';
import { compatibleStorageVersion } from './compatible-storage-version.ts';

describe('compatibleStorageVersion', () => {
  const storedIn = async (release: string, minCompatible: string): Promise<ReadonlyMap<string, string>> => {
    const tables = (await loadRelease(release)) as Release;
    return new Map(
      [...tables.resources, ...tables.optional].flatMap((row) => {
        const version = compatibleStorageVersion(tables, row, minCompatible);
        return version === undefined ? [] : [[`${row.group}/${row.resource}`, formatGroupVersion(version)] as const];
      }),
    );
  };

  for (const { version } of knownReleases)
    it(`of ${version} is what was recorded of it, unless it is told how old others may be`, async () => {
      const { optional, resources } = (await loadRelease(version)) as Release;
      const recorded = [...resources, ...optional].flatMap(({ group, resource, storage }) =>
        storage === undefined ? [] : [[`${group}/${resource}`, formatGroupVersion(storage)] as const],
      );
      expect(await storedIn(version, `1.${minorOf(version) - 1}`)).to.deep.equal(new Map(recorded));
    });

  it('is an earlier one where earlier servers have to read it, and a later one where none have to', async () => {
    const names = ['resource.k8s.io/resourceclaims', 'storage.k8s.io/volumeattributesclasses', 'apps/deployments'];
    const policies = 'admissionregistration.k8s.io/mutatingadmissionpolicies';
    const of = async (minCompatible: string): Promise<readonly unknown[]> => {
      const stored = await storedIn('1.36', minCompatible);
      return [...names, policies].map((name) => stored.get(name));
    };
    const [beta, fixed] = ['storage.k8s.io/v1beta1', 'admissionregistration.k8s.io/v1beta1'];
    expect(await of('1.33')).to.deep.equal(['resource.k8s.io/v1beta2', beta, 'apps/v1', fixed]);
    expect(await of('1.36')).to.deep.equal(['resource.k8s.io/v1', 'storage.k8s.io/v1', 'apps/v1', fixed]);
  });
});
