import { expect } from 'chai';
import { isTooLargeHere, isTooLargeValueHere, mayHaveMoreValues } from './body-values.ts';
import { mostBytesHere, mostValuesHere, mostYAMLBytesHere } from './side-server.ts';

describe('how many values a body may have', () => {
  const rows: readonly (readonly [name: string, body: Buffer, type: string | undefined, many: boolean])[] = [
    ['short, whatever is in it', Buffer.from(`[${'1,'.repeat(900)}1]`), undefined, false],
    ['JSON with many items', Buffer.from(`[${'1,'.repeat(3_000)}1]`), 'application/json', true],
    ['JSON with one long text', Buffer.from(JSON.stringify({ text: ',[{"'.repeat(3_000) })), 'application/json', false],
    ['JSON of which nothing is said', Buffer.from(`{"a":[${'{},'.repeat(3_000)}{}]}`), undefined, true],
    ['YAML with many lines', Buffer.from('- 1\n'.repeat(3_000)), 'application/yaml', true],
    ['YAML with many items in a line', Buffer.from(`[${'1,'.repeat(3_000)}1]`), 'application/yaml', true],
    ['an applied text', Buffer.from(`text: ${'a'.repeat(30_000)}\n`), 'application/apply-patch+yaml', false],
    [
      'protobuf with many empty messages',
      Buffer.from([0x12, 0].concat(...Array.from({ length: 3_000 }, () => [0x12, 0]))),
      'application/vnd.kubernetes.protobuf',
      true,
    ],
    [
      'protobuf with one long text',
      Buffer.concat([Buffer.from([0x12, 0x80, 0x80, 1]), Buffer.alloc(30_000, 'a')]),
      'application/vnd.kubernetes.protobuf',
      false,
    ],
  ];
  for (const [name, body, type, many] of rows)
    it(`is ${many ? 'more' : 'not more'} than a thousand in: ${name}`, () => {
      expect(mayHaveMoreValues(body, type, 1_000)).to.equal(many);
    });
});

describe('a body that is too large for the thread that serves everybody', () => {
  const rows: readonly (readonly [name: string, body: Buffer, type: string | undefined, large: boolean])[] = [
    ['as many bytes as there may be', Buffer.alloc(mostBytesHere, 'a'), 'application/json', false],
    ['one more byte', Buffer.alloc(mostBytesHere + 1, 'a'), 'application/json', true],
    ['as many bytes of YAML', Buffer.alloc(mostYAMLBytesHere, 'a'), 'application/apply-patch+yaml', false],
    ['one more byte of YAML', Buffer.alloc(mostYAMLBytesHere + 1, 'a'), 'application/apply-patch+yaml', true],
    ['one more value', Buffer.from(`[${'1,'.repeat(mostValuesHere)}1]`), undefined, true],
  ];
  for (const [name, body, type, large] of rows)
    it(`is ${large ? 'one' : 'not one'} of ${name}`, () => {
      expect(isTooLargeHere(body, type)).to.equal(large);
    });

  it('is told of what is not written yet as of what is', () => {
    const made = [
      { values: Array.from({ length: mostValuesHere + 1 }, (_, i) => i) },
      { values: Array.from({ length: mostValuesHere - 1 }, (_, i) => i) },
      { nested: Array.from({ length: mostValuesHere / 4 }, () => ({ a: [1], b: null, c: '' })) },
      { text: 'a'.repeat(mostBytesHere + 1) },
      { text: 'a'.repeat(mostBytesHere - 40), none: null },
    ];
    expect(made.map(isTooLargeValueHere)).to.deep.equal([true, false, true, true, false]);
    expect(made.map((value) => isTooLargeHere(Buffer.from(JSON.stringify(value)), undefined))).to.deep.equal([
      true,
      false,
      true,
      true,
      false,
    ]);
  });
});
