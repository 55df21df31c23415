import { expect } from 'chai';
import type { KubeObject } from '@kubechain/apimachinery';
import type { RESTContext } from '@kubechain/apiserver/resources';
import { customResourceDefinitionStrategy } from './strategy.ts';

describe('generations of CustomResourceDefinitions', () => {
  const version = { name: 'v1beta1', served: true, schema: { openAPIV3Schema: { type: 'object' } } };
  const crd = (v1beta1: object): KubeObject & { metadata: { generation: number } } => ({
    metadata: { generation: 3 },
    spec: { group: 'g', versions: [{ ...version, name: 'v1', storage: true }, v1beta1] },
  });
  const generationOf = (v1beta1: object): number => {
    const changed = crd(v1beta1);
    void customResourceDefinitionStrategy.prepareForUpdate?.(
      changed,
      crd({ ...version, storage: false }),
      {} as unknown as RESTContext,
    );
    return changed.metadata.generation;
  };

  it('grow with the spec, not with what a patch leaves out that is false', () => {
    expect(generationOf({ ...version, storage: false })).to.equal(3);
    expect(generationOf(version)).to.equal(3);
    expect(generationOf({ ...version, served: false })).to.equal(4);
  });
});
