import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import type { RequestMessage } from '@kubechain/apiserver/observe';
import type { ChainFacts } from '../src/page/feed-messages.ts';
import { asCurl, asKubectl } from './copies.ts';

const facts: ChainFacts = {
  url: 'https://127.0.0.1:6443',
  kubeconfig: '/data/admin.kubeconfig',
  topology: 'chain',
  servers: [],
  version: '0',
  latencyBoundsMs: [],
};
const request = (of: Partial<RequestMessage>): RequestMessage => ({
  kind: 'request',
  auditID: '',
  startedMs: 0,
  durationMs: 0,
  method: 'GET',
  uri: '/',
  verb: 'get',
  group: '',
  version: 'v1',
  resource: '',
  namespace: '',
  name: '',
  user: 'kubernetes-admin',
  groups: [],
  userAgent: '',
  client: '',
  code: 200,
  complete: true,
  delegate: '',
  queuedMs: 0,
  requestBytes: -1,
  accept: '*/*',
  contentType: '',
  ...of,
});

/** The words that a shell makes of a command. */
function words(command: string): string[] {
  const printed = command.replace(/^(kubectl|curl) /, "printf '%s\\0' ");
  return execFileSync('sh', ['-c', printed], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('copies of a request', () => {
  const rows: readonly (readonly [name: string, of: Partial<RequestMessage>, command: string])[] = [
    [
      'an object',
      { resource: 'deployments', group: 'apps', namespace: 'a', name: 'b' },
      'get deployments.apps b -n a --kubeconfig /data/admin.kubeconfig',
    ],
    ['a list', { verb: 'list', resource: 'pods' }, 'get pods -A --kubeconfig /data/admin.kubeconfig'],
    [
      'a subresource of somebody else',
      { resource: 'pods/status', namespace: 'a', name: 'b', user: 'system:node:n' },
      'get pods b --subresource=status -n a --kubeconfig /data/admin.kubeconfig --as system:node:n',
    ],
    [
      'a deletion',
      { verb: 'delete', resource: 'pods', namespace: 'a', name: 'b' },
      'delete pods b -n a --kubeconfig /data/admin.kubeconfig',
    ],
    ['a document', { uri: '/version' }, 'get --raw /version --kubeconfig /data/admin.kubeconfig'],
  ];
  for (const [name, of, command] of rows)
    it(`are of kubectl for ${name}`, () => {
      expect(asKubectl(request(of), facts)).to.equal(`kubectl ${command}`);
    });

  it('are of curl, with what was asked for', () => {
    const pki = '/data/pki';
    const told = words(asCurl(request({ uri: '/api?a=b&c=d', accept: 'application/json' }), facts));
    expect(told.join('|')).to.equal(
      `--cacert|${pki}/ca.crt|--cert|${pki}/admin.crt|--key|${pki}/admin.key|` +
        '-H|Accept: application/json|https://127.0.0.1:6443/api?a=b&c=d',
    );
  });

  const hostile = "$(id)';`id`";
  for (const verb of ['get', 'list', 'watch', 'delete', 'deletecollection', 'proxy'])
    it(`let nothing that a stranger has sent be a command: ${verb}`, () => {
      const message = request({
        verb,
        uri: `/api/v1/${hostile}?labelSelector=${encodeURIComponent(hostile)}`,
        resource: `pods${hostile}/${hostile}`,
        group: hostile,
        namespace: hostile,
        name: hostile,
        user: hostile,
        accept: hostile,
      });
      const kubectl = words(asKubectl(message, facts));
      expect(kubectl).to.include.members(['-n', hostile, '-l', '--as', `--subresource=${hostile}`]);
      expect(words(asCurl(message, facts))).to.include(`${facts.url}${message.uri}`);
    });
});
