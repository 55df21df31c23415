import { builtinRelease, loadRelease, type Release } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { bootstrapPolicy } from './bootstrap-policy.ts';
import { withGatedRoles } from './gated-roles.ts';

describe('roles behind feature gates', () => {
  const rights = (release: Release, gates: readonly string[]): object => {
    const { clusterRoles } = withGatedRoles(bootstrapPolicy(release), (gate) => gates.includes(gate), release);
    const ofRole = (name: string): string[] =>
      (clusterRoles.find(({ metadata }) => metadata.name === name)?.rules ?? [])
        .filter(({ apiGroups = [] }) => ['scheduling.k8s.io', 'lifecycle.k8s.io'].includes(apiGroups[0] ?? ''))
        .map(({ resources = [], verbs }) => `${verbs[0]} ${resources.join(',')}`);
    return { view: ofRole('system:aggregate-to-view'), edit: ofRole('system:aggregate-to-edit') };
  };

  it("are the release's own while all are off", () => {
    expect(withGatedRoles(bootstrapPolicy(), () => false, builtinRelease)).to.equal(bootstrapPolicy());
  });

  it('let users see and change what the gates bring', async () => {
    const release = (await loadRelease('1.37')) as Release;
    expect(rights(release, ['GenericWorkload', 'CompositePodGroup', 'EvictionRequestAPI'])).to.deep.equal({
      view: [
        'get podgroups,podgroups/status,workloads',
        'get compositepodgroups,compositepodgroups/status',
        'get evictionrequests,evictions',
      ],
      edit: ['create podgroups,workloads', 'create compositepodgroups', 'create evictionrequests'],
    });
  });

  it('came with 1.36 for workloads', async () => {
    expect(rights(builtinRelease, ['GenericWorkload'])).to.deep.equal({
      view: ['get podgroups,podgroups/status,workloads'],
      edit: ['create podgroups,workloads'],
    });
    expect(rights((await loadRelease('1.35')) as Release, ['GenericWorkload'])).to.deep.equal({ view: [], edit: [] });
  });

  it('have that of the migrator once', async () => {
    const named = (release: Release): number =>
      withGatedRoles(
        bootstrapPolicy(release),
        (gate) => gate === 'StorageVersionMigrator',
        release,
      ).clusterRoles.filter(
        ({ metadata: { name } }) => name === 'system:controller:storage-version-migrator-controller',
      ).length;
    expect([named(builtinRelease), named((await loadRelease('1.37')) as Release)]).to.deep.equal([1, 1]);
  });
});
