import { assert } from 'chai';
import fc from 'fast-check';
import type { KubeObject } from '@kubechain/apimachinery';
import { codecCounters } from './codec-counters.ts';
import { createResourceCodec } from './codec.ts';
import type { ResourceCodecHooks } from './codec.ts';
import { isStorageError } from './errors.ts';
import type { ObjectRecord } from './interfaces.ts';

const key = '/registry/configmaps/ns/a';

function hooks(overrides: Partial<ResourceCodecHooks> = {}): ResourceCodecHooks {
  return {
    memory: { kind: 'ConfigMap', apiVersion: 'v1' },
    decodeObject: (stored) => JSON.parse(Buffer.from(stored).toString('utf8')) as KubeObject,
    encodeObject: ({ kind, apiVersion, metadata, ...rest }) =>
      Buffer.from(`${JSON.stringify({ kind, apiVersion, metadata, ...rest })}\n`),
    attributes: (object) => ({
      name: object.metadata?.name ?? '',
      namespace: object.metadata?.namespace ?? '',
      labels: object.metadata?.labels,
      fields: { 'metadata.name': object.metadata?.name ?? '', 'metadata.namespace': object.metadata?.namespace ?? '' },
    }),
    ...overrides,
  };
}

const codec = createResourceCodec(hooks());

function text(record: ObjectRecord): string {
  return Buffer.from(record.json).toString('utf8');
}

function decode(stored: string): ObjectRecord {
  return codec.decode(key, Buffer.from(stored), 42);
}

// Without backslashes: after a key with one, JSON.parse of V8 13.6 takes escaped keys of later objects for it
// (nodejs/node issue 63785).
const name = fc.string().filter((text) => !text.includes('\\'));

