import { builtinScheme } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { RequestScope } from '../request-scope.ts';
import { bookmark } from './event-objects.ts';
import { SharedFrames } from './json-events.ts';

describe('bookmarks', () => {
  const scopeOf = (group: string, kind: string): RequestScope => {
    const gvk = { group, version: 'v1', kind };
    return {
      kind: gvk,
      kindInfo: builtinScheme().kind(gvk),
      apiVersion: group === '' ? 'v1' : `${group}/v1`,
    } as RequestScope;
  };
  const event = { type: 'BOOKMARK', revision: 5, initialEventsEnd: false } as const;
  const rows: readonly (readonly [group: string, kind: string, object: string])[] = [
    ['', 'ConfigMap', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"5"}}'],
    [
      '',
      'Pod',
      '{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"5"},"spec":{"containers":null},"status":{}}',
    ],
    [
      'apps',
      'Deployment',
      '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"resourceVersion":"5"},"spec":{"replicas":0,' +
        '"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}}',
    ],
  ];
  for (const [group, kind, object] of rows) {
    it(`of ${kind} have what is written whatever is set`, () => {
      expect(Buffer.from(new SharedFrames(scopeOf(group, kind)).frame(event)).toString()).to.equal(
        `{"type":"BOOKMARK","object":${object}}\n`,
      );
    });
  }

  it('end the initial events by an annotation', () => {
    expect(
      bookmark(scopeOf('apps', 'DaemonSet'), { ...event, initialEventsEnd: true }).metadata?.annotations,
    ).to.deep.equal({ 'deprecated.daemonset.template.generation': '0', 'k8s.io/initial-events-end': 'true' });
  });
});
