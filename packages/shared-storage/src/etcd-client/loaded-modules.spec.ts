import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Tells after each step whether the process has loaded node:http2. */
const program = `
import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
const told = [];
const tell = () => told.push(process.moduleLoadList.includes('NativeModule http2'));
const folder = process.argv[1];
const store = await startEmbeddedEtcd({ dataFile: folder + '/etcd.db', socketPath: folder + '/etcd.sock' });
const client = createEtcdClient({ endpoints: [store.endpoint] });
await client.put({ key: 'a', value: Buffer.from('x') });
await client.range({ key: 'a', rangeEnd: 'b' });
await new Promise((created) => client.watch({ key: 'a', startRevision: 0 }, {
  created, events() {}, progress() {}, end() {},
}));
tell();
const { connect } = await import('node:net');
const old = connect(folder + '/etcd.sock', () => old.write('PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n'));
await new Promise((resolve) => old.once('data', resolve));
tell();
old.destroy();
await client.close();
await store.close();
console.log(JSON.stringify(told));
`;

describe('node:http2', () => {
  it('is loaded by neither client nor embedded store before somebody speaks it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubechain-loaded-'));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--no-warnings', '--eval', program, folder],
      { cwd: import.meta.dirname },
    );
    expect(JSON.parse(stdout)).to.deep.equal([false, true]);
    await rm(folder, { recursive: true });
  }).timeout(60_000);
});
