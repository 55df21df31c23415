import { expect } from 'chai';
import { convertV2 } from './convert-v2.ts';

describe('convertV2', () => {
  it('moves bodies, answers and references to where version 3 has them', () => {
    const converted = convertV2({
      swagger: '2.0',
      info: { title: 'E', version: 'v0' },
      paths: {
        '/apis/e/v1/gadgets': {
          post: {
            operationId: 'createGadget',
            consumes: ['application/json'],
            produces: ['application/json'],
            parameters: [
              { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/G' } },
              { name: 'dryRun', in: 'query', type: 'string', uniqueItems: true },
            ],
            responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/G' } } },
          },
        },
      },
      definitions: {
        G: {
          type: 'object',
          properties: {
            meta: { description: 'its meta', $ref: '#/definitions/M' },
            other: { $ref: '#/definitions/M' },
          },
        },
        M: { type: 'object' },
      },
    });
    expect(converted).to.deep.equal({
      openapi: '3.0.0',
      info: { title: 'E', version: 'v0' },
      paths: {
        '/apis/e/v1/gadgets': {
          post: {
            operationId: 'createGadget',
            parameters: [{ name: 'dryRun', in: 'query', schema: { type: 'string', uniqueItems: true } }],
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/G' } } } },
            responses: {
              200: {
                description: 'OK',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/G' } } },
              },
            },
          },
        },
      },
      components: {
        schemas: {
          G: {
            type: 'object',
            properties: {
              meta: { description: 'its meta', allOf: [{ $ref: '#/components/schemas/M' }] },
              other: { $ref: '#/components/schemas/M' },
            },
          },
          M: { type: 'object' },
        },
      },
    });
  });
});
