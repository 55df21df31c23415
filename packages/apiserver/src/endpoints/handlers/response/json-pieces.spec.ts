import { decodeJSON, encodeYAML, noPause } from '@kubechain/apimachinery';
import { expect } from 'chai';
import fc from 'fast-check';
import { Turns } from '../../../request/turns.ts';
import { indentedJSON } from './indent-json.ts';
import { ListReader } from './list-reader.ts';
import { yamlList } from './yaml-list.ts';

const letters = ['a', 'b', '{', '}', '[', ']', ',', ':', '"', ' ', '\n', 'é', '漢'];

/** Without backslashes, which one JSON.parse misreads in keys (nodejs/node issue 63785), and what YAML refuses. */
const text = fc.string({ unit: fc.constantFrom(...letters, '😀') });
const value = fc
  .jsonValue({ stringUnit: fc.constantFrom(...letters) })
  // Without negative zeros.
  .map((data): unknown => JSON.parse(JSON.stringify(data)));
const item = fc.record({ metadata: fc.record({ name: text }), spec: value });
const metadata = fc.record({ resourceVersion: text, continue: fc.constant('","items":[{"a":1}],"rows":[2]') });

const lists = fc.oneof(
  fc.record({ metadata, items: fc.array(item) }).map((list) => ({ kind: 'List', apiVersion: 'v1', ...list })),
  fc
    .record({ items: fc.array(item), metadata })
    .map((list) => ({ apiVersion: 'a/v1', items: list.items, kind: 'NoteList', metadata: list.metadata })),
  fc.record({ rows: fc.array(fc.record({ cells: fc.array(value), object: item })) }).map(({ rows }) => ({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {},
    columnDefinitions: [{ name: 'rows', type: 'string' }, { items: ['a', ['b']] }],
    rows,
  })),
  fc.constant({ kind: 'List', apiVersion: 'v1', metadata: {}, items: null }),
);

/** A text in pieces that end where the numbers say. */
function pieces(bytes: Buffer, ends: readonly number[]): Buffer[] {
  const at = [...new Set(ends.map((end) => end % (bytes.length + 1)))].sort((left, right) => left - right);
  return [0, ...at].map((from, i) => bytes.subarray(from, [...at, bytes.length][i]));
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });

async function joined(parts: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString();
}

describe('JSON in pieces that end anywhere', () => {
  it('is indented as a whole would be', () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(value, lists), cuts, async (data, ends) => {
        const json = Buffer.from(JSON.stringify(data));
        expect(await joined(indentedJSON(pieces(json, ends), noPause))).to.equal(JSON.stringify(data, undefined, 2));
      }),
    ));

  it('of a list becomes the YAML of the whole list, item by item', () =>
    fc.assert(
      fc.asyncProperty(lists, cuts, async (list, ends) => {
        const json = Buffer.from(JSON.stringify(list));
        const whole = (await encodeYAML(decodeJSON(json, undefined).object)).toString();
        expect(await joined(yamlList(pieces(json, ends), new Turns()))).to.equal(whole);
      }),
    ));

  it('keeps the digits of numbers in YAML', async () => {
    const json = Buffer.from(
      '{"kind":"List","apiVersion":"v1","metadata":{},' +
        '"items":[{"a":12345678901234567,"b":1.50,"c":1e3,"d":-0.0,"e":1e30}]}',
    );
    const whole = (await encodeYAML(decodeJSON(json, undefined).object)).toString();
    expect(whole).to.contain('a: 12345678901234567');
    expect(await joined(yamlList([json], new Turns()))).to.equal(whole);
  });

  it('has its items found, and what is around them', () => {
    fc.assert(
      fc.property(lists, cuts, (list, ends) => {
        const reader = new ListReader();
        const found: unknown[] = [];
        for (const piece of pieces(Buffer.from(JSON.stringify(list)), ends))
          for (const one of reader.items(piece)) found.push(JSON.parse(one.toString()));
        const member = 'rows' in list ? 'rows' : 'items';
        expect(found).to.deep.equal((list as Record<string, unknown>)[member] ?? []);
        expect(JSON.parse(reader.frame().toString())).to.deep.equal({
          ...list,
          [member]: (list as Record<string, unknown>)[member] === null ? null : [],
        });
      }),
    );
  });
});
