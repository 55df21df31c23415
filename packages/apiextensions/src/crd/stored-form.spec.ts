import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { crdScheme } from './stored-form.ts';

const v1 = { group: 'apiextensions.k8s.io', version: 'v1' };
const v1beta1 = { group: 'apiextensions.k8s.io', version: 'v1beta1' };
const schema = { openAPIV3Schema: { type: 'object' } };

function crd(versions: readonly object[], conversion: object = { strategy: 'None' }): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'as.x.io' },
    spec: { group: 'x.io', scope: 'Cluster', names: { plural: 'as', kind: 'A' }, versions, conversion },
  };
}
const stored = async (object: KubeObject): Promise<Record<string, unknown>> =>
  (await crdScheme().convert(structuredClone(object), v1beta1))['spec'] as Record<string, unknown>;

describe('the stored form of CRDs', () => {
  it('keeps once what all versions have in common', async () => {
    const columns = [{ name: 'C', type: 'string', jsonPath: '.spec.c' }];
    const spec = await stored(
      crd([
        { name: 'v1', served: true, storage: true, schema, additionalPrinterColumns: columns },
        {
          name: 'v2',
          served: true,
          storage: false,
          schema,
          additionalPrinterColumns: columns,
          subresources: { status: {} },
        },
      ]),
    );
    expect(spec['validation']).to.deep.equal(schema);
    expect(spec['additionalPrinterColumns']).to.deep.equal([{ name: 'C', type: 'string', JSONPath: '.spec.c' }]);
    expect([spec['version'], spec['preserveUnknownFields'], spec['subresources']]).to.deep.equal([
      'v1',
      false,
      undefined,
    ]);
    expect(spec['versions']).to.deep.equal([
      { name: 'v1', served: true, storage: true },
      { name: 'v2', served: true, storage: false, subresources: { status: {} } },
    ]);
  });

  it('leaves out a webhook of nothing but an empty list', async () => {
    for (const conversionReviewVersions of [[], null]) {
      const versions = [{ name: 'v1', served: true, storage: true, schema }];
      // oxlint-disable-next-line no-await-in-loop -- two of them
      const spec = await stored(crd(versions, { strategy: 'None', webhook: { conversionReviewVersions } }));
      expect(spec['conversion']).to.deep.equal({ strategy: 'None' });
    }
  });

  const rows: readonly { readonly name: string; readonly object: KubeObject }[] = [
    {
      name: 'one version',
      object: crd([
        {
          name: 'v1',
          served: true,
          storage: true,
          schema,
          subresources: { status: {} },
          selectableFields: [{ jsonPath: '.spec.c' }],
        },
      ]),
    },
    {
      name: 'different schemas',
      object: crd([
        { name: 'v1', served: true, storage: true, schema },
        {
          name: 'v2',
          served: true,
          storage: false,
          schema: { openAPIV3Schema: { type: 'object', description: 'other' } },
        },
      ]),
    },
    {
      name: 'a webhook',
      object: crd([{ name: 'v1', served: true, storage: true, schema }], {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
      }),
    },
  ];
  for (const { name, object } of rows) {
    it(`comes back as it went: ${name}`, async () => {
      const back = await crdScheme().convert(await crdScheme().convert(structuredClone(object), v1beta1), v1);
      expect(back).to.deep.equal({ ...object, spec: { ...(object['spec'] as object), preserveUnknownFields: false } });
    });
  }

  it('reads a CRD of old with one version', async () => {
    const old: KubeObject = {
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      kind: 'CustomResourceDefinition',
      spec: { group: 'x.io', version: 'v1', validation: schema },
    };
    expect((await crdScheme().convert(old, v1))['spec']).to.deep.equal({
      group: 'x.io',
      scope: 'Namespaced',
      preserveUnknownFields: true,
      conversion: undefined,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    });
  });
});
