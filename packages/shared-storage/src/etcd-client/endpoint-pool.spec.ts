import { expect } from 'chai';
import { createServer } from 'node:http2';
import type { Http2Server } from 'node:http2';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EtcdClient } from './etcd-client.ts';
import { createEtcdClient } from './etcd3-client.ts';

/** Answers with gRPC errors first, then with an empty message. */
describe('calls that etcd could not do', () => {
  let folder: string;
  let server: Http2Server;
  let client: EtcdClient;
  let answers: string[];
  let retries: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-pool-'));
    answers = [];
    retries = [];
    server = createServer();
    server.on('stream', (stream, headers) => {
      stream.resume();
      if (headers[':path']?.startsWith('/etcdserverpb.') !== true) {
        stream.respond({ ':status': 200, 'grpc-status': '12' }, { endStream: true });
        return;
      }
      stream.on('end', () => {
        const message = answers.shift();
        const status = message === undefined ? '0' : '14';
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status, 'grpc-message': message ?? '' }));
        stream.end(message === undefined ? Buffer.alloc(5) : undefined);
      });
    });
    await new Promise<void>((resolve) => server.listen(join(folder, 'etcd.sock'), resolve));
    client = createEtcdClient({
      endpoints: [`unix:${join(folder, 'etcd.sock')}`],
      onRetry: (label) => retries.push(label),
    });
  });
  afterEach(async () => {
    await client.close();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  it('are not sent where their messages are larger than what etcd reads', async () => {
    const value = Buffer.alloc(2 * 1024 * 1024 - 100);
    await client.put({ key: 'k', value });
    const refused = await client
      .put({ key: 'k', value: Buffer.alloc(value.length + 100) })
      .catch((error: unknown) => error);
    expect(refused).to.include({
      code: 'RequestTooLarge',
      notSent: true,
      message:
        'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2097160 vs. 2097152)',
    });
  });

  it('are repeated when they read, and told by their reason', async () => {
    // One after the other: a call that is repeated for too long fails.
    for (const answer of [
      'etcdserver: leader changed',
      'etcdserver: request timed out',
      'etcdserver: request timed out, possibly due to previous leader failure',
      'etcdserver: server stopped',
      'something else',
    ]) {
      answers = [answer];
      await client.range({ key: 'k' });
    }
    expect(retries).to.deep.equal(['LeaderChanged', 'Timeout', 'Timeout', 'Stopped', 'Unavailable']);
  });

  it('are repeated when they write only where nothing was written', async () => {
    answers = ['etcdserver: no leader', 'raft proposal dropped'];
    await client.put({ key: 'k', value: Buffer.from('v') });
    expect(retries).to.deep.equal(['NoLeader', 'ProposalDropped']);
    answers = ['etcdserver: request timed out'];
    const failure = await client.put({ key: 'k', value: Buffer.from('v') }).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(failure).to.include('etcdserver: request timed out');
    expect(retries).to.have.lengthOf(2);
  });
});
