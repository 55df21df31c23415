import { expect } from 'chai';
import type { ObjectRecord, ResourceCodec } from './interfaces.ts';
import { JSONRecord, parseJSONObject } from './json-record.ts';
import { SharedRecords } from './shared-records.ts';

const bytes = (text: string): Buffer => Buffer.from(JSON.stringify({ metadata: { name: text } }));

describe('SharedRecords', () => {
  let decoded = 0;
  const codec: ResourceCodec = {
    decode: (key, value, revision): ObjectRecord => {
      decoded++;
      const object = parseJSONObject(value);
      const attributes = { name: object.metadata?.name ?? '', namespace: '', labels: undefined, fields: {} };
      return new JSONRecord(key, revision, { json: value, attributes, parse: parseJSONObject });
    },
    encode: (object) => Buffer.from(JSON.stringify(object)),
  };
  const known = bytes('known');
  let shared: SharedRecords;
  beforeEach(() => {
    decoded = 0;
    shared = new SharedRecords([known]);
  });

  it('decode a value once for all readers of a name', () => {
    const [a, b] = [shared.decoding(codec, 'reader'), shared.decoding(codec, 'reader')];
    expect(a.decode('/a', known, 7)).to.equal(b.decode('/a', known, 7));
    expect(decoded).to.equal(1);
    shared.decoding(codec, 'another').decode('/a', known, 7);
    expect(decoded).to.equal(2);
  });

  it('decode other values as ever, those with the same bytes too', () => {
    const reader = shared.decoding(codec, 'reader');
    const first = reader.decode('/a', known, 7);
    expect(reader.decode('/a', Buffer.from(known), 9).revision).to.equal(9);
    expect(reader.decode('/a', known, 7)).to.equal(first);
    expect(decoded).to.equal(2);
  });

  it('are read once', () => {
    const nameOf = (record: ObjectRecord): { readonly name: string | undefined } => ({
      name: record.object().metadata?.name,
    });
    const reader = shared.decoding(codec, 'reader');
    const record = reader.decode('/a', known, 7);
    expect(shared.readOnce(record, nameOf)).to.equal(shared.readOnce(record, nameOf));
    const own = reader.decode('/b', bytes('own'), 8);
    expect(shared.readOnce(own, nameOf)).to.deep.equal({ name: 'own' });
    expect(shared.readOnce(own, nameOf)).to.not.equal(shared.readOnce(own, nameOf));
  });
});
