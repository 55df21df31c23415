import { StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { selectorText } from './scale.ts';

function textOf(selector: unknown): string {
  return selectorText({ spec: { selector } } as unknown as KubeObject, 'object');
}

describe('selectors of scales', () => {
  it('are empty for workloads without one', () => {
    expect(selectorText({} as KubeObject, 'object')).to.equal('');
    expect(selectorText({ spec: {} } as unknown as KubeObject, 'map')).to.equal('');
    for (const none of [undefined, null]) expect(textOf(none)).to.equal('');
    expect(textOf({ matchLabels: { a: 'b' } })).to.equal('a=b');
  });

  it('make a bad request of what was stored without today’s rules', () => {
    expect(() => textOf({ matchLabels: { a: '!' } }))
      .to.throw(StatusError, 'values[0][a]: Invalid value: "!"')
      .with.nested.property('status.code', 400);
  });
});
