import { expect } from 'chai';
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
    expect(text(record)).to.equal(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"ns","resourceVersion":"42"},' +
        '"data":{"n":12345678901234567890}}',
    );
    expect(record.revision).to.equal(42);
    expect(record.attributes.name).to.equal('a');
  });

  it('parses bytes once for a record and whoever asks for its object at once, and again for others', () => {
    let parsed = 0;
    const counting = createResourceCodec(
      hooks({
        parse: (json) => {
          parsed++;
          return JSON.parse(Buffer.from(json).toString('utf8')) as KubeObject;
        },
      }),
    );
    const stored = (name: string): Buffer =>
      Buffer.from(
        `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}","uid":"u","generation":1,` +
          '"labels":{"a":"b"},"annotations":{"c":"d"}},"data":{"e":"f"}}',
      );
    const record = counting.decode(key, stored('a'), 42);
    const first = record.object();
    expect(parsed).to.equal(1);
    const second = record.object();
    expect(parsed).to.equal(2);
    expect(JSON.stringify(first)).to.equal(JSON.stringify(second)).and.to.equal(text(record));
    first.metadata!.labels!['a'] = 'changed';
    expect(record.attributes.labels).to.deep.equal({ a: 'b' });
    expect(record.object()).to.deep.equal(second);
    const before = counting.decode(key, stored('b'), 43);
    counting.decode(key, stored('c'), 44);
    expect(before.object().metadata).to.include({ name: 'b', resourceVersion: '43' });
  });

  it('decodes bytes with a null that no encoder writes, and no others', () => {
    const strict = createResourceCodec(
      hooks({
        memory: { kind: 'ConfigMap', apiVersion: 'v1', nulls: () => new Set(['time']) },
        decodeObject: () => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'decoded' } }),
      }),
    );
    const name = (rest: string): string =>
      strict.decode(key, Buffer.from(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}${rest}}`), 42)
        .attributes.name;
    for (const rest of ['', ',"a":{"time":null}', ',"a":"null","b":"{\\"x\\":null}"', ',"null":["nullify"]'])
      expect(name(rest), rest).to.equal('a');
    for (const rest of [',"a":null', ',"time":null,"a":[null]', ',"a":[1,null]', ',"b":{"":null}'])
      expect(name(rest), rest).to.equal('decoded');
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
      expect(text(decode(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{${metadata}}}`))).to.equal(
        `{"kind":"ConfigMap","apiVersion":"v1","metadata":{${served}}}`,
      );
    });

  it('handles empty metadata', () => {
    expect(text(decode('{"kind":"ConfigMap","apiVersion":"v1","metadata":{}}'))).to.equal(
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
      expect(object.metadata?.resourceVersion).to.equal('42');
      const before = JSON.parse(stored) as KubeObject;
      expect({ ...object, metadata: { ...object.metadata, resourceVersion: '' } }).to.deep.equal({
        ...before,
        metadata: { ...before.metadata, resourceVersion: '' },
      });
      expect(text(decode(stored)).split('"resourceVersion"').length).to.equal(2);
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
    expect(text(record)).to.equal('JSON:binary@7');
    expect(record.object().metadata?.name).to.equal('JSON:binary@7');
    expect(record.attributes.name).to.equal('binary');
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
    expect(
      text(pruning.decode(key, Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}'), 1)),
    ).to.include('"extra":true');
    expect(decoded).to.equal(1);
  });

  it('reports what cannot be decoded as CorruptObject', () => {
    for (const stored of ['', '{', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":', 'k8s\0']) {
      let failure: unknown;
      try {
        decode(stored);
      } catch (error) {
        failure = error;
      }
      expect(isStorageError(failure, 'CorruptObject'), stored).to.equal(true);
    }
  });

  it('encodes without resourceVersion and selfLink, and leaves its argument alone', () => {
    const object: KubeObject = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', resourceVersion: '5', selfLink: '/x' },
    };
    expect(Buffer.from(codec.encode(object)).toString()).to.equal(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}\n',
    );
    expect(object.metadata).to.deep.equal({ name: 'a', resourceVersion: '5', selfLink: '/x' });
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
    expect(codecCounters.decodes).to.equal(before);
    expect(record && { json: text(record), attributes: record.attributes }).to.deep.equal({
      json: text(codec.decode(key, value, 9)),
      attributes: codec.decode(key, value, 9).attributes,
    });
  });

  it('counts decodes and encodes', () => {
    const before = { ...codecCounters };
    codec.encode({ metadata: {} });
    decode('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}');
    expect({ ...codecCounters }).to.deep.equal({ decodes: before.decodes + 1, encodes: before.encodes + 1 });
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
          expect(codec.storesAs?.(record, codec.encode(record.object()))).to.equal(true);
          const value = codec.encode({ ...object, data: other });
          expect(codec.storesAs?.(record, value)).to.equal(Buffer.compare(value, codec.encode(object)) === 0);
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
          expect(record.object()).to.deep.equal(
            JSON.parse(JSON.stringify({ ...object, metadata: { resourceVersion: String(revision), name: 'a' } })),
          );
        },
      ),
    );
  });
});
