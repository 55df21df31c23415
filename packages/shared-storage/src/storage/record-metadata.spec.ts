import { expect } from 'chai';
import type { ObjectRecord } from './interfaces.ts';
import { JSONRecord, parseJSONObject } from './json-record.ts';
import { checkPreconditions } from './preconditions.ts';
import { recordedMetadata, recordedUID } from './record-metadata.ts';

const recordOf = (text: string, parse = parseJSONObject): ObjectRecord =>
  new JSONRecord('/registry/as/a', 5, {
    json: Buffer.from(text),
    attributes: { name: 'a', namespace: '', labels: undefined, fields: {} },
    parse,
  });
const unread = (): never => expect.fail('the object was read');

describe('what is read off a record', () => {
  for (const [text, uid] of [
    ['{"kind":"A","metadata":{"name":"a","uid":"u"},"spec":{"uid":"no"}}', 'u'],
    ['{"spec":{"metadata":{"uid":"no"}}, "metadata" : {"labels":{"uid":"no"}, "uid" : "\\u00fc"} }', 'ü'],
    ['{"kind":"A","metadata":{}}', ''],
    ['{"kind":"A"}', ''],
  ] as const)
    it(`is the uid of ${text}, without its object`, () => {
      expect(recordedUID(recordOf(text, unread))).to.equal(uid);
    });

  it('is looked for in the object where the uid is no text', () => {
    const read = recordOf('{"metadata":{"uid":1}}', () => ({ kind: 'A', apiVersion: 'v1', metadata: { uid: 'read' } }));
    expect(recordedUID(read)).to.equal('read');
  });

  it('is what a precondition of a uid needs', () => {
    const record = recordOf('{"metadata":{"uid":"u"},"spec":{}}', unread);
    expect(checkPreconditions('a', record, { uid: 'u' })).to.equal(undefined);
    expect(checkPreconditions('a', record, { uid: 'v' })?.message).to.contain(
      'Precondition failed: UID in precondition: v, UID in object meta: u',
    );
  });

  it('is metadata, for whoever asks, each time anew', () => {
    const record = recordOf('{"metadata":{"uid":"u","finalizers":["a/b"]},"spec":{}}', unread);
    expect(recordedMetadata(record)).to.deep.equal({ uid: 'u', finalizers: ['a/b'] });
    expect(recordedMetadata(record)).to.not.equal(recordedMetadata(record));
    expect(recordedMetadata(recordOf('{}', unread))).to.deep.equal({});
  });
});
