import { FakeClock } from '@kubechain/apimachinery/testing';
import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { Zones, zoneOf, zoneState } from './zones.ts';

const ready = (yes: number, no: number): boolean[] => [
  ...Array.from({ length: yes }, () => true),
  ...Array.from({ length: no }, () => false),
];
const node = (name: string, zone: string): Node =>
  ({ metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } } }) as unknown as Node;

describe('the state of a zone', () => {
  for (const [what, given, expected] of [
    ['is normal with all nodes', ready(5, 0), 'normal'],
    ['is normal with two that are not ready', ready(1, 2), 'normal'],
    ['is partial with three of five', ready(2, 3), 'partial'],
    ['is normal with three of many', ready(9, 3), 'normal'],
    ['is full with none that is ready', ready(0, 1), 'full'],
    ['is normal without nodes', [], 'normal'],
  ] as const)
    it(what, () => expect(zoneState(given, 0.55)).to.equal(expected));
});

describe('zones', () => {
  const rates = { perSecond: 1, secondaryPerSecond: 0.1, largeZone: 6, unhealthyPart: 0.55 };
  /** How many nodes of a zone are tainted in so many seconds. */
  const tainted = async (
    states: readonly ReadonlyMap<string, readonly boolean[]>[],
    seconds: number,
  ): Promise<number> => {
    const clock = new FakeClock();
    const zones = new Zones(rates, clock);
    const first = node('first', 'a');
    zones.queueOf(node('other', 'b'));
    for (let i = 0; i < 50; i++) zones.queueOf(first).add(`n${i}`);
    for (const state of states) zones.update(state);
    let count = 0;
    for (let second = 0; second < seconds; second++) {
      await zones.queueOf(first).work(async () => {
        count++;
        return true;
      });
      await clock.advance(1_000);
    }
    return count;
  };
  const a = zoneOf(node('', 'a'));
  const b = zoneOf(node('', 'b'));
  const round = (ofA: boolean[], ofB: boolean[] = ready(3, 0)): ReadonlyMap<string, readonly boolean[]> =>
    new Map([
      [a, ofA],
      [b, ofB],
    ]);
  for (const [what, states, expected] of [
    ['give up a node a second where they are well', [round(ready(3, 0))], 10],
    ['give up none where they are small and in trouble', [round(ready(2, 3))], 0],
    ['give up some where they are large and in trouble', [round(ready(3, 7))], 2],
    ['give up nodes where only one zone is lost', [round(ready(0, 3))], 10],
    ['give up none where all are lost', [round(ready(3, 0)), round(ready(0, 3), ready(0, 3))], 0],
    ['go on when some are back', [round(ready(0, 3), ready(0, 3)), round(ready(1, 2), ready(0, 3))], 9],
  ] as const)
    it(what, async () => {
      const count = await tainted(states, 10);
      expect(count).to.be.within(Math.max(0, expected - 1), expected);
      if (expected === 0) expect(count).to.equal(0);
    });
  it('tell when everything is lost, and when it is not any more', () => {
    const zones = new Zones(rates, new FakeClock());
    zones.queueOf(node('x', 'a'));
    const steps = [ready(2, 0), ready(0, 2), ready(0, 2), ready(1, 1)].map((state) =>
      zones.update(new Map([[a, state]])),
    );
    expect(steps).to.deep.equal(['none', 'stopped', 'none', 'resumed']);
  });
  it('take a node in again only after it was taken out', () => {
    const queue = new Zones(rates, new FakeClock()).queueOf(node('x', 'a'));
    expect([queue.add('n'), queue.add('n'), queue.remove('n'), queue.add('n')]).to.deep.equal([
      true,
      false,
      true,
      true,
    ]);
  });
});
