import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { noScheduleChanges } from './node-taints.ts';
import { stableLabels } from './stable-labels.ts';

const taint = (name: string, effect = 'NoSchedule'): { key: string; effect: string } => ({
  key: `node.kubernetes.io/${name}`,
  effect,
});
const changes = (
  conditions: Readonly<Record<string, string>>,
  taints: object[] = [],
  unschedulable = false,
): object => {
  const { add, remove } = noScheduleChanges({
    spec: { taints, unschedulable },
    status: { conditions: Object.entries(conditions).map(([type, status]) => ({ type, status })) },
  } as unknown as Node);
  return { add: add.map(({ key }) => key.slice(19)), remove: remove.map(({ key }) => key.slice(19)) };
};

describe("a node's NoSchedule taints", () => {
  it('say what its conditions do', () =>
    expect(changes({ Ready: 'False', MemoryPressure: 'True', DiskPressure: 'Unknown' })).to.deep.equal({
      add: ['not-ready', 'memory-pressure'],
      remove: [],
    }));
  it('change with them, and leave those of others alone', () =>
    expect(
      changes({ Ready: 'Unknown', PIDPressure: 'False' }, [
        taint('not-ready'),
        taint('pid-pressure'),
        taint('not-ready', 'NoExecute'),
        { key: 'mine', effect: 'NoSchedule' },
      ]),
    ).to.deep.equal({ add: ['unreachable'], remove: ['not-ready', 'pid-pressure'] }));
  it('say that it is cordoned', () => {
    expect(changes({ Ready: 'True' }, [], true)).to.deep.equal({ add: ['unschedulable'], remove: [] });
    expect(changes({ Ready: 'True' }, [taint('unschedulable')])).to.deep.equal({ add: [], remove: ['unschedulable'] });
  });
});

describe('older labels of a node', () => {
  const labels = (given: Record<string, string>): unknown =>
    stableLabels({ metadata: { labels: given } } as unknown as Node);
  it('follow the newer ones', () => {
    expect(
      labels({ 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'plan9', 'kubernetes.io/arch': 'arm64' }),
    ).to.deep.equal({ 'beta.kubernetes.io/os': 'linux', 'beta.kubernetes.io/arch': 'arm64' });
  });
  it('stay where they are right', () =>
    expect(labels({ 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'linux' })).to.equal(undefined));
});
