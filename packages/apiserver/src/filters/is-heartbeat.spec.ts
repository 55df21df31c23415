import { expect } from 'chai';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isHeartbeat } from './is-heartbeat.ts';

const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x';

function request(method: string, url: string, headers: IncomingHttpHeaders = {}): IncomingMessage {
  return { method, url, headers } as IncomingMessage;
}

describe('a heartbeat', () => {
  const are: readonly IncomingMessage[] = [
    request('GET', '/livez'),
    request('GET', '/readyz'),
    request('GET', '/healthz'),
    request('GET', '/api', { authorization: 'Bearer x' }),
    request('GET', '/apis'),
    request('GET', '/.kubechain/object-stats'),
    request('GET', lease),
    request('PUT', lease, { 'content-length': '900' }),
  ];
  for (const each of are)
    it(`is ${each.method} ${each.url}`, () => {
      expect(isHeartbeat(each)).to.equal(true);
    });

  const areNot: readonly IncomingMessage[] = [
    request('GET', '/livez', { authorization: 'Bearer x' }),
    request('GET', '/livez?verbose'),
    request('GET', '/version'),
    request('POST', '/apis'),
    request('GET', '/api/v1'),
    request('GET', `${lease}?timeout=1s`),
    request('GET', `${lease}/status`),
    request('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'),
    request('PATCH', lease, { 'content-length': '9' }),
    request('PUT', lease),
    request('PUT', lease, { 'content-length': '5000' }),
    request('PUT', lease, { 'content-length': 'x' }),
    request('PUT', lease + 'x'.repeat(500), { 'content-length': '9' }),
  ];
  for (const each of areNot)
    it(`is not ${each.method} ${each.url?.slice(0, 80)} of ${JSON.stringify(each.headers)}`, () => {
      expect(isHeartbeat(each)).to.equal(false);
    });
});
