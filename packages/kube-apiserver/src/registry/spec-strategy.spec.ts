import { noteEmptied } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { specStrategy } from './spec-strategy.ts';

const context = internalContext({ groupResource: { group: 'x.io', resource: 'things' } });

describe('specStrategy', () => {
  /** The generation after an update that gives an empty list where there was none. */
  const updated = (exactGeneration: boolean): number | undefined => {
    const strategy = specStrategy({ generation: 'webhooks', exactGeneration });
    const old: KubeObject = { metadata: { name: 'a', generation: 3 } };
    const object: KubeObject = { metadata: { name: 'a' } };
    noteEmptied(object, 'webhooks', 'list');
    void strategy.prepareForUpdate?.(object, old, context);
    return object.metadata?.generation;
  };

  it('counts an empty list in place of none as a change where the reference compares exactly', () => {
    expect(updated(true)).to.equal(4);
    expect(updated(false)).to.equal(3);
  });
});
