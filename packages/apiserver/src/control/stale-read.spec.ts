import { parseQuery } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { mayBeStale, onlyItemOf } from './stale-read.ts';
import { requestOf } from './testing/request-of.ts';

describe('mayBeStale', () => {
  const rows: readonly (readonly [verb: string, query: string, accept: string, stale: boolean])[] = [
    ['list', 'resourceVersion=0', 'application/vnd.kubernetes.protobuf', true],
    ['list', '', '', false],
    ['list', 'resourceVersion=7', '', false],
    ['list', 'resourceVersion=0&continue=x', '', false],
    ['get', 'resourceVersion=0', '', true],
    ['get', 'resourceVersion=0', '*/*', true],
    ['get', 'resourceVersion=0', 'application/json, */*', true],
    ['get', 'resourceVersion=0', 'application/json;as=Table;v=v1;g=meta.k8s.io', false],
    ['get', 'resourceVersion=0', 'application/vnd.kubernetes.protobuf', false],
    ['get', '', '', false],
    ['watch', 'resourceVersion=0', '', false],
    ['update', 'resourceVersion=0', '', false],
  ];
  for (const [verb, query, accept, stale] of rows)
    it(`${stale ? 'holds' : 'does not hold'} for ${verb} ${query} ${accept}`, () => {
      const context = requestOf({ verb });
      context.request.headers.accept = accept;
      expect(mayBeStale(Object.assign(context, { query: parseQuery(query) }))).to.equal(stale);
    });

  it('does not hold for subresources', () => {
    const context = requestOf({ subresource: 'status' });
    expect(mayBeStale(Object.assign(context, { query: parseQuery('resourceVersion=0') }))).to.equal(false);
  });
});

describe('onlyItemOf', () => {
  it('keeps digits and escapes', () => {
    const item = '"metadata":{"generation":9007199254740993},"data":{"a":"\\u003cb\\u003e"}';
    const list = `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[{${item}}]}\n`;
    expect(onlyItemOf(Buffer.from(list))?.toString()).to.equal(`{"kind":"ConfigMap","apiVersion":"v1",${item}}\n`);
  });
  it('has nothing of an empty list', () => {
    expect(onlyItemOf(Buffer.from('{"kind":"ConfigMapList","apiVersion":"v1","items":[]}'))).to.equal(undefined);
  });
});
