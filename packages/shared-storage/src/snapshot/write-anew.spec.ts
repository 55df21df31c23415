import { expect } from 'chai';
import { MemoryEtcd } from '../testing/memory-etcd.ts';
import { takeSnapshot } from './snapshot.ts';
import { LaterRevisionError, writeAnew } from './write-anew.ts';

const end = '\0';

async function storeOf(keys: readonly string[]): Promise<MemoryEtcd> {
  const etcd = new MemoryEtcd();
  for (const key of keys) await etcd.put({ key, value: Buffer.from(key) });
  return etcd;
}

const revisions = async (etcd: MemoryEtcd): Promise<(readonly [string, number])[]> =>
  (await etcd.range({ key: end, rangeEnd: end })).kvs.map(({ key, modRevision }) => [key, modRevision] as const);

describe('a store that is written anew', () => {
  const keys = Array.from({ length: 300 }, (_, i) => `/k/${i}`);

  it('is like every other that holds the same, whatever was written before', async () => {
    const one = await storeOf(keys);
    const other = await storeOf([...keys.toReversed(), '/gone', '/gone']);
    await other.delete({ key: '/gone' });
    const before = await takeSnapshot(one);
    expect(await writeAnew(one, 1_000)).to.equal(await writeAnew(other, 1_000));
    expect(await revisions(one)).to.deep.equal(await revisions(other));
    expect((await revisions(one))[0]).to.deep.equal(['/k/0', 1_001]);
    expect((await takeSnapshot(one)).keys).to.deep.equal(before.keys);
  });

  it('is refused when it is past that revision', async () => {
    const etcd = await storeOf(keys);
    const refused = await writeAnew(etcd, 100).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(LaterRevisionError);
  });
});
