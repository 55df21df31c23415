import { expect } from 'chai';
import { completeOptions } from '../server/options.ts';
import { openStore } from '../server/open-store.ts';
import type { ServerContext } from '../context/server-context.ts';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';

const VALUE = Buffer.from('x');

function open(file: string, clock: FakeClock): ServerContext {
  let id = 1000;
  return openStore(completeOptions({ dataFile: file, clock }), { clientUrls: () => [], newId: () => id++ });
}

function close(context: ServerContext): void {
  context.lessor.close();
  context.hub.close();
  context.compaction.stop();
  context.commit.flush();
  context.database.close();
}

function putWithLease(context: ServerContext, key: string, lease: number): void {
  context.store.beginTxn();
  context.store.put(key, VALUE, lease);
  context.store.endTxn();
}

const present = (context: ServerContext): string[] => [...context.store.index].map((record) => record.key);

describe('Lessor', () => {
  let directory: TemporaryDirectory;
  let clock: FakeClock;
  let context: ServerContext;

  beforeEach(() => {
    directory = new TemporaryDirectory();
    clock = new FakeClock();
    context = open(directory.file('data.db'), clock);
  });

  afterEach(() => {
    close(context);
    directory[Symbol.dispose]();
  });

  async function restart(downMs: number): Promise<void> {
    close(context);
    await clock.advance(downMs);
    context = open(directory.file('data.db'), clock);
  }

  it('deletes the keys of an expired lease at one revision', async () => {
    context.lessor.grant(5, 10);
    putWithLease(context, 'b', 5);
    putWithLease(context, 'a', 5);
    putWithLease(context, 'c', 0);
    await clock.advance(9_900);
    expect(present(context)).to.deep.equal(['a', 'b', 'c']);
    await clock.advance(200);
    expect(present(context)).to.deep.equal(['c']);
    expect(context.store.revision).to.equal(5);
    expect(context.lessor.has(5)).to.equal(false);
  });

  it('keeps a lease as long as it is kept alive', async () => {
    context.lessor.grant(5, 10);
    putWithLease(context, 'a', 5);
    for (let step = 0; step < 5; step++) {
      await clock.advance(9_000);
      expect(context.lessor.renew(5)).to.equal(10);
    }
    expect(context.lessor.info(5)).to.deep.include({ remainingTtl: 10, keys: ['a'] });
    await clock.advance(10_200);
    expect(present(context)).to.deep.equal([]);
    expect(context.lessor.renew(5)).to.equal(undefined);
  });

  it('leaves a key alone that has moved to another lease or to none', async () => {
    context.lessor.grant(5, 10);
    context.lessor.grant(6, 1000);
    putWithLease(context, 'a', 5);
    putWithLease(context, 'b', 5);
    putWithLease(context, 'a', 6);
    putWithLease(context, 'b', 0);
    await clock.advance(11_000);
    expect(present(context)).to.deep.equal(['a', 'b']);
    context.lessor.revoke(6);
    expect(present(context)).to.deep.equal(['b']);
  });

  it('expires at the granted time across a restart', async () => {
    context.lessor.grant(5, 100);
    putWithLease(context, 'a', 5);
    await clock.advance(30_000);
    await restart(30_000);
    expect(context.lessor.info(5)).to.include({ grantedTtl: 100, remainingTtl: 40 });
    await clock.advance(39_000);
    expect(present(context)).to.deep.equal(['a']);
    await clock.advance(1_200);
    expect(present(context)).to.deep.equal([]);
  });

  it('expires at once what ran out while nobody served', async () => {
    context.lessor.grant(5, 100);
    putWithLease(context, 'a', 5);
    await restart(500_000);
    await clock.advance(200);
    expect(present(context)).to.deep.equal([]);
  });

  it('gives a lease that was kept alive its full time after a restart', async () => {
    context.lessor.grant(5, 100);
    await clock.advance(60_000);
    context.lessor.renew(5);
    await clock.advance(60_000);
    await restart(60_000);
    expect(context.lessor.info(5)).to.include({ remainingTtl: 100 });
  });

  it('remembers revoked leases as gone', async () => {
    context.lessor.grant(5, 100);
    context.lessor.revoke(5);
    await restart(0);
    expect(context.lessor.ids()).to.deep.equal([]);
  });

  it('chooses ids that are free', () => {
    context.lessor.grant(1000, 100);
    const chosen = context.lessor.grant(0, 100).id;
    expect(chosen).to.not.equal(1000);
    expect(context.lessor.ids()).to.have.members([1000, chosen]);
  });
});
