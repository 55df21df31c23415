import { expect } from 'chai';
import type { ObjectMeta, OwnerReference } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { WorkQueue } from '@kubechain/shared-storage/work-queue';
import { DependencyGraph } from './dependency-graph.ts';
import type { GraphNode, Identity } from './graph-node.ts';

const identity = (uid: string, more: Partial<Identity> = {}): Identity => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'default',
  name: uid,
  uid,
  ...more,
});
const ownedBy = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: uid,
  uid,
  ...more,
});

describe('DependencyGraph', () => {
  const setUp = () => {
    const clock = new FakeClock();
    const attemptToDelete = new WorkQueue<GraphNode>({ name: 'test', clock });
    const attemptToOrphan = new WorkQueue<GraphNode>({ name: 'test', clock });
    const warned: string[] = [];
    const graph = new DependencyGraph({
      attemptToDelete,
      attemptToOrphan,
      onInvalidNamespace: (dependent, { uid }) => warned.push(`${dependent.identity.uid} → ${uid}`),
    });
    const take = async (queue: WorkQueue<GraphNode>): Promise<string[]> => {
      const taken: string[] = [];
      while (queue.length > 0) {
        const node = await queue.get();
        taken.push(node!.identity.uid);
        queue.done(node!);
      }
      return taken.sort();
    };
    const add = (who: Identity, metadata: ObjectMeta = {}, previous?: ObjectMeta): void =>
      graph.observed({ identity: who, metadata, previous });
    return { add, graph, warned, deleting: () => take(attemptToDelete), orphaning: () => take(attemptToOrphan) };
  };

  it('asks for owners that nobody has shown, and for their dependents when they are absent', async () => {
    const { add, graph, deleting } = setUp();
    add(identity('child'), { ownerReferences: [ownedBy('owner')] });
    expect([graph.get('owner')?.virtual, await deleting()]).to.deep.equal([true, ['owner']]);
    graph.foundAbsent(identity('owner'));
    expect(await deleting()).to.deep.equal(['child']);
    expect([graph.get('owner'), graph.isAbsent(identity('owner'))]).to.deep.equal([undefined, true]);
  });

  it('queues dependents of what was deleted, and owners that wait for them', async () => {
    const { add, graph, deleting } = setUp();
    const waiting = { deletionTimestamp: 'now', finalizers: ['foregroundDeletion'] };
    add(identity('owner'), {});
    add(identity('child'), { ownerReferences: [ownedBy('owner', { blockOwnerDeletion: true })] });
    add(identity('grandchild'), { ownerReferences: [ownedBy('child')] });
    expect(await deleting()).to.deep.equal([]);
    add(identity('owner'), waiting, {});
    expect(await deleting()).to.deep.equal(['child', 'owner']);
    const blocking = graph.get('owner')?.blockingDependents ?? [];
    expect(Array.from(blocking, (node) => node.identity.uid)).to.deep.equal(['child']);
    graph.deleted(identity('child'));
    expect(await deleting()).to.deep.equal(['grandchild', 'owner']);
  });

  it('queues what is to be orphaned once', async () => {
    const { add, orphaning } = setUp();
    const orphaned = { deletionTimestamp: 'now', finalizers: ['orphan'] };
    add(identity('owner'), orphaned, {});
    add(identity('owner'), orphaned, orphaned);
    expect(await orphaning()).to.deep.equal(['owner']);
  });

  it('queues an owner when a dependent no longer blocks it', async () => {
    const { add, deleting } = setUp();
    add(identity('owner'));
    add(identity('child'), { ownerReferences: [ownedBy('owner', { blockOwnerDeletion: true })] });
    add(identity('child'), { ownerReferences: [ownedBy('owner', { blockOwnerDeletion: false })] });
    expect(await deleting()).to.deep.equal(['owner']);
  });

  it('queues an owner that waits for twenty thousand once, when the last of them has gone', async () => {
    const { add, graph, deleting } = setUp();
    add(identity('owner'));
    for (let i = 0; i < 20_000; i++)
      add(identity(`d${i}`), { ownerReferences: [ownedBy('owner', { blockOwnerDeletion: true })] });
    add(identity('owner'), { deletionTimestamp: 'now', finalizers: ['foregroundDeletion'] }, {});
    expect((await deleting()).length).to.equal(20_001);
    let queued = 0;
    for (let i = 0; i < 20_000; i++) {
      graph.deleted(identity(`d${i}`));
      queued += (await deleting()).length;
    }
    expect(queued).to.equal(1);
  });

  it('queues what gets an owner that is being deleted in the foreground', async () => {
    const { add, deleting } = setUp();
    add(identity('owner'));
    add(identity('early'), { ownerReferences: [ownedBy('owner', { blockOwnerDeletion: true })] });
    add(identity('owner'), { deletionTimestamp: 'now', finalizers: ['foregroundDeletion'] }, {});
    await deleting();
    add(identity('late'), { ownerReferences: [ownedBy('owner', { blockOwnerDeletion: true })] });
    expect(await deleting()).to.deep.equal(['late']);
  });

  it('knows of several references to an owner whether one blocks it', () => {
    const { add, graph } = setUp();
    add(identity('owner'));
    const blocks = (...references: readonly boolean[]): boolean => {
      const ownerReferences = references.map((blockOwnerDeletion) => ownedBy('owner', { blockOwnerDeletion }));
      add(identity('child'), { ownerReferences });
      return graph.get('owner')!.blockingDependents.size === 1;
    };
    expect(blocks(true, false)).to.equal(true);
    expect(blocks(false, false)).to.equal(false);
    expect(blocks(false, true)).to.equal(true);
    expect(blocks(false)).to.equal(false);
  });

  it('looks up the references of one object to twenty thousand owners that are not there', () => {
    const { add, graph } = setUp();
    const owners = Array.from({ length: 20_000 }, (_, i) => ownedBy(`o${i}`));
    add(identity('child'), { ownerReferences: owners });
    const { user } = process.cpuUsage();
    for (const { uid } of owners) graph.foundAbsent(graph.get(uid)!.identity);
    expect(graph.size).to.equal(1);
    // Looked through for each of them they took 2,000 ms and more.
    expect((process.cpuUsage().user - user) / 1_000).to.be.lessThan(1_000);
  });

  it('warns of owners in other namespaces, whichever is seen first', async () => {
    const { add, warned, deleting } = setUp();
    const elsewhere = identity('owner', { namespace: 'other' });
    add(elsewhere);
    add(identity('late'), { ownerReferences: [ownedBy('owner')] });
    expect([warned, await deleting()]).to.deep.equal([['late → owner'], ['late']]);
    const second = setUp();
    second.add(identity('early'), { ownerReferences: [ownedBy('owner')] });
    await second.deleting();
    second.add(elsewhere);
    expect([second.warned, await second.deleting()]).to.deep.equal([['early → owner'], ['early']]);
  });

  it('tries every object that dependents mean by a uid before it calls the owner absent', async () => {
    const { add, graph, deleting } = setUp();
    add(identity('a'), { ownerReferences: [ownedBy('x', { kind: 'Secret' })] });
    add(identity('b'), { ownerReferences: [ownedBy('x')] });
    await deleting();
    graph.foundAbsent(identity('x', { kind: 'Secret' }));
    // Only who meant the Secret has lost its owner; the other meaning is asked for next.
    expect(await deleting()).to.deep.equal(['a']);
    expect(graph.get('x')?.identity.kind).to.equal('ConfigMap');
    add(identity('x'));
    expect(await deleting()).to.deep.equal([]);
    expect(graph.get('x')?.virtual).to.equal(false);
  });

  it('finds the next meaning of a uid among fifty thousand in one look', async function () {
    this.timeout(30_000);
    const { add, graph } = setUp();
    const meant = 50_000;
    // In no order.
    for (let i = 0; i < meant; i++)
      add(identity(`d${i}`), { ownerReferences: [{ ...ownedBy('x'), name: `n${(i * 7_919) % meant}` }] });
    const { user } = process.cpuUsage();
    const tried = new Set<string>();
    for (let i = 0; i < 20; i++) {
      tried.add(graph.get('x')!.identity.name);
      graph.foundAbsent(graph.get('x')!.identity);
    }
    expect(tried.size).to.equal(20);
    // Sorted each time they took 4,000 ms.
    expect((process.cpuUsage().user - user) / 1_000).to.be.lessThan(2_000);
  });
});
