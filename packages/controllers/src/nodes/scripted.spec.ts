import { expect } from 'chai';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { answerTo, execAnnotation } from './scripted-command.ts';
import { logOf, logOptionsOf, logsAnnotation } from './scripted-log.ts';
import { portOf, portsAnnotation } from './scripted-port.ts';

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

describe('what ports of played pods answer', () => {
  const ports = JSON.stringify({ 80: 'hello\n', 8080: { '/healthz': 'ok\n' }, 6379: '+OK\r\n' });
  const ask = (port: string, request: string): string | undefined =>
    portOf(pod({ [portsAnnotation]: ports }), port)
      .answer?.(request)
      .toString();
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  it('is a page for HTTP', () => {
    expect(ask('80', get('/any'))).to.match(
      /^HTTP\/1\.1 200 OK\r\n[\s\S]*Content-Length: 6\r\n[\s\S]*\r\n\r\nhello\n$/,
    );
    expect(ask('80', 'HEAD / HTTP/1.1\r\n\r\n')).to.match(/Content-Length: 6\r\n[\s\S]*\r\n\r\n$/);
  });
  it('is chosen by the path', () => {
    expect(ask('8080', get('/healthz?verbose'))).to.match(/200 OK[\s\S]*ok\n$/);
    expect(ask('8080', get('/other'))).to.match(/404 Not Found/);
  });
  it('is the text for anything else', () => expect(ask('6379', 'PING\r\n')).to.equal('+OK\r\n'));
  it('is nothing where nothing listens', () => {
    const { answer, refusal } = portOf(pod({ [portsAnnotation]: ports }), '81');
    expect(answer).to.equal(undefined);
    expect(refusal).to.equal(
      'error forwarding port 81 to pod p, uid : dial tcp4 127.0.0.1:81: connect: connection refused',
    );
    expect(portOf(pod({ [portsAnnotation]: 'no JSON' }), '80').answer).to.equal(undefined);
  });
});
