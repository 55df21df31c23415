import { expect } from 'chai';
import type { ObservedSpan, RequestMessage } from '@kubechain/apiserver/observe';
import { waterfallText } from './waterfall-text.ts';

const servers = ['aggregator', 'kube-apiserver', 'apiextensions'];

function told(startedMs: number, durationMs: number, spans?: readonly ObservedSpan[]): RequestMessage {
  return {
    kind: 'request',
    auditID: 'an-id',
    startedMs,
    durationMs,
    method: 'POST',
    uri: '/api/v1/namespaces/default/pods',
    verb: 'create',
    group: '',
    version: 'v1',
    resource: 'pods',
    namespace: 'default',
    name: '',
    user: 'alice',
    groups: [],
    userAgent: '',
    client: '127.0.0.1:1',
    code: 201,
    complete: true,
    delegate: '',
    queuedMs: 2,
    requestBytes: 0,
    accept: '',
    contentType: '',
    ...(spans === undefined
      ? {}
      : {
          observed: {
            credential:
              'client certificate X509SHA256=ae30166aa3b2727695bafc6f500eb623527a42008e0407aeed04eca47bc8716c',
            decision: { decision: 'Allow', reason: 'RBAC: allowed by ClusterRoleBinding "b"' },
            flowSchema: 'global-default',
            priorityLevel: 'global-default',
            spans,
            changes: [],
            responseBytes: 0,
          },
        }),
  };
}

const style = { columns: 50, shortestMs: 0.1, colour: (_: string, text: string) => text };

describe('a waterfall in the terminal', () => {
  const parts = new Map([
    [
      'kube-apiserver',
      told(1_030, 40, [
        { kind: 'phase', name: 'admission', startMs: 0, durationMs: 20 },
        { kind: 'webhook', name: 'w', startMs: 10, durationMs: 10, detail: 'allowed' },
        { kind: 'filter', name: 'brief', startMs: 30, durationMs: 0.05 },
        { kind: 'phase', name: 'storage', startMs: 39.9, durationMs: 0.1 },
      ]),
    ],
    ['aggregator', told(1_000, 80, [{ kind: 'phase', name: 'hop', startMs: 20, durationMs: 60 }])],
  ]);

  it('has the steps of all processes over one time', () => {
    expect(waterfallText(parts, servers, style)).to.deep.equal([
      'POST /api/v1/namespaces/default/pods  201  80.0 ms',
      '  alice by client certificate X509SHA256=ae30166aa3b2… · RBAC: allowed by ClusterRoleBinding "b" · ' +
        'flow global-default, queued 2.00 ms · an-id',
      '  aggregator       █████████████████████   80.0 ms',
      '    hop                 ███████████████▊   60.0 ms',
      '    kube-apiserver        ██████████▌      40.0 ms',
      '      admission           █████▎           20.0 ms',
      '          w                  ██▋           10.0 ms\n            allowed',
      '      storage                        ▏     0.10 ms',
    ]);
  });

  it('leaves nothing out where everything is asked for', () => {
    expect(waterfallText(parts, servers, { ...style, shortestMs: 0 }).join('\n')).to.match(/brief +▏ +50 µs/);
  });

  it('never draws past its end, however narrow the terminal is', () => {
    for (const columns of [0, 20, 33, 47, 200])
      for (const line of waterfallText(parts, servers, { ...style, columns }).slice(2))
        expect(line.split('\n')[0]?.length).to.be.at.most(Math.max(columns, 42));
  });

  it('says so where a request was not looked at closely', () => {
    expect(waterfallText(new Map([['aggregator', told(0, 1)]]), servers, style)).to.deep.equal([
      'POST /api/v1/namespaces/default/pods  201  1.00 ms',
      '  alice · too many requests to look at this one closely · an-id',
      '  aggregator ███████████████████████████   1.00 ms',
    ]);
  });
});
