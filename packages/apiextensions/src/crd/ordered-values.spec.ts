import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { crdOf } from '../testing/crd-server.ts';
import { customResourceDefinitionStrategy } from './strategy.ts';

describe('values in the schemas of a definition', () => {
  it('have their members in the order of names, as Go writes maps', async () => {
    const value = '{"z":1,"a":[{"y":1,"b":null}],"__proto__":2}';
    const node = `{"type":"object","default":${value},"example":${value},"enum":[${value},1,null]}`;
    const crd = crdOf('things', {
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: JSON.parse(node) as object } },
        {
          name: 'v2',
          served: true,
          storage: false,
          schema: { openAPIV3Schema: { properties: { a: JSON.parse(node) as object } } },
        },
      ],
    });
    const written = '{"__proto__":2,"a":[{"b":null,"y":1}],"z":1}';
    const expected = JSON.stringify(crd['spec']).replaceAll(value, written);
    const context = undefined as never;
    const updated = structuredClone(crd);
    await customResourceDefinitionStrategy.prepareForCreate?.(crd, context);
    expect(JSON.stringify(crd['spec'])).to.equal(expected);
    await customResourceDefinitionStrategy.prepareForUpdate?.(
      updated,
      structuredClone(crd) as KubeObject & { metadata: object },
      context,
    );
    expect(JSON.stringify(updated['spec'])).to.equal(expected);
  });
});
