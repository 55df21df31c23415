import { expect } from 'chai';
import { RawClient } from '../testing/raw-client.ts';
import { SpawnedStore } from '../testing/spawned-store.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';

const WRITERS = 32;
const ROUNDS = 4;

interface Reply {
  readonly header: { readonly revision: number };
  readonly kvs?: readonly { readonly key: Buffer; readonly value: Buffer; readonly mod_revision: number }[];
}

/** Writes the key again and again; answers with the last acknowledged number and revision when the server is gone. */
async function write(
  client: RawClient,
  key: string,
  first: number,
): Promise<{ key: string; acknowledged: number; revision: number }> {
  let acknowledged = first;
  let revision = 0;
  for (let number = first + 1; ; number++) {
    try {
      const reply = (await client.call('KV.Put', {
        key: Buffer.from(key),
        value: Buffer.from(String(number)),
      })) as unknown as Reply;
      acknowledged = number;
      revision = reply.header.revision;
    } catch {
      return { key, acknowledged, revision };
    }
  }
}

describe('a crash in a write storm', () => {
  it('loses no acknowledged write and takes no revision back', async function () {
    this.timeout(60_000);
    using directory = new TemporaryDirectory();
    const args = ['--data-file', directory.file('data.db'), '--listen', '127.0.0.1:0'];
    const last = new Map<string, number>();
    let highest = 1;
    for (let round = 0; round < ROUNDS; round++) {
      await using store = new SpawnedStore(args);
      const client = new RawClient(await store.endpoint());
      const { kvs = [], header } = (await client.call('KV.Range', {
        key: Buffer.from('w'),
        range_end: Buffer.from('x'),
      })) as unknown as Reply;
      expect(header.revision).to.be.at.least(highest);
      const found = new Map(kvs.map((kv) => [kv.key.toString(), Number(kv.value.toString())]));
      // One write of each key was in flight when the process died; it may have won or lost, nothing older may be
      // missing.
      for (const [key, number] of last) expect(found.get(key) ?? 0, key).to.be.oneOf([number, number + 1]);
      expect(Math.max(1, ...kvs.map((kv) => kv.mod_revision))).to.be.at.most(header.revision);
      const writers = Array.from({ length: WRITERS }, (_, index) =>
        write(client, `w${index}`, found.get(`w${index}`) ?? 0),
      );
      await new Promise((resolve) => setTimeout(resolve, 300 + 70 * round));
      await store.kill('SIGKILL');
      for (const { key, acknowledged, revision } of await Promise.all(writers)) {
        last.set(key, acknowledged);
        highest = Math.max(highest, revision);
      }
      client.close();
    }
    expect(highest).to.be.greaterThan(WRITERS * ROUNDS);
  });
});
