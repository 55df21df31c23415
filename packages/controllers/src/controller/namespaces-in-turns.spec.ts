import { FakeClock } from '@kubechain/apimachinery/testing';
import { WorkQueue } from '@kubechain/shared-storage/work-queue';
import { expect } from 'chai';
import { namespacesInTurns } from './namespaces-in-turns.ts';

describe('namespaces in turns', () => {
  it('let another namespace have the next turn, however many keys wait before', async () => {
    const queue = new WorkQueue({ clock: new FakeClock(), name: 'test', sharing: namespacesInTurns });
    for (let i = 0; i < 1_000; i++) queue.add(`full/${i}`);
    queue.add('other/a');
    queue.add('of-the-cluster');
    const taken: (string | undefined)[] = [];
    for (let i = 0; i < 5; i++) taken.push(await queue.get());
    expect(taken).to.deep.equal(['full/0', 'other/a', 'of-the-cluster', 'full/1', 'full/2']);
  });

  it('do so with keys that tell by a word what they are of', async () => {
    const queue = new WorkQueue({ clock: new FakeClock(), name: 'test', sharing: namespacesInTurns });
    for (let i = 0; i < 1_000; i++) queue.add(`claim full/${i}`);
    queue.add('claim other/a');
    queue.add('volume v');
    const taken: (string | undefined)[] = [];
    for (let i = 0; i < 4; i++) taken.push(await queue.get());
    expect(taken).to.deep.equal(['claim full/0', 'claim other/a', 'volume v', 'claim full/1']);
  });
});
