import { expect } from 'chai';
import type { APIService } from '../apiservice/api-service.ts';
import { groupsOf } from './group-list.ts';

const of = (
  group: string,
  version: string,
  [groupPriorityMinimum, versionPriority]: readonly [number, number],
): APIService => ({
  metadata: { name: `${version}.${group}` },
  spec: { group, version, groupPriorityMinimum, versionPriority },
});

describe('groupsOf', () => {
  it('orders groups by their highest priority, then by name, and versions by theirs, then by age', () => {
    const groups = groupsOf([
      of('b', 'v1', [10, 1]),
      of('a', 'v1', [10, 1]),
      of('c', 'v1beta1', [1, 15]),
      of('c', 'v2', [1, 15]),
      of('c', 'v3', [99, 1]),
      of('', 'v1', [100, 1]),
    ]);
    expect(groups.map(({ name, versions }) => [name, ...versions.map(({ version }) => version)])).to.deep.equal([
      ['c', 'v2', 'v1beta1', 'v3'],
      ['a', 'v1'],
      ['b', 'v1'],
    ]);
    expect(groups[0]?.preferredVersion).to.deep.equal({ groupVersion: 'c/v2', version: 'v2' });
  });
});
