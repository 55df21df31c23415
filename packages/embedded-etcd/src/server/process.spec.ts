import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { RawClient } from '../testing/raw-client.ts';
import { SpawnedStore } from '../testing/spawned-store.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';

const ANY_PORT = ['--listen', '127.0.0.1:0'];

describe('the process', () => {
  it('serves, keeps its data and ends on SIGTERM', async () => {
    using directory = new TemporaryDirectory();
    const args = ['--data-file', directory.file('data.db'), ...ANY_PORT];
    for (const version of [1, 2]) {
      await using store = new SpawnedStore(args);
      const client = new RawClient(await store.endpoint());
      await client.call('KV.Put', { key: Buffer.from('a'), value: Buffer.from('x') });
      const reply = await client.call('KV.Range', { key: Buffer.from('a') });
      expect((reply['kvs'] as { version: number }[])[0]?.version).to.equal(version);
      client.close();
      expect(await store.kill('SIGTERM')).to.include({ code: 0, stderr: '' });
    }
  });

  it('ends watches with an error that clients retry when it stops', async () => {
    using directory = new TemporaryDirectory();
    await using store = new SpawnedStore(['--data-file', directory.file('data.db'), ...ANY_PORT]);
    const client = new RawClient(await store.endpoint());
    const watch = client.stream('Watch.Watch');
    const failed = new Promise<{ code: number; details: string }>((resolve) =>
      watch.once('error', (error) => resolve(error as never)),
    );
    watch.write({ create_request: { key: Buffer.from('a') } });
    await new Promise((resolve) => watch.once('data', resolve));
    const ending = await store.kill('SIGTERM');
    expect(ending.code).to.equal(0);
    expect(await failed).to.include({ code: 14, details: 'etcdserver: server stopped' });
    client.close();
  });

  it('says everything about itself with --help', async () => {
    const { code, stdout } = await new SpawnedStore(['--help']).ended;
    expect(code).to.equal(0);
    for (const flag of [
      '--data-file',
      '--listen',
      '--unsafe-no-fsync',
      '--cert-file',
      '--key-file',
      '--trusted-ca-file',
      '--client-cert-auth',
    ]) {
      expect(stdout).to.contain(flag);
    }
  });

  it('refuses a second process on the same file', async () => {
    using directory = new TemporaryDirectory();
    const file = directory.file('data.db');
    await using first = new SpawnedStore(['--data-file', file, ...ANY_PORT]);
    await first.endpoint();
    const second = await new SpawnedStore(['--data-file', file, ...ANY_PORT]).ended;
    expect(second.stderr).to.equal(`embedded-etcd: --data-file: ${file} is in use by another process\n`);
    expect(second.code).to.equal(1);
    await first.kill('SIGKILL');
    await using third = new SpawnedStore(['--data-file', file, ...ANY_PORT]);
    await third.endpoint();
    await third.kill('SIGTERM');
  });

  it('refuses a port that is taken', async () => {
    using directory = new TemporaryDirectory();
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as AddressInfo;
    const { code, stderr } = await new SpawnedStore([
      '--data-file',
      directory.file('data.db'),
      '--listen',
      `127.0.0.1:${port}`,
    ]).ended;
    expect(stderr).to.equal(`embedded-etcd: --listen: 127.0.0.1:${port} is already in use\n`);
    expect(code).to.equal(1);
    await new Promise((resolve) => holder.close(resolve));
  });

  it('takes over the unix socket of a process that was killed, and no other', async () => {
    using directory = new TemporaryDirectory();
    const socket = directory.file('etcd.sock');
    await using killed = new SpawnedStore(['--data-file', directory.file('data.db'), '--listen', `unix:${socket}`]);
    await killed.endpoint();
    const other = await new SpawnedStore(['--data-file', directory.file('other.db'), '--listen', `unix:${socket}`])
      .ended;
    expect(other.stderr).to.equal(`embedded-etcd: --listen: ${socket} is already in use\n`);
    await killed.kill('SIGKILL');
    await using next = new SpawnedStore(['--data-file', directory.file('data.db'), '--listen', `unix:${socket}`]);
    const client = new RawClient(await next.endpoint());
    expect((await client.call('KV.Range', { key: Buffer.from('a') }))['header']).to.include({ revision: 1 });
    client.close();
  });

  const badFiles: readonly { readonly name: string; readonly make: (file: string) => void; readonly says: RegExp }[] = [
    {
      name: 'text',
      make: (file) => writeFileSync(file, 'not a database at all, only text '.repeat(50)),
      says: /is corrupt or not a data file/,
    },
    {
      name: 'a database of another program',
      make: (file) => {
        const database = new DatabaseSync(file);
        database.exec('CREATE TABLE t (x); INSERT INTO t VALUES (1)');
        database.close();
      },
      says: /is a database of another program/,
    },
    { name: 'in a directory that is not there', make: () => undefined, says: /cannot be opened/ },
  ];
  for (const { name, make, says } of badFiles) {
    it(`refuses a data file that is ${name}`, async () => {
      using directory = new TemporaryDirectory();
      const file = name.startsWith('in a') ? directory.file('missing/data.db') : directory.file('data.db');
      make(file);
      const { code, stderr } = await new SpawnedStore(['--data-file', file, ...ANY_PORT]).ended;
      expect(stderr)
        .to.match(/^embedded-etcd: --data-file: [^\n]*\n$/)
        .and.match(says);
      expect(code).to.equal(1);
    });
  }

  const badFlags: readonly (readonly [readonly string[], RegExp])[] = [
    [['--nonsense'], /--nonsense/],
    [['--listen', 'nowhere'], /--listen "nowhere"/],
    [['--listen', '127.0.0.1:99999'], /--listen/],
    [['--cert-file', 'a.pem'], /--cert-file and --key-file/],
    [['--cert-file', '/missing/a.pem', '--key-file', '/missing/a.key'], /--cert-file: cannot read \/missing\/a.pem/],
    [['--client-cert-auth'], /--client-cert-auth needs --trusted-ca-file/],
    [['--watch-progress-notify-interval', 'soon'], /--watch-progress-notify-interval "soon"/],
  ];
  for (const [args, says] of badFlags) {
    it(`refuses ${args.join(' ')}`, async () => {
      const { code, stderr } = await new SpawnedStore(args).ended;
      expect(stderr)
        .to.match(/^embedded-etcd: [^\n]*\n$/)
        .and.match(says);
      expect(code).to.equal(1);
    });
  }
});
