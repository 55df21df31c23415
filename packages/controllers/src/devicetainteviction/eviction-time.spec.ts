import { expect } from 'chai';
import type {
  DeviceTaint,
  DeviceToleration,
  ResourceClaim,
  ResourceSlice,
} from '@kubechain/apimachinery/types/resource/v1';
import { evictionTimeOf, noExecuteTaintsIn } from './eviction-time.ts';

const timeAdded = '2026-01-01T00:00:00Z';
const added = Date.parse(timeAdded);
const taint = (key: string, more: Partial<DeviceTaint> = {}): DeviceTaint => ({
  key,
  effect: 'NoExecute',
  timeAdded,
  ...more,
});
const claim = (tolerations: readonly DeviceToleration[] = []): ResourceClaim =>
  ({
    spec: {},
    status: {
      allocation: { devices: { results: [{ request: 'r', driver: 'd', pool: 'p', device: '1', tolerations }] } },
    },
  }) as unknown as ResourceClaim;
const slice = (generation: number, taints: readonly DeviceTaint[]): ResourceSlice =>
  ({
    spec: { driver: 'd', pool: { name: 'p', generation, resourceSliceCount: 1 }, devices: [{ name: '1', taints }] },
  }) as unknown as ResourceSlice;
const tolerate = (key: string, tolerationSeconds?: number): DeviceToleration => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

describe('the time when pods lose a tainted device', () => {
  const rows: readonly (readonly [
    what: string,
    tolerations: readonly DeviceToleration[],
    taints: readonly DeviceTaint[],
    expected: number | undefined,
  ])[] = [
    ['never without a taint', [], [], undefined],
    ['when the taint came', [], [taint('a')], added],
    ['never for a taint that only keeps new pods away', [], [taint('a', { effect: 'NoSchedule' })], undefined],
    ['never where it is tolerated', [tolerate('a')], [taint('a')], undefined],
    ['after the seconds that it is tolerated', [tolerate('a', 30)], [taint('a')], added + 30_000],
    ['after the fewest seconds', [tolerate('a', 30), tolerate('a', 10)], [taint('a')], added + 10_000],
    ['at once for less than no seconds', [tolerate('a', -5)], [taint('a')], added],
    ['at the earliest of several', [tolerate('a', 30)], [taint('a'), taint('b')], added],
  ];
  for (const [what, tolerations, taints, expected] of rows)
    it(what, () => {
      expect(evictionTimeOf(claim(tolerations), noExecuteTaintsIn([slice(1, taints)]))).to.equal(expected);
    });

  it('goes by the newest generation of a pool', () => {
    expect(evictionTimeOf(claim(), noExecuteTaintsIn([slice(1, [taint('a')]), slice(2, [])]))).to.equal(undefined);
  });
});
