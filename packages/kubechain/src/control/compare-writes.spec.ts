import type { JournalEntry } from '@kubechain/apiserver/control';
import { expect } from 'chai';
import { differencesOfWrites } from './compare-writes.ts';

interface Asked {
  readonly verb: string;
  readonly resource?: string;
  readonly name?: string;
  readonly body?: object;
  readonly answer?: object;
  readonly code?: number;
}

function run(...requests: readonly Asked[]): JournalEntry[] {
  return requests.map(({ answer, body, code = 200, name = '', resource = 'configmaps', verb }, i) => ({
    id: i + 1,
    receivedAt: '2030-01-01T00:00:00.000Z',
    durationMs: 1,
    user: 'controller',
    userAgent: 'test',
    method: 'POST',
    verb,
    group: resource.startsWith('deployments') ? 'apps' : '',
    version: 'v1',
    resource,
    namespace: 'default',
    name,
    uri: '/',
    code,
    complete: true,
    server: 'kube-apiserver',
    auditID: String(i),
    queuedMs: 0,
    flowSchema: '',
    priorityLevel: '',
    ...(body === undefined ? {} : { requestBody: bodyOf(body) }),
    ...(answer === undefined ? {} : { answerBody: bodyOf(answer) }),
  }));
}

function bodyOf(value: object): { contentType: string; bytes: number; text: string } {
  const text = JSON.stringify(value);
  return { contentType: 'application/json', bytes: text.length, text };
}

const made = (name: string, data: string, metadata: object = {}): Asked => ({
  verb: 'create',
  body: { metadata: { name, ...metadata }, data: { key: data } },
});

describe('the writes of two runs', () => {
  it('are the same whatever the server makes anew, and in whichever order objects come', () => {
    const before = run(
      made('a', '2030-01-01T00:00:00Z', { uid: '1', resourceVersion: '5' }),
      made('b', 'of 01234567-89ab-cdef-0123-456789abcdef'),
      { verb: 'get', name: 'a' },
      { verb: 'update', name: 'a', code: 409 },
    );
    const after = run(
      made('b', 'of 11234567-89ab-cdef-0123-456789abcdef'),
      made('a', '2031-01-01T00:00:00.5Z', { uid: '2', resourceVersion: '7' }),
    );
    expect(differencesOfWrites(before, after)).to.deep.equal([]);
  });

  it('are the same where names were generated', () => {
    const of = (name: string): JournalEntry[] =>
      run(
        {
          verb: 'create',
          resource: 'pods',
          body: { metadata: { generateName: 'web-' } },
          answer: { metadata: { name } },
        },
        { verb: 'patch', resource: 'pods/status', name, body: { status: { podName: name } } },
        { verb: 'delete', resource: 'pods', name },
      );
    expect(differencesOfWrites(of('web-abcde'), of('web-xyz12'))).to.deep.equal([]);
    expect(differencesOfWrites(of('web-abcde'), of('web-xyz12').slice(0, 2))).to.deep.equal([
      'missing: delete pods default/web-#1',
    ]);
  });

  it('differ in what is written, one object after the other', () => {
    const before = run(made('a', '1'), made('b', '1'), { verb: 'delete', name: 'a' });
    const after = run(
      made('a', '2'),
      { verb: 'update', name: 'a', body: {} },
      { verb: 'update', resource: 'deployments/status', name: 'web', body: { status: { replicas: 1 } } },
    );
    expect(differencesOfWrites(before, after)).to.deep.equal([
      'create configmaps default/a: .data.key is "2", was "1"',
      'update configmaps default/a instead of delete configmaps default/a',
      'missing: create configmaps default/b',
      'not recorded: update deployments.apps/status default/web',
    ]);
  });

  it('are told without bodies where one run has none', () => {
    const before = run({ verb: 'update', name: 'a' });
    expect(differencesOfWrites(before, run({ verb: 'update', name: 'a', body: { data: {} } }))).to.deep.equal([]);
  });
});
