import { expect } from 'chai';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { answerTo, execAnnotation } from './scripted-command.ts';
import { logOf, logOptionsOf, logsAnnotation } from './scripted-log.ts';

const pod = (annotations: Record<string, string> = {}): Pod => ({
  metadata: { namespace: 'n', name: 'p', annotations },
  spec: { containers: [] },
  status: {
    containerStatuses: [
      { name: 'c', state: { running: { startedAt: '2026-01-01T00:00:00Z' } } },
      { name: 'waiting', state: { waiting: { reason: 'ImagePullBackOff' } } },
    ],
  } as unknown as NonNullable<Pod['status']>,
});

describe('what played containers say', () => {
  const script = JSON.stringify({ 'cat /a': 'text\n', fail: { stderr: 'no\n', exitCode: 3 } });
  const commands: readonly (readonly [string, readonly string[], string, object])[] = [
    ['a scripted text', ['cat', '/a'], script, { stdout: 'text\n', stderr: '', exitCode: 0 }],
    ['a scripted failure', ['fail'], script, { stdout: '', stderr: 'no\n', exitCode: 3 }],
    ['an echo', ['echo', 'a', 'b'], '', { stdout: 'a b\n', stderr: '', exitCode: 0 }],
    ['the name of the pod', ['hostname'], 'no JSON', { stdout: 'p\n', stderr: '', exitCode: 0 }],
    ['anything', ['ls'], '{"*": "all"}', { stdout: 'all', stderr: '', exitCode: 0 }],
  ];
  for (const [name, words, annotation, expected] of commands)
    it(`to a command: ${name}`, () =>
      expect(answerTo(pod({ [execAnnotation]: annotation }), words)).to.deep.equal(expected));
  it('to what nobody has scripted: it is not there', () => {
    expect(answerTo(pod(), ['ls'])).to.deep.include({ stdout: '', exitCode: 127 });
  });

  const log = (query: string, container = 'c'): string | undefined =>
    logOf(pod({ [logsAnnotation]: 'one\ntwo\nthree' }), container, logOptionsOf(new URLSearchParams(query)));
  const logs: readonly (readonly [string, string, string | undefined])[] = [
    ['all', '', 'one\ntwo\nthree\n'],
    ['the last lines', 'tailLines=2', 'two\nthree\n'],
    ['nothing of it', 'tailLines=0', ''],
    ['so many bytes', 'limitBytes=5', 'one\nt'],
    ['with times', 'tailLines=1&timestamps=true', '2026-01-01T00:00:00Z three\n'],
    ['of an earlier run that was not', 'previous=true', undefined],
  ];
  for (const [name, query, expected] of logs) it(`as a log: ${name}`, () => expect(log(query)).to.equal(expected));
  it('nothing before they have run', () => expect(log('', 'waiting')).to.equal(undefined));
});
