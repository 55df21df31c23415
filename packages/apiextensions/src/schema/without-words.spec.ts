import { expect } from 'chai';
import { withoutWords } from './without-words.ts';

describe('withoutWords', () => {
  it('leaves the words of schemas out, and nothing that is called like them', () => {
    const schema = {
      type: 'object',
      description: 'words',
      title: 'words',
      example: { a: 1 },
      externalDocs: { url: 'x' },
      properties: {
        description: {
          type: 'string',
          description: 'words',
          default: { description: 'a value' },
          enum: [{ title: 'a value' }],
        },
        title: { type: 'array', items: { type: 'string', description: 'words' } },
        map: { type: 'object', additionalProperties: { type: 'object', description: 'words' } },
        open: {
          type: 'object',
          additionalProperties: true,
          not: { title: 'words' },
          anyOf: [{ description: 'words', minLength: 1 }],
        },
      },
    };
    expect(withoutWords(schema)).to.deep.equal({
      type: 'object',
      properties: {
        description: { type: 'string', default: { description: 'a value' }, enum: [{ title: 'a value' }] },
        title: { type: 'array', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'object' } },
        open: { type: 'object', additionalProperties: true, not: {}, anyOf: [{ minLength: 1 }] },
      },
    });
  });
});
