import { expect } from 'chai';
import type { JSONSchemaProps } from './json-schema-props.ts';
import { forEachSchema, schemaHas } from './walk.ts';

const titled = (title: string): JSONSchemaProps => ({ title });
const schema = {
  title: 'root',
  items: titled('items'),
  allOf: [titled('allOf')],
  anyOf: [titled('anyOf')],
  oneOf: [titled('oneOf')],
  not: titled('not'),
  properties: { a: { title: 'a', properties: { b: titled('b') } }, c: titled('c') },
  additionalProperties: titled('additional'),
  patternProperties: { x: titled('pattern') },
  additionalItems: titled('additionalItems'),
  definitions: { d: titled('definition') },
  dependencies: { e: titled('dependency'), f: ['a name'] },
} as JSONSchemaProps;

function titles(props: JSONSchemaProps): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  forEachSchema(props, ({ title }) => {
    found.push(title);
  });
  return found;
}

describe('walks over schemas', () => {
  it('come to every schema, in one order', () => {
    expect(titles(schema)).to.deep.equal([
      'root',
      'items',
      'allOf',
      'anyOf',
      'oneOf',
      'not',
      'a',
      'b',
      'c',
      'additional',
      'pattern',
      'additionalItems',
      'definition',
      'dependency',
    ]);
    expect(
      titles({
        items: [titled('first'), titled('second')] as unknown as JSONSchemaProps,
        additionalProperties: true,
        additionalItems: false,
      }),
    ).to.deep.equal([undefined, 'first', 'second']);
  });

  it('stop where something is found', () => {
    const seen: (string | undefined)[] = [];
    expect(
      schemaHas(schema, ({ title }) => {
        seen.push(title);
        return title === 'allOf';
      }),
    ).to.equal(true);
    expect(seen).to.deep.equal(['root', 'items', 'allOf']);
    expect(schemaHas(schema, ({ title }) => title === 'elsewhere')).to.equal(false);
    expect(schemaHas(undefined, () => true)).to.equal(false);
  });
});
