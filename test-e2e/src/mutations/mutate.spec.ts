import { seededRandom } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import type { Client } from '../harness/client.ts';
import { mutate } from './mutate.ts';
import { Schemas, type Schema } from './schemas.ts';
import { Values, type Value } from './values.ts';

const thing: Schema = {
  type: 'object',
  properties: {
    kind: { type: 'string' },
    metadata: {
      type: 'object',
      properties: { name: { type: 'string' }, labels: { $ref: '#/components/schemas/map' } },
    },
    spec: {
      type: 'object',
      properties: { replicas: { type: 'integer' }, names: { type: 'array', items: { type: 'string' } } },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
};
const documents: Readonly<Record<string, unknown>> = {
  '/openapi/v3': { paths: { 'apis/x': { serverRelativeURL: '/openapi/v3/apis/x' } } },
  '/openapi/v3/apis/x': {
    components: { schemas: { map: { type: 'object', additionalProperties: { type: 'string' } } } },
  },
};

describe('changed objects', () => {
  const object = (): Value => ({ kind: 'Thing', metadata: { name: 'a' }, spec: { replicas: 1, names: ['x', 'y'] } });

  async function changed(seed: number): Promise<Value> {
    const client = {
      get: (path: string) => Promise.resolve({ text: JSON.stringify(documents[path]) }),
    } as unknown as Client;
    const schemas = await Schemas.read(client);
    const result = object();
    mutate(result, thing, { values: new Values(schemas, seededRandom(seed)), schemas, fixed: 'status' });
    return result;
  }

  it('are others, and the same by the same seed', async () => {
    const texts = await Promise.all(
      Array.from({ length: 200 }, async (_, seed) => JSON.stringify(await changed(seed))),
    );
    expect(texts.filter((text) => text !== JSON.stringify(object())).length).to.be.greaterThan(170);
    expect(new Set(texts).size).to.be.greaterThan(100);
    expect(JSON.stringify(await changed(7))).to.equal(texts[7]);
  });
});
