import { expect } from 'chai';
import { execFile, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { SpawnedStore } from '../testing/spawned-store.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';

/** etcd's own command line client, as people use it to look into a store. It must be on the PATH. */
describe('etcdctl', () => {
  let directory: TemporaryDirectory;
  let store: SpawnedStore;
  /**
   * Without the scheme: for `endpoint status`, etcdctl 3.4 sends all of it as the HTTP/2 authority, which Node's HTTP/2
   * refuses.
   */
  let address: string;
  const env = { ...process.env, ETCDCTL_API: '3' };

  /** What it prints; rejects with all its output when it fails. */
  const etcdctl = (args: readonly string[], input = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = execFile(
        'etcdctl',
        ['--endpoints', address, ...args],
        { env, timeout: 120_000 },
        (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else
            reject(
              error.code === 'ENOENT'
                ? new Error('etcdctl is not installed')
                : new Error(`etcdctl ${args.join(' ')}\n${stdout}${stderr}`),
            );
        },
      );
      // It may have ended without reading what it does not want.
      child.stdin?.on('error', () => undefined).end(input);
    });
  const lines = async (...args: string[]): Promise<string[]> => (await etcdctl(args)).trimEnd().split('\n');
  const json = async (...args: string[]): Promise<unknown> => JSON.parse(await etcdctl([...args, '-w', 'json']));
  const failure = (...args: string[]): Promise<string> =>
    etcdctl(args).then(
      () => 'succeeded',
      (error: unknown) => (error as Error).message,
    );

  before(async function start() {
    this.timeout(120_000);
    directory = new TemporaryDirectory();
    store = new SpawnedStore(['--data-file', directory.file('data.db'), '--listen', '127.0.0.1:0']);
    address = new URL(await store.endpoint()).host;
  });
  after(async () => {
    await store[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  it('puts, gets and deletes', async () => {
    expect(await lines('put', 'a/1', 'one')).to.deep.equal(['OK']);
    expect(await lines('put', 'a/2', 'two')).to.deep.equal(['OK']);
    expect(await lines('put', 'b', 'other')).to.deep.equal(['OK']);
    expect(await lines('get', 'a/1')).to.deep.equal(['a/1', 'one']);
    expect(await lines('get', '--prefix', 'a/')).to.deep.equal(['a/1', 'one', 'a/2', 'two']);
    expect(await lines('get', '--prefix', '--keys-only', '--order', 'DESCEND', 'a/')).to.deep.equal(['a/2', '', 'a/1']);
    expect(await lines('get', '--from-key', '--limit', '2', '--print-value-only', 'a/2')).to.deep.equal([
      'two',
      'other',
    ]);
    expect(await json('get', '--prefix', '--keys-only', '')).to.deep.include({ count: 3 });
    expect(await lines('put', '--prev-kv', 'b', 'changed')).to.deep.equal(['OK', 'b', 'other']);
    expect(await lines('del', '--prev-kv', 'b')).to.deep.equal(['1', 'b', 'changed']);
    expect(await lines('del', '--prefix', 'a/')).to.deep.equal(['2']);
    expect(await lines('get', '--prefix', '')).to.deep.equal(['']);
  });

  it('compares and swaps in transactions', async () => {
    await etcdctl(['put', 'lock', 'free']);
    const take = 'value("lock") = "free"\nmod("lock") > "0"\n\nput lock taken\nget lock\n\nget lock\n\n';
    expect((await etcdctl(['txn'], take)).trimEnd().split('\n')).to.deep.equal([
      'SUCCESS',
      '',
      'OK',
      '',
      'lock',
      'taken',
    ]);
    expect((await etcdctl(['txn'], take)).trimEnd().split('\n')).to.deep.equal(['FAILURE', '', 'lock', 'taken']);
  });

  it('grants, keeps, lists and revokes leases', async () => {
    const lease =
      /lease ([0-9a-f]+) granted with TTL\(100s\)/.exec(await etcdctl(['lease', 'grant', '100']))?.[1] ?? 'none';
    await etcdctl(['put', '--lease', lease, 'leased', 'x']);
    expect(await etcdctl(['lease', 'keep-alive', '--once', lease])).to.equal(
      `lease ${lease} keepalived with TTL(100)\n`,
    );
    expect(await etcdctl(['lease', 'timetolive', '--keys', lease])).to.match(
      new RegExp(
        `^lease ${lease} granted with TTL\\(100s\\), remaining\\((100|9\\d)s\\), attached keys\\(\\[leased\\]\\)\n$`,
      ),
    );
    expect(await etcdctl(['lease', 'list'])).to.include(lease);
    expect(await etcdctl(['lease', 'revoke', lease])).to.equal(`lease ${lease} revoked\n`);
    expect(await lines('get', 'leased')).to.deep.equal(['']);
    expect(await etcdctl(['lease', 'timetolive', lease])).to.equal(`lease ${lease} already expired\n`);
    expect(await failure('lease', 'revoke', lease)).to.include('etcdserver: requested lease not found');
  });

  it('watches what is and what was', async () => {
    const {
      header: { revision },
    } = (await json('put', 'w/1', 'first')) as { header: { revision: number } };
    const watching = spawn(
      'etcdctl',
      ['--endpoints', address, 'watch', '--prefix', '--prev-kv', '--rev', String(revision), 'w/'],
      { env, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      let printed = '';
      watching.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
      // Key and value before, if any, then key and value after; a deletion has none after.
      const told = async (expected: string): Promise<void> => {
        for (
          const deadline = Date.now() + 60_000;
          printed.replaceAll(/\s+/g, ' ').trim() !== expected && Date.now() < deadline;
        )
          await delay(10);
        expect(printed.replaceAll(/\s+/g, ' ').trim()).to.equal(expected);
      };
      await told('PUT w/1 first');
      await etcdctl(['put', 'w/1', 'second']);
      await told('PUT w/1 first PUT w/1 first w/1 second');
      await etcdctl(['del', 'w/1']);
      await told('PUT w/1 first PUT w/1 first w/1 second DELETE w/1 second w/1');
    } finally {
      watching.kill();
    }
  });

  it('compacts', async () => {
    const {
      header: { revision: old },
    } = (await json('put', 'c', '1')) as { header: { revision: number } };
    const {
      header: { revision },
    } = (await json('put', 'c', '2')) as { header: { revision: number } };
    expect(await lines('get', '--rev', String(old), 'c')).to.deep.equal(['c', '1']);
    expect(await etcdctl(['compact', '--physical', String(revision)])).to.equal(`compacted revision ${revision}\n`);
    expect(await failure('get', '--rev', String(old), 'c')).to.include(
      'etcdserver: mvcc: required revision has been compacted',
    );
    expect(await failure('compact', String(old))).to.include('etcdserver: mvcc: required revision has been compacted');
    expect(await lines('get', 'c')).to.deep.equal(['c', '2']);
  });

  it('tells how the store is', async () => {
    expect(await etcdctl(['endpoint', 'health'])).to.match(/is healthy: successfully committed proposal|^$/);
    const [{ Status: status }] = (await json('endpoint', 'status')) as [
      { Status: { version: string; dbSize: number; leader: number; header: { member_id: number } } },
    ];
    expect(status.version).to.match(/^3\.\d+\.\d+/);
    expect(status.dbSize).to.be.greaterThan(0);
    expect(status.leader).to.equal(status.header.member_id);
    const { members } = (await json('member', 'list')) as { members: { ID: number; clientURLs: string[] }[] };
    expect(members).to.have.length(1);
    expect(members[0]).to.deep.include({ ID: status.header.member_id });
    expect(await etcdctl(['alarm', 'list'])).to.equal('');
    expect(await etcdctl(['defrag'])).to.include('Finished defragmenting etcd member');
    expect(await json('endpoint', 'hashkv')).to.have.length(1);
    expect(await failure('snapshot', 'save', directory.file('snapshot'))).to.match(
      /Snapshot.*(not supported|unimplemented)|Unimplemented/i,
    );
  });
});
