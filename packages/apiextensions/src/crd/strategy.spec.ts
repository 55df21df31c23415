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

describe('patterns of CustomResourceDefinitions', () => {
  const withPatterns = (...patterns: readonly string[]): KubeObject => ({
    metadata: { name: 'as.g.example' },
    spec: {
      group: 'g.example',
      scope: 'Namespaced',
      names: { plural: 'as', singular: 'a', kind: 'A', listKind: 'AList' },
      conversion: { strategy: 'None' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: Object.fromEntries(patterns.map((pattern, i) => [`f${i}`, { type: 'string', pattern }])),
            },
          },
        },
      ],
    },
    status: { storedVersions: ['v1'] },
  });
  let turns: number;
  const context = {
    turns: { next: async (): Promise<void> => void turns++, beginWith: () => undefined },
  } as unknown as RESTContext;

  beforeEach(() => {
    turns = 0;
  });

  it('are compiled in turns when it is created', async () => {
    const errors = await customResourceDefinitionStrategy.validate?.(withPatterns('^a$', '^b$', '^a$'), context);
    expect(errors).to.deep.equal([]);
    expect(turns).to.equal(2);
  });

  it('are compiled in turns when it is changed, those of before as well', async () => {
    const [before, after] = [withPatterns('^a$', '^b$'), withPatterns('^b$', '(')];
    const errors = await customResourceDefinitionStrategy.validateUpdate?.(after, before, context);
    expect(errors?.map(String).join()).to.include('error parsing regexp: missing closing ): `(`');
    expect(turns).to.equal(3);
  });
});
