import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import type { CallOptions, EtcdClient, TxnRequest, TxnResponse } from '../etcd-client/etcd-client.ts';
import { isEtcdError } from '../etcd-client/etcd-error.ts';
import { CallRecorder } from '../testing/call-recorder.ts';
import { Compactor } from './compactor.ts';

describe('Compactor', () => {
  let folder: string;
  let etcd: EmbeddedEtcd;
  let client: EtcdClient;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-compactor-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
    client = createEtcdClient({ endpoints: [etcd.endpoint] });
  });
  afterEach(async () => {
    await client.close();
    await etcd.close();
    await rm(folder, { recursive: true });
  });
  const write = async (): Promise<number> => (await client.put({ key: 'k', value: Buffer.from('v') })).revision;
  const isCompacted = (revision: number): Promise<boolean> =>
    client.range({ key: 'k', revision }).then(
      () => false,
      (error: unknown) => {
        if (isEtcdError(error, 'Compacted')) return true;
        throw error;
      },
    );

  it('compacts to the revision of the round before', async () => {
    const compacted: number[] = [];
    const compactor = new Compactor(client, { onCompacted: (revision) => compacted.push(revision) });
    const first = await write();
    await compactor.round();
    expect(compacted).to.deep.equal([]);
    const second = await write();
    await compactor.round();
    expect(compacted).to.deep.equal([first + 1]);
    expect(await isCompacted(first)).to.equal(true);
    expect(await isCompacted(second)).to.equal(false);
    expect(compactor.compactedRevision).to.equal(first + 1);
  });

  it('has one winner a round among many', async () => {
    const winners: number[] = [];
    const compactors = Array.from(
      { length: 5 },
      (_, i) => new Compactor(client, { onCompacted: () => winners.push(i) }),
    );
    for (let round = 1; round <= 4; round++) {
      await write();
      await Promise.all(compactors.map((compactor) => compactor.round()));
      expect(winners.length).to.be.at.most(round);
    }
    expect(winners.length).to.be.above(1);
    // Who has lost knows what the winner did a round before.
    expect(compactors.every((compactor) => compactor.compactedRevision > 0)).to.equal(true);
  });

  it('takes over from a winner that has gone, and never compacts what is younger than a round', async () => {
    const gone = new Compactor(client);
    const heir = new Compactor(client);
    await gone.round();
    await gone.round();
    await heir.round();
    const kept = await write();
    await heir.round();
    expect(await isCompacted(kept)).to.equal(false);
    await heir.round();
    const later = await write();
    await heir.round();
    expect(await isCompacted(kept)).to.equal(true);
    expect(await isCompacted(later)).to.equal(false);
  });

  it('learns at once what others compact', async () => {
    const learns = new Compactor(client, {
      intervalMs: 60_000,
      wait: (ms, signal) =>
        ms > 1_000
          ? new Promise((_, reject) => {
              signal.addEventListener('abort', () => reject(new RangeError('stopped')));
            })
          : Promise.resolve(),
    });
    const compacts = new Compactor(client);
    const first = await write();
    await compacts.round();
    await compacts.round();
    learns.start();
    const known = async (revision: number): Promise<void> => {
      for (let i = 0; learns.compactedRevision < revision; i++) {
        expect(i).to.be.below(200);
        await delay(10);
      }
    };
    await known(first + 1);
    const second = await write();
    await compacts.round();
    await compacts.round();
    await known(second);
    expect(learns.compactedRevision).to.equal(compacts.compactedRevision);
    await learns.stop();
  });

  it('goes on after a failure', async () => {
    const errors: unknown[] = [];
    let rounds = 0;
    let reached: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      reached = resolve;
    });
    class FailsFirst extends CallRecorder {
      override txn(request: TxnRequest, options?: CallOptions): Promise<TxnResponse> {
        if (++rounds === 3) reached();
        return rounds === 1 ? Promise.reject(new RangeError('broken')) : super.txn(request, options);
      }
    }
    const compactor = new Compactor(new FailsFirst(client), { intervalMs: 1, onError: (error) => errors.push(error) });
    compactor.start();
    await done;
    await compactor.stop();
    expect(errors).to.have.lengthOf(1);
    expect(errors[0]).to.be.instanceOf(RangeError);
  });

  it('does nothing when it is turned off, and stops while it waits', async () => {
    const off = new Compactor(client, { intervalMs: 0 });
    off.start();
    await off.stop();
    const waiting = new Compactor(client);
    waiting.start();
    await waiting.stop();
    expect((await client.range({ key: 'compact_rev_key' })).kvs).to.have.lengthOf(0);
  });
});
