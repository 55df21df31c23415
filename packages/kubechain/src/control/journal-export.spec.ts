import type { JournalEntry } from '@kubechain/apiserver/control';
import { expect } from 'chai';
import { journalText } from './journal-export.ts';

const entry: JournalEntry = {
  id: 7,
  receivedAt: '2030-01-01T00:00:00.000Z',
  durationMs: 12.5,
  user: 'alice',
  userAgent: 'kubectl/v1.36',
  method: 'GET',
  verb: 'list',
  group: '',
  version: 'v1',
  resource: 'pods',
  namespace: '',
  name: '',
  uri: '/api/v1/pods?limit=5&labelSelector=a%3Db',
  code: 200,
  complete: true,
  server: 'kube-apiserver',
  auditID: 'id',
  queuedMs: 2.5,
  decision: { decision: 'Allow', reason: 'RBAC: allowed' },
  flowSchema: 'global-default',
  priorityLevel: 'global-default',
};

describe('journals for other tools', () => {
  it('have an entry in each line', () => {
    const lines = journalText([entry, { ...entry, id: 8 }], 'jsonl').split('\n');
    expect(lines.map((line) => (line === '' ? undefined : (JSON.parse(line) as JournalEntry).id))).to.deep.equal([
      7,
      8,
      undefined,
    ]);
  });

  it('are HTTP archives', () => {
    const { log } = JSON.parse(journalText([{ ...entry, fault: '3' }], 'har')) as { readonly log: object };
    expect(log).to.nested.include({
      version: '1.2',
      'entries[0].startedDateTime': '2030-01-01T00:00:00.000Z',
      'entries[0].time': 12.5,
      'entries[0].request.method': 'GET',
      'entries[0].request.url': 'https://kubernetes.default.svc/api/v1/pods?limit=5&labelSelector=a%3Db',
      'entries[0].request.queryString[1].value': 'a=b',
      'entries[0].response.status': 200,
      'entries[0].timings.blocked': 2.5,
      'entries[0].timings.wait': 10,
      'entries[0]._fault': '3',
      'entries[0]._decision.reason': 'RBAC: allowed',
      'entries[0]._flowSchema': 'global-default',
    });
  });
});
