import { expect } from 'chai';
import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { wantedPods } from './wanted-pods.ts';

const setOf = (replicas: number, start = 0): StatefulSet =>
  ({ metadata: { name: 's' }, spec: { replicas, ordinals: { start } } }) as StatefulSet;
const pod = (ordinal: number): Pod => ({ metadata: { name: `s-${ordinal}`, uid: 'there' } });
const names = (pods: readonly Pod[]): readonly string[] =>
  pods.map(({ metadata }) => `${metadata?.name ?? ''}${metadata?.uid === undefined ? '' : '!'}`);
const plan = (ordinal: number): Pod => ({ metadata: { name: `s-${ordinal}` } });

describe('pods that a set wants', () => {
  it('are those that are there, and plans for the others, in their order', async () => {
    expect(names(await wantedPods(setOf(4, 1), [pod(3), pod(0), pod(5), pod(2)], plan))).to.deep.equal([
      's-1',
      's-2!',
      's-3!',
      's-4',
    ]);
  });

  it('are planned a thousand at a time, and none of those that are there is left out', async () => {
    const wanted = names(await wantedPods(setOf(2 ** 31 - 1), [pod(5_000), pod(7), pod(2 ** 31 - 2)], plan));
    expect(wanted).to.have.length(1_003);
    expect(wanted[7]).to.equal('s-7!');
    expect(wanted.slice(-3)).to.deep.equal(['s-1000', 's-5000!', `s-${2 ** 31 - 2}!`]);
  });

  // With a hundred thousand pods each pass was a step of 300 ms.
  it('are looked at in turns with others', async () => {
    const pods = Array.from({ length: 100_000 }, (_, i) => pod(i));
    let turns = 0;
    let wanted: readonly Pod[] | undefined;
    void wantedPods(setOf(100_000), pods, plan).then((found) => (wanted = found));
    for (; wanted === undefined; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(wanted).to.have.length(100_000);
    expect(turns).to.be.above(2);
  });
});
