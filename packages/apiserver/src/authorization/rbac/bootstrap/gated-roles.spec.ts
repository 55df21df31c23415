import { builtinRelease, loadRelease, type Release } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { effectiveVersions } from '../../../options/component-versions.ts';
import { FeatureGates } from '../../../options/feature-gates.ts';
import { bootstrapPolicy } from './bootstrap-policy.ts';
import { withGatedRoles } from './gated-roles.ts';

/** What is otherwise than by default, by name: rules and subjects, null where there is none. */
interface Otherwise {
  readonly clusterRoles: Readonly<Record<string, unknown>>;
  readonly clusterRoleBindings: Readonly<Record<string, unknown>>;
}

/** Of kube-apiserver 1.36.2 with the gates on that are off by default, and with those off that are on. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'testdata/gated-roles.json'), 'utf8')) as Readonly<
  Record<'on' | 'off', Otherwise>
>;

describe('roles behind feature gates', () => {
  const rights = (release: Release, gates: readonly string[]): object => {
    const { clusterRoles } = withGatedRoles(bootstrapPolicy(release), (gate) => gates.includes(gate), release);
    const ofRole = (name: string): string[] =>
      (clusterRoles.find(({ metadata }) => metadata.name === name)?.rules ?? [])
        .filter(({ apiGroups = [] }) => ['scheduling.k8s.io', 'lifecycle.k8s.io'].includes(apiGroups[0] ?? ''))
        .map(({ resources = [], verbs }) => `${verbs[0]} ${resources.join(',')}`);
    return { view: ofRole('system:aggregate-to-view'), edit: ofRole('system:aggregate-to-edit') };
  };

  for (const name of ['1.34', '1.35', '1.36', '1.37'])
    it(`are those of ${name} while each is as it is by default`, async () => {
      const release = (await loadRelease(name)) as Release;
      const gates = new FeatureGates(new Map(), effectiveVersions({ 'kubernetes-version': name }));
      const policy = bootstrapPolicy(release);
      expect(withGatedRoles(policy, (gate) => gates.enabled(gate), release)).to.deep.equal(policy);
    });

  for (const state of ['on', 'off'] as const)
    it(`are kube-apiserver's when all are ${state}`, () => {
      const expected = recorded[state];
      const { clusterRoleBindings, clusterRoles } = withGatedRoles(
        bootstrapPolicy(),
        (gate) => state === 'on' || gate === 'APIServerIdentity',
        builtinRelease,
      );
      const rules = new Map(clusterRoles.map(({ metadata, rules: all }) => [metadata.name, all]));
      for (const [role, all] of Object.entries(expected.clusterRoles))
        expect(rules.get(role) ?? null).to.deep.equal(all);
      const subjects = new Map(clusterRoleBindings.map((binding) => [binding.metadata.name, binding.subjects]));
      for (const [binding, all] of Object.entries(expected.clusterRoleBindings))
        expect(subjects.get(binding) ?? null).to.deep.equal(all);
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
