import { FieldPath } from '@kubechain/apimachinery';
import type { TopologySpreadConstraint } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { unforgiving } from '../../../capabilities.ts';
import { validateTopologySpread } from './affinity.ts';

const constraint = (topologyKey: string, whenUnsatisfiable: string): TopologySpreadConstraint =>
  ({ maxSkew: 1, topologyKey, whenUnsatisfiable }) as TopologySpreadConstraint;
const mistakes = (constraints: readonly TopologySpreadConstraint[]): string[] =>
  validateTopologySpread(constraints, FieldPath.of('c'), unforgiving).map(({ field }) => field);

describe('constraints of how pods are spread', () => {
  it('are repeated where key and action are the same, all but the last', () => {
    expect(
      mistakes([
        constraint('a', 'DoNotSchedule'),
        constraint('b', 'DoNotSchedule'),
        constraint('a', 'ScheduleAnyway'),
        constraint('a', 'DoNotSchedule'),
        constraint('a', 'DoNotSchedule'),
      ]),
    ).to.deep.equal(['c[0].{topologyKey, whenUnsatisfiable}', 'c[3].{topologyKey, whenUnsatisfiable}']);
  });

  it('are compared in proportion to their number', () => {
    // Each with each would be five billion.
    const many = Array.from({ length: 100_000 }, (_, i) => constraint(`k${i}`, 'DoNotSchedule'));
    const started = process.cpuUsage();
    expect(mistakes([...many, many[0]!])).to.deep.equal(['c[0].{topologyKey, whenUnsatisfiable}']);
    const { system, user } = process.cpuUsage(started);
    expect((system + user) / 1_000).to.be.lessThan(5_000);
  });
});
