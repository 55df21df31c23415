import { expect } from 'chai';
import type { CertificateRequestContent } from '@kubechain/apiserver/certificates';
import { clientUsagesProblem, kubeletClientProblem, kubeletServingProblem } from './kubelet-requests.ts';

const none = { emails: [], dns: [], uris: [], ips: [] };
const one = [Buffer.of(1)];
const request = (parts: Partial<CertificateRequestContent> = {}): CertificateRequestContent => ({
  subject: Buffer.alloc(0),
  publicKeyInfo: Buffer.alloc(0),
  commonName: 'system:node:a',
  organizations: ['system:nodes'],
  names: none,
  ...parts,
});
const client = ['digital signature', 'key encipherment', 'client auth'];
const server = ['digital signature', 'key encipherment', 'server auth'];

describe('requests of kubelets', () => {
  const rows: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['a client', kubeletClientProblem(request(), client), undefined],
    ['a client without RSA', kubeletClientProblem(request(), ['client auth', 'digital signature']), undefined],
    [
      'a client that may too much',
      kubeletClientProblem(request(), [...client, 'server auth']),
      'usages did not match [client auth digital signature key encipherment]',
    ],
    [
      'another group',
      kubeletClientProblem(request({ organizations: ['system:masters'] }), client),
      'subject organization is not system:nodes',
    ],
    [
      'two groups',
      kubeletClientProblem(request({ organizations: ['system:nodes', 'x'] }), client),
      'subject organization is not system:nodes',
    ],
    [
      'another name',
      kubeletClientProblem(request({ commonName: 'a' }), client),
      'subject common name does not begin with system:node:',
    ],
    [
      'a client with a host name',
      kubeletClientProblem(request({ names: { ...none, dns: one } }), client),
      'DNS subjectAltNames are not allowed',
    ],
    ['a server', kubeletServingProblem(request({ names: { ...none, ips: one } }), server), undefined],
    ['a server without names', kubeletServingProblem(request(), server), 'DNS or IP subjectAltName is required'],
    [
      'a server with a URI',
      kubeletServingProblem(request({ names: { ...none, dns: one, uris: one } }), server),
      'URI subjectAltNames are not allowed',
    ],
    ['another client', clientUsagesProblem(client), undefined],
    ['a client that serves', clientUsagesProblem(server), 'invalid usage for client certificate: server auth'],
    [
      'a client that is none',
      clientUsagesProblem(['digital signature']),
      'missing required usage for client certificate: client auth',
    ],
  ];
  for (const [name, problem, expected] of rows) it(name, () => expect(problem).to.equal(expected));
});