describe('createResourceCodec', () => {
  it('puts the resourceVersion into stored bytes and changes nothing else', () => {
    const record = decode(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"ns"},' +
        '"data":{"n":12345678901234567890}}\n',
    );
    assert.equal(
      text(record),
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"ns","resourceVersion":"42"},' +
        '"data":{"n":12345678901234567890}}',
    );
    assert.equal(record.revision, 42);
    assert.equal(record.attributes.name, 'a');
  });

  const places: readonly (readonly [metadata: string, served: string])[] = [
    ['"name":"a","uid":"u","generation":1', '"name":"a","uid":"u","resourceVersion":"42","generation":1'],
    [
      '"name":"a","generateName":"b","namespace":"c"',
      '"name":"a","generateName":"b","namespace":"c","resourceVersion":"42"',
    ],
    ['"labels":{"name":"a"}', '"resourceVersion":"42","labels":{"name":"a"}'],
    ['"name":"a\\"b","labels":{}', '"name":"a\\"b","resourceVersion":"42","labels":{}'],
    ['"uid":"u"', '"uid":"u","resourceVersion":"42"'],
  ];
  for (const [metadata, served] of places)
    it(`puts it where Go does: ${metadata}`, () => {
      assert.equal(
        text(decode(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{${metadata}}}`)),
        `{"kind":"ConfigMap","apiVersion":"v1","metadata":{${served}}}`,
      );
    });

  it('handles empty metadata', () => {
    assert.equal(
      text(decode('{"kind":"ConfigMap","apiVersion":"v1","metadata":{}}')),
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"42"}}',
    );
  });

  const parsed: readonly { readonly name: string; readonly stored: string }[] = [
    { name: 'another order of members', stored: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}' },
    { name: 'white space', stored: '{ "kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "a"} }' },
    {
      name: 'a resourceVersion in the bytes',
      stored: '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"}}',
    },
    { name: 'no metadata', stored: '{"kind":"ConfigMap","apiVersion":"v1"}' },
    {
      name: 'another kind with the same beginning',
      stored: '{"kind":"ConfigMapper","apiVersion":"v1","metadata":{"name":"a"}}',
    },
  ];
  for (const { name, stored } of parsed) {
    it(`decodes and encodes stored bytes with ${name}`, () => {
      const object = JSON.parse(text(decode(stored))) as KubeObject;
      assert.equal(object.metadata?.resourceVersion, '42');
      const before = JSON.parse(stored) as KubeObject;
      assert.deepEqual(
        { ...object, metadata: { ...object.metadata, resourceVersion: '' } },
        { ...before, metadata: { ...before.metadata, resourceVersion: '' } },
      );
      assert.equal(text(decode(stored)).split('"resourceVersion"').length, 2);
    });
  }

  it('uses the hooks where bytes cannot be spliced', () => {
    const converting = createResourceCodec(
      hooks({
        decodeObject: (stored) => ({
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { name: Buffer.from(stored).toString('utf8').slice(4) },
          data: {},
        }),
        stringify: (object) =>
          Buffer.from(`JSON:${String(object.metadata?.name)}@${String(object.metadata?.resourceVersion)}`),
        parse: (json) => ({ metadata: { name: Buffer.from(json).toString('utf8') } }),
      }),
    );
    const record = converting.decode(key, Buffer.from('k8s\0binary'), 7);
    assert.equal(text(record), 'JSON:binary@7');
    assert.equal(record.object().metadata?.name, 'JSON:binary@7');
    assert.equal(record.attributes.name, 'binary');
  });

  it('never splices without a memory version', () => {
    let decoded = 0;
    const { memory: _memory, ...others } = hooks();
    const pruning = createResourceCodec({
      ...others,
      decodeObject: (stored) => {
        decoded++;
        return { ...(JSON.parse(Buffer.from(stored).toString('utf8')) as KubeObject), extra: true };
      },
    });
    assert.include(
      text(pruning.decode(key, Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}'), 1)),
      '"extra":true',
    );
    assert.equal(decoded, 1);
  });

  it('reports what cannot be decoded as CorruptObject', () => {
    for (const stored of ['', '{', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":', 'k8s\0']) {
      let failure: unknown;
      try {
        decode(stored);
      } catch (error) {
        failure = error;
      }
      assert.isTrue(isStorageError(failure, 'CorruptObject'), stored);
    }
  });

  it('encodes without resourceVersion and selfLink, and leaves its argument alone', () => {
    const object: KubeObject = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', resourceVersion: '5', selfLink: '/x' },
    };
    assert.equal(
      Buffer.from(codec.encode(object)).toString(),
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}\n',
    );
    assert.deepEqual(object.metadata, { name: 'a', resourceVersion: '5', selfLink: '/x' });
  });

  it('makes the record of a written object without decoding', () => {
    const object: KubeObject = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', namespace: 'ns', labels: { x: 'y' } },
      data: { k: 'v' },
    };
    const value = codec.encode(object);
    const before = codecCounters.decodes;
    const record = codec.recordOf?.(key, { object, value, revision: 9 });
    assert.equal(codecCounters.decodes, before);
    assert.deepEqual(record && { json: text(record), attributes: record.attributes }, {
      json: text(codec.decode(key, value, 9)),
      attributes: codec.decode(key, value, 9).attributes,
    });
  });

  it('counts decodes and encodes', () => {
    const before = { ...codecCounters };
    codec.encode({ metadata: {} });
    decode('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}');
    assert.deepEqual({ ...codecCounters }, { decodes: before.decodes + 1, encodes: before.encodes + 1 });
  });

  it('knows whether a record is what would be stored', () => {
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.string()),
        fc.dictionary(name, fc.string()),
        fc.nat(),
        (data, other, revision) => {
          const object: KubeObject = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data };
          const record = codec.decode(key, codec.encode(object), revision);
          assert.isTrue(codec.storesAs?.(record, codec.encode(record.object())));
          const value = codec.encode({ ...object, data: other });
          assert.equal(codec.storesAs?.(record, value), Buffer.compare(value, codec.encode(object)) === 0);
        },
      ),
    );
  });

  it('serves JSON that parses to the object, whatever it contains', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          name.filter((text) => text !== '__proto__'),
          fc.jsonValue().filter((value) => !JSON.stringify(value).includes('\\\\')),
        ),
        fc.nat(),
        (data, revision) => {
          const object: KubeObject = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data };
          const record = codec.decode(key, codec.encode(object), revision);
          assert.deepEqual(
            record.object(),
            JSON.parse(JSON.stringify({ ...object, metadata: { resourceVersion: String(revision), name: 'a' } })),
          );
        },
      ),
    );
  });
});
