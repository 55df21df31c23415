import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { builtinScheme } from '../../builtin/builtin-scheme.ts';
import type { KubeObject } from '../../object/object.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import { DecodeError } from '../decode-error.ts';
import { decodeJSON } from '../json/decode.ts';
import { encodeJSON } from '../json/encode.ts';
import { arbitraryOf } from '../testdata/arbitrary-object.ts';
import { WireWriter } from '../../wire/wire-writer.ts';
import { PROTOBUF_PREFIX, writeEnvelope } from './envelope.ts';
import { decodeProtobuf, encodeProtobuf, encodeProtobufMessage, hasProtobuf } from './protobuf.ts';
import { decodeWatchFrame, encodeWatchFrame } from './watch-frame.ts';
import { UnsupportedWireTypeError } from './wire-plan.ts';

const testdata = new URL('../testdata/', import.meta.url);
const scheme = builtinScheme();
function kind(group: string, version: string, name: string): KindInfo {
  const info = scheme.kind({ group, version, kind: name });
  if (info === undefined) throw new TypeError(`no kind ${name}`);
  return info;
}
const configMap = kind('', 'v1', 'ConfigMap');

function failure(bytes: Uint8Array, info: KindInfo = configMap): DecodeError {
  try {
    decodeProtobuf(bytes, info, { scheme });
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  throw new TypeError('decoded');
}

describe('protobuf', () => {
  for (const file of readdirSync(testdata).filter((name) => name.endsWith('.pb'))) {
    it(`reads and writes ${file} as upstream`, () => {
      const bytes = readFileSync(new URL(file, testdata));
      const json = decodeJSON(readFileSync(new URL(file.replace('.pb', '.json'), testdata)), undefined, { scheme });
      const { object, kind: info } = decodeProtobuf(bytes, undefined, { scheme });
      const schema = info?.schema;
      if (schema === undefined) throw new TypeError('no schema');
      expect(encodeJSON(object, schema).toString()).to.equal(encodeJSON(json.object, schema).toString());
      expect(encodeProtobuf(json.object, schema).equals(bytes)).to.equal(true);
      expect(encodeProtobuf(object, schema).equals(bytes)).to.equal(true);
    });
  }

  it('writes values held by value also when empty, pointers only when set', () => {
    const hex = (object: KubeObject): string => encodeProtobufMessage(object, configMap.schema).toString('hex');
    // metadata: name, generateName, namespace, selfLink, uid, resourceVersion empty, generation 0, creationTimestamp
    // without content.
    const metadata = '0a10' + '0a00' + '1200' + '1a00' + '2200' + '2a00' + '3200' + '3800' + '4200';
    expect(hex({})).to.equal(metadata);
    expect(hex({ immutable: false })).to.equal(`${metadata}2000`);
  });

  it('takes an apiVersion that is none for none', () => {
    const writer = new WireWriter(64);
    writeEnvelope(writer, 'x/y/z', '', () => undefined);
    const { gvk } = decodeProtobuf(writer.finish(), configMap, { scheme });
    expect(gvk).to.deep.equal({ group: '', version: 'v1', kind: 'ConfigMap' });
  });

  it('sorts map keys by their bytes', () => {
    const message = (keys: readonly string[]): string =>
      encodeProtobufMessage({ data: Object.fromEntries(keys.map((key) => [key, 'v'])) }, configMap.schema).toString(
        'hex',
      );
    expect(message(['b', '🙂', '\uffee', 'a'])).to.equal(message(['a', 'b', '\uffee', '🙂']));
    expect(message(['🙂', '\uffee'])).to.match(/efbfae.*f09f9982/);
  });

  for (const [group, version, name] of [
    ['', 'v1', 'Pod'],
    ['', 'v1', 'Event'],
    ['apps', 'v1', 'StatefulSet'],
    ['batch', 'v1', 'CronJob'],
    ['networking.k8s.io', 'v1', 'Ingress'],
    ['authentication.k8s.io', 'v1', 'TokenReview'],
    ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition'],
    ['resource.k8s.io', 'v1', 'ResourceSlice'],
    ['admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicyBinding'],
  ] as const) {
    it(`carries every ${name} that JSON carries`, () => {
      const info = kind(group, version, name);
      const { schema } = info;
      fc.assert(
        fc.property(arbitraryOf(schema), (value) => {
          const object: KubeObject = {
            ...(value as object),
            kind: name,
            apiVersion: group === '' ? version : `${group}/${version}`,
          };
          const json = encodeJSON(object, schema);
          const fromJSON = decodeJSON(json, info, { strict: 'Strict' }).object;
          expect(encodeJSON(fromJSON, schema).toString()).to.equal(json.toString());
          const bytes = encodeProtobuf(fromJSON, schema);
          const fromProtobuf = decodeProtobuf(bytes, info).object;
          expect(encodeJSON(fromProtobuf, schema).toString()).to.equal(json.toString());
          expect(encodeProtobuf(fromProtobuf, schema).equals(bytes)).to.equal(true);
        }),
        { numRuns: 20 },
      );
    });
  }

  it('skips fields that it does not know', () => {
    const known = encodeProtobufMessage({ data: { a: 'b' } }, configMap.schema);
    const unknown = Buffer.concat([
      known,
      Buffer.from('f80701' + 'fa0703616263' + 'fd0701020304' + 'f9070102030405060708' + 'fb070801fc07', 'hex'),
    ]);
    const envelope = Buffer.concat([Buffer.from('6b38730012', 'hex'), Buffer.from([unknown.length]), unknown]);
    expect(decodeProtobuf(envelope, configMap).object).to.deep.include({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      data: { a: 'b' },
    });
  });

  it('brings raw JSON back as a client of Go wrote it', () => {
    const revision = kind('apps', 'v1', 'ControllerRevision');
    const object = { apiVersion: 'apps/v1', kind: 'ControllerRevision', revision: 1, data: { a: '<&>\u2028' } };
    const bytes = encodeProtobuf(object, revision.schema);
    expect(bytes.includes('{"a":"\\u003c\\u0026\\u003e\\u2028"}')).to.equal(true);
    expect(decodeProtobuf(bytes, revision).object).to.deep.include({ data: object.data });
  });

  it('reads enveloped objects inside raw extensions', () => {
    const item = encodeProtobuf({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }, configMap.schema);
    const frame = decodeWatchFrame(encodeWatchFrame('ADDED', item));
    expect(frame?.frame.type).to.equal('ADDED');
    expect(frame?.frame.object.equals(item)).to.equal(true);
  });

  it('keeps bytes of texts that are no UTF-8', () => {
    const message = (text: Buffer): Buffer =>
      Buffer.concat([Buffer.of(0x0a, text.length + 2, 0x0a, text.length), text]);
    for (const hex of ['ff', '61c3', 'eda080', 'c3a9ff', `61${'ff'.repeat(40)}`]) {
      const bytes = message(Buffer.from(hex, 'hex'));
      const raw = Buffer.concat([Buffer.of(0x12, bytes.length), bytes]);
      const { object } = decodeProtobuf(Buffer.concat([Buffer.from('k8s\0'), raw]), configMap);
      expect(encodeProtobufMessage(object, configMap.schema).toString('hex'), hex).to.include(bytes.toString('hex', 2));
      expect(encodeJSON(object, configMap.schema).toString(), hex).to.include(String.raw`\ufffd`);
    }
  });

  describe('entries of maps', () => {
    const data = (entry: string, rest = ''): KubeObject => {
      const field = `12${(entry.length / 2).toString(16).padStart(2, '0')}${entry}${rest}`;
      const raw = `12${(field.length / 2).toString(16).padStart(2, '0')}${field}`;
      return decodeProtobuf(Buffer.from(`6b387300${raw}`, 'hex'), configMap).object;
    };
    const rows: readonly (readonly [name: string, entry: string, rest: string, data: object | string])[] = [
      ['a key and a value', '0a016112 0162', '', { a: 'b' }],
      ['of any wire type', '08016110 0162', '', { a: 'b' }],
      ['fields of other numbers', '1a017a0a016112 01622001', '', { a: 'b' }],
      ['numbers cut to 32 bits', '8a80808080 01 0161 120162', '', { a: 'b' }],
      ['a number of more than 32 bits', '8a80808010 0161 120162', '', { '': 'b' }],
      ['a value that ends behind the entry', '0a0161120362', '1200', { a: 'b\u0012\u0000', '': '' }],
      ['a value that ends behind the message', '0a0161120462', '1200', 'unexpected EOF'],
      ['a field of another number that ends behind the entry', '0a016122 0362', '1200', 'unexpected EOF'],
      ['number 0', '0005', '', { '': '' }],
      ['the end of a group', '04', '', 'proto: unexpected end of group'],
      ['a tag of 64 bits', 'ffffffffffffffffff01', '', 'proto: illegal wireType 7'],
    ];
    for (const [name, entry, rest, expected] of rows) {
      it(name, () => {
        let read: unknown;
        try {
          read = data(entry.replaceAll(' ', ''), rest)['data'];
        } catch (error) {
          read = (error as Error).message;
        }
        expect(read).to.deep.equal(expected);
      });
    }

    it('do not have what follows read again for each of them', () => {
      const varint = (value: number, bytes: number): number[] =>
        Array.from({ length: bytes }, (_, i) => ((value >>> (7 * i)) & 0x7f) | (i < bytes - 1 ? 0x80 : 0));
      const [entries, entryBytes, padding] = [4_000, 6, 400_000];
      // Each entry has all that follows as its key: 1.6 GB of text.
      const all = Array.from({ length: entries }, (_, i) => [
        0x12,
        4,
        0x0a,
        ...varint((entries - i - 1) * entryBytes + padding, 3),
      ]);
      const body = Buffer.concat([Buffer.from(all.flat()), Buffer.alloc(padding, 'x')]);
      const raw = Buffer.concat([Buffer.from([0x12, ...varint(body.length, 3)]), body]);
      const used = process.memoryUsage().rss;
      expect(() => decodeProtobuf(Buffer.concat([Buffer.from('k8s\0'), raw]), configMap)).to.throw('unexpected EOF');
      expect(process.memoryUsage().rss - used).to.be.lessThan(100_000_000);
    });
  });

  describe('errors', () => {
    const envelope = (body: string): Buffer => Buffer.from(`6b387300${body}`, 'hex');
    const rows: [name: string, bytes: Buffer, code: string, message: string][] = [
      ['nothing', Buffer.alloc(0), 'Unreadable', 'empty data'],
      [
        'JSON',
        Buffer.from('{}'),
        'Unreadable',
        'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
      ],
      ['only the prefix', envelope(''), 'Unreadable', 'empty body'],
      ['a cut envelope', envelope('1205'), 'Unreadable', 'unexpected EOF'],
      ['a cut message', envelope('12020a05'), 'InvalidValue', 'unexpected EOF'],
      ['a wrong wire type', envelope('12020801'), 'InvalidValue', 'proto: wrong wireType = 0 for field ObjectMeta'],
      [
        'an identity of another type',
        envelope('12040a022801'),
        'InvalidValue',
        'proto: wrong wireType = 0 for field UID',
      ],
      [
        'a group that ends nowhere',
        envelope('12010c'),
        'InvalidValue',
        'proto: ConfigMap: wiretype end group for non-group',
      ],
      [
        'a field of another type',
        envelope('12040a024001'),
        'InvalidValue',
        'proto: wrong wireType = 0 for field CreationTimestamp',
      ],
      [
        'text where seconds are',
        envelope('12070a0542030a0161'),
        'InvalidValue',
        'proto: wrong wireType = 2 for field Seconds',
      ],
      [
        'a field of no number in the envelope',
        envelope('ffffffffffffffffff01'),
        'Unreadable',
        'proto: Unknown: illegal tag -1 (wire type 18446744073709551615)',
      ],
      [
        'an envelope that is the end of a group',
        envelope('04'),
        'Unreadable',
        'proto: Unknown: wiretype end group for non-group',
      ],
      ['a field of no number', envelope('120102'), 'InvalidValue', 'proto: ConfigMap: illegal tag 0 (wire type 2)'],
      [
        'a time with a field of no number',
        envelope('12060a0442020200'),
        'InvalidValue',
        'proto: Timestamp: illegal tag 0 (wire type 2)',
      ],
      ['an envelope of other types', envelope('0801'), 'Unreadable', 'proto: wrong wireType = 0 for field TypeMeta'],
      [
        'a time after the year 9999',
        envelope('120b0a094207089fbdcd8ec007'),
        'InvalidValue',
        'Time.MarshalJSON: year outside of range [0,9999]',
      ],
      [
        'another kind',
        encodeProtobuf({ apiVersion: 'v1', kind: 'Secret' }, kind('', 'v1', 'Secret').schema),
        'WrongKind',
        'converting (v1.Secret) to (core.ConfigMap): unknown conversion',
      ],
    ];
    for (const [name, bytes, code, message] of rows)
      it(name, () => {
        expect(failure(bytes)).to.include({ code, message });
      });

    it('unions with fields of other types', () => {
      const crd = kind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
      // spec = 2 { versions = 7 { schema = 4 { openAPIV3Schema = 1 { additionalProperties = 30 { … } } } } }
      const writer = new WireWriter();
      writer.raw(Buffer.from('0a00', 'hex'));
      for (const field of [30, 1, 4, 7, 2, 2]) writer.close(field * 8 + 2, 0);
      writer.raw(PROTOBUF_PREFIX);
      expect(failure(writer.finish(), crd).message).to.equal('proto: wrong wireType = 2 for field Allows');
    });

    it('schemas within schemas beyond protobufDepth', () => {
      const crd = kind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
      // spec = 2 { versions = 7 { schema = 4 { openAPIV3Schema = 1 { not = 26 { … } } } } }
      const nested = (depth: number): Buffer => {
        const writer = new WireWriter();
        for (let i = 0; i < depth; i++) writer.close(26 * 8 + 2, 0);
        for (const field of [1, 4, 7, 2, 2]) writer.close(field * 8 + 2, 0);
        writer.raw(PROTOBUF_PREFIX);
        return writer.finish();
      };
      expect(decodeProtobuf(nested(990), crd, { scheme }).object).to.have.property('spec');
      expect(failure(nested(1_000), crd)).to.include({ code: 'InvalidValue', message: 'proto: exceeded max depth' });
      expect(failure(nested(300_000), crd).message).to.equal('proto: exceeded max depth');
    });

    it('objects within raw fields of objects beyond protobufDepth', () => {
      const revision = kind('apps', 'v1', 'ControllerRevision');
      const nested = (depth: number): Buffer => {
        const writer = new WireWriter();
        for (let i = 0; i < depth; i++) {
          // data = 2 { raw = 1 } in the envelope's raw = 2; typeMeta = 1 { apiVersion = 1, kind = 2 }
          if (i > 0) {
            writer.close(0x0a, 0);
            writer.close(0x12, 0);
          }
          writer.close(0x12, 0);
          const before = writer.length;
          writer.textField(0x12, 'ControllerRevision');
          writer.textField(0x0a, 'apps/v1');
          writer.close(0x0a, before);
          writer.raw(PROTOBUF_PREFIX);
        }
        return writer.finish();
      };
      expect(decodeProtobuf(nested(90), revision, { scheme }).object).to.have.property('data');
      expect(failure(nested(50_000), revision).message).to.equal('proto: exceeded max depth');
    });

    it('entries of maps without a value have none', () => {
      const writer = new WireWriter();
      // binaryData = 3 and data = 2 { key = 1 } in the envelope's raw = 2
      for (const field of [3, 2]) {
        const before = writer.length;
        writer.textField(0x0a, 'a');
        writer.close(field * 8 + 2, before);
      }
      writer.close(0x12, 0);
      writer.raw(PROTOBUF_PREFIX);
      expect(decodeProtobuf(writer.finish(), configMap, { scheme }).object).to.deep.include({
        binaryData: { a: '' },
        data: { a: '' },
      });
    });

    it('random bytes never escape as anything else', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
          try {
            decodeProtobuf(Buffer.concat([Buffer.from('k8s\0'), bytes]), configMap, { scheme });
          } catch (error) {
            expect(error).to.be.instanceOf(DecodeError);
          }
        }),
        { numRuns: 2000 },
      );
    });

    it('refuses what has no protobuf form', () => {
      const schema = { kind: 'any', mapType: 'granular' } as const;
      expect(hasProtobuf(schema)).to.equal(false);
      expect(() => encodeProtobuf({ kind: 'Widget' }, schema)).to.throw(UnsupportedWireTypeError, 'Widget');
    });
  });
});

describe('watch frames', () => {
  it('are length-prefixed and read one by one', () => {
    const frames = Buffer.concat([
      encodeWatchFrame('ADDED', Buffer.from('abc')),
      encodeWatchFrame('DELETED', Buffer.alloc(300, 'x')),
    ]);
    expect(frames.readUInt32BE(0)).to.equal(14);
    const first = decodeWatchFrame(frames);
    expect(first?.frame).to.deep.equal({ type: 'ADDED', object: Buffer.from('abc') });
    const second = decodeWatchFrame(frames.subarray(first?.next));
    expect(second?.frame.object.length).to.equal(300);
    expect(decodeWatchFrame(frames.subarray(0, 10))).to.equal(undefined);
  });

  it('of absurd size are refused', () => {
    expect(() => decodeWatchFrame(Buffer.from('ffffffff', 'hex'))).to.throw(RangeError);
  });
});
