import { expect } from 'chai';
import { isStorageError } from './errors.ts';
import { JSONRecord, parseJSONObject } from './json-record.ts';
import { RevisedRecord } from './revised-record.ts';

const attributes = { name: 'a', namespace: '', labels: undefined, fields: {} };
const revised = (json: string): string =>
  Buffer.from(
    new RevisedRecord(new JSONRecord('/r/a', 7, { json: Buffer.from(json), attributes, parse: parseJSONObject }), 12345)
      .json,
  ).toString();

describe('RevisedRecord', () => {
  for (const [name, json, expected] of [
    [
      'the member first in metadata',
      '{"kind":"A","metadata":{"resourceVersion":"7","name":"a"}}',
      '{"kind":"A","metadata":{"resourceVersion":"12345","name":"a"}}',
    ],
    [
      'metadata after other things that have metadata',
      '{"involvedObject":{"metadata":{"resourceVersion":"7"},"resourceVersion":"7"},"metadata":{"name":"a",' +
        '"resourceVersion":"7"}}',
      '{"involvedObject":{"metadata":{"resourceVersion":"7"},"resourceVersion":"7"},"metadata":{"name":"a",' +
        '"resourceVersion":"12345"}}',
    ],
    [
      'text that looks like it',
      '{"data":{"x":"\\"metadata\\":{\\"resourceVersion\\":\\"7\\"}"},' +
        '"metadata":{"annotations":{"resourceVersion":"7","last":"{\\"resourceVersion\\":\\"7\\"}"},' +
        '"resourceVersion":"7"}}',
      '{"data":{"x":"\\"metadata\\":{\\"resourceVersion\\":\\"7\\"}"},' +
        '"metadata":{"annotations":{"resourceVersion":"7","last":"{\\"resourceVersion\\":\\"7\\"}"},' +
        '"resourceVersion":"12345"}}',
    ],
    ['white space', '{ "metadata" : { "resourceVersion" : "7" } }', '{ "metadata" : { "resourceVersion" : "12345" } }'],
  ] as const) {
    it(`changes metadata.resourceVersion and nothing else: ${name}`, () => expect(revised(json)).to.equal(expected));
  }

  it('refuses a record without one', () => {
    expect(() => revised('{"metadata":{"name":"a"},"resourceVersion":"7"}'))
      .to.throw()
      .that.satisfies((error: unknown) => isStorageError(error, 'Internal'));
  });
});
