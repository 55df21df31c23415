import { tlsFixture } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { etcdCheck, httpsCheck } from './component-check.ts';

describe('the health of a part of the control plane', () => {
  const answers = new Map<number, string>([
    [200, 'ok'],
    [500, 'secrets'],
    [201, 'x'.repeat(20_000)],
  ]);
  let status = 200;
  const paths: (string | undefined)[] = [];
  const server = createServer({ key: tlsFixture.serverKey, cert: tlsFixture.serverCert }, (request, response) => {
    paths.push(request.url);
    response.writeHead(status).end(answers.get(status));
  });
  let host = '';
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  });

  it('is what /healthz says, whoever certified the server', async () => {
    status = 200;
    expect(await httpsCheck(host)()).to.deep.equal({ status: 'True', message: 'ok', error: '' });
    expect(paths).to.deep.equal(['/healthz']);
  });

  it('is bad when /healthz fails, and does not show its text', async () => {
    status = 500;
    expect(await httpsCheck(host)()).to.deep.equal({
      status: 'False',
      message: 'HTTP probe failed with statuscode: 500',
      error: '',
    });
  });

  it('shows the beginning of long answers', async () => {
    status = 201;
    expect((await httpsCheck(host)()).message).to.equal('x'.repeat(10_240));
  });

  it('is bad when nobody listens', async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    expect(await httpsCheck(host)()).to.deep.equal({
      status: 'False',
      message: `Get "https://${host}/healthz": dial tcp ${host}: connect: connection refused`,
      error: '',
    });
  });

  it('of etcd is whether it can be read', async () => {
    expect(await etcdCheck(() => Promise.resolve())()).to.deep.equal({ status: 'True', message: 'ok', error: '' });
    expect(await etcdCheck(() => Promise.reject(new Error('no route')))()).to.deep.equal({
      status: 'False',
      message: '',
      error: 'no route',
    });
  });
});
