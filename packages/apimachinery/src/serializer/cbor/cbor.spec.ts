import { expect } from 'chai';
import { builtinScheme } from '../../builtin/builtin-scheme.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import { isDecodeError } from '../decode-error.ts';
import { decodeErrorStatus } from '../decode-status.ts';
import { decodeCBOR, encodeCBOR, readCBOR } from './cbor.ts';
import { countCBORValues } from './count-values.ts';
import { isCBOR } from './wire.ts';

const scheme = builtinScheme();
const configMap = scheme.kind({ group: '', version: 'v1', kind: 'ConfigMap' }) as KindInfo;
const secret = scheme.kind({ group: '', version: 'v1', kind: 'Secret' }) as KindInfo;
const custom: KindInfo = {
  gvk: { group: 't.io', version: 'v1', kind: 'X' },
  goType: '*unstructured.Unstructured',
  unstructured: true,
  schema: { kind: 'any', mapType: 'granular' },
};

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** Without the tag in front. */
const bare = (value: unknown): Buffer => encodeCBOR(value).subarray(3);

function refusal(bytes: Uint8Array, kind: KindInfo, strict: 'Warn' | 'Strict' = 'Warn'): string {
  try {
    decodeCBOR(bytes, kind, { scheme, strict, outside: true });
  } catch (error) {
    if (isDecodeError(error)) return decodeErrorStatus(error, kind, bytes).message;
    throw error;
  }
  return 'none';
}

describe('encodeCBOR', () => {
  it('writes what is stored as the reference does', () => {
    // Written by kube-apiserver 1.36 with CBORServingAndStorage.
    const stored = hex(
      'd9d9f7a4446b696e6441584473706563a44161a4417a014279798701f64178f9408024fb7e37e43c8800759cf542c3a942c3' +
        'bc436269671b400000000000000041660241720941734164486d65746164617461a643756964582435316564666236372d63' +
        '6362312d343631332d383262342d313434323461623562303639446e616d65416f496e616d6573706163654764656661756c' +
        '744a67656e65726174696f6e044d6d616e616765644669656c647382a64474696d6554323032362d31312d32385431343a35' +
        '363a34385a476d616e616765724171486669656c64735631a146663a73706563a143663a72a0496f7065726174696f6e4541' +
        '70706c794a61706956657273696f6e47742e696f2f76314a6669656c647354797065484669656c64735631a64474696d6554' +
        '323032362d31312d32385431343a35363a34385a476d616e61676572446e6f6465486669656c64735631a146663a73706563' +
        'a4412ea043663a61a5412ea043663a7aa044663a7979a044663ac3a9a045663a626967a043663a66a043663a73a0496f7065' +
        '726174696f6e465570646174654a61706956657273696f6e47742e696f2f76314a6669656c647354797065484669656c6473' +
        '5631516372656174696f6e54696d657374616d7054323032362d31312d32385431343a35363a34375a4a6170695665727369' +
        '6f6e47742e696f2f7631',
    );
    expect(isCBOR(stored)).to.equal(true);
    const { object } = decodeCBOR(stored, undefined);
    expect(object).to.deep.include({ kind: 'X', apiVersion: 't.io/v1' });
    expect(encodeCBOR(object, { sorted: true }).toString('hex')).to.equal(stored.toString('hex'));
  });

  const values: readonly (readonly [value: unknown, written: string])[] = [
    [0, '00'],
    [23, '17'],
    [24, '1818'],
    [256, '190100'],
    [65_536, '1a00010000'],
    [2 ** 33, '1b0000000200000000'],
    [-1, '20'],
    [-257, '390100'],
    [2n ** 62n, '1b4000000000000000'],
    [-(2n ** 62n), '3b3fffffffffffffff'],
    [1.5, 'f93e00'],
    [2 ** -24 * 1.5, 'fa33c00000'],
    [2 ** -24, 'f90001'],
    [-0, 'f98000'],
    [65_504.5, 'fa477fe080'],
    [0.1, 'fb3fb999999999999a'],
    [1e300, 'fb7e37e43c8800759c'],
    [true, 'f5'],
    [null, 'f6'],
    ['é', '42c3a9'],
    [[1, 'a'], '82014161'],
    [{ b: 1, a: 2, aa: undefined }, 'a2416201416102'],
  ];
  for (const [value, written] of values)
    it(`writes ${typeof value === 'bigint' ? String(value) : JSON.stringify(value)} as ${written}`, () => {
      expect(bare(value).toString('hex')).to.equal(written);
      if (!Object.is(value, -0) && typeof value !== 'object') expect(readCBOR(bare(value))).to.equal(value);
    });

  it('writes bytes as such where a schema says so, and reads them in both forms', () => {
    const object = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' }, data: { a: 'aGFsbG8=' } };
    const bytes = encodeCBOR(object, { schema: secret.schema });
    expect(bytes.includes(hex('d6 45 68616c6c6f'))).to.equal(true);
    for (const each of [bytes, encodeCBOR(object)])
      expect(decodeCBOR(each, secret, { scheme, strict: 'Strict' }).object).to.deep.equal(object);
  });
});

describe('readCBOR', () => {
  const rows: readonly (readonly [name: string, bytes: string, value: unknown])[] = [
    ['chunks of texts', '7f 6161 6162 ff', 'ab'],
    ['lists and maps without a length', 'bf 4161 9f 01 02 ff ff', { a: [1, 2] }],
    ['bytes that are base64 in texts', 'd6 43 010203', 'AQID'],
    ['bytes that are base64url in texts, wherever they are within', 'd5 82 42 fbff 61 61', ['-_8', 'a']],
    ['bytes that are hexadecimal in texts', 'd7 42 01ff', '01ff'],
    ['times as text', 'c0 74 323032362d30312d30325430333a30343a30355a', '2026-01-02T03:04:05Z'],
    ['times as numbers', 'c1 1a 6955b700', '2025-12-31T23:51:28Z'],
    ['other tags', 'd8 64 01', 1],
    ['halves', '83 f90400 f97bff f90000', [2 ** -14, 65_504, 0]],
    ['singles', 'fa 47c35000', 100_000],
    ['whole floats', 'f93c00', 1],
  ];
  for (const [name, bytes, value] of rows)
    it(`reads ${name}`, () => {
      expect(readCBOR(hex(bytes))).to.deep.equal(value);
    });

  const refused: readonly (readonly [bytes: string, message: string])[] = [
    ['', 'EOF'],
    ['a1', 'unexpected EOF'],
    ['19 01', 'unexpected EOF'],
    ['63 6161', 'unexpected EOF'],
    ['5b ffffffffffffffff', 'cbor: byte string length 18446744073709551615 is too large, causing integer overflow'],
    ['9b ffffffffffffffff', 'cbor: array length 18446744073709551615 is too large, it would cause integer overflow'],
    ['ba 00ffffff', 'cbor: exceeded max number of key-value pairs 2097152 for CBOR map'],
    ['00 00', 'cbor: 1 bytes of extraneous data starting at index 1'],
    ['ff', 'cbor: unexpected "break" code'],
    ['bf 4161 ff', 'cbor: unexpected "break" code'],
    ['1c', 'cbor: invalid additional information 28 for type positive integer'],
    ['df 00', 'cbor: invalid additional information 31 for type tag'],
    ['f8 18', 'cbor: invalid simple value 24 for type primitives'],
    ['5f 6161 ff', 'cbor: wrong element type UTF-8 text string for indefinite-length byte string'],
    ['5f 5f ff ff', 'cbor: indefinite-length byte string chunk is not definite-length'],
    ['f97e00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
    ['fa7f800000', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity'],
    ['c2 41 01', 'cbor: data item of cbor type tag is not accepted by protocol: bignum'],
    ['f7', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized'],
    ['61 ff', 'cbor: invalid UTF-8 string'],
    ['a2 4161 01 6161 02', 'cbor: found duplicate map key "a" at map element index 1'],
    ['a1 01 01', 'cbor: cannot unmarshal positive integer into Go value of type string'],
    [
      '1b ffffffffffffffff',
      "cbor: cannot unmarshal positive integer into Go value of type int64 (18446744073709551615 overflows Go's int64)",
    ],
    [
      '3b ffffffffffffffff',
      'cbor: cannot unmarshal negative integer into Go value of type int64 ' +
        "(-18446744073709551616 overflows Go's int64)",
    ],
    ['c0 01', 'cbor: tag number 0 must be followed by text string, got positive integer'],
  ];
  for (const [bytes, message] of refused)
    it(`refuses ${bytes === '' ? 'nothing' : bytes}`, () => {
      expect(() => readCBOR(hex(bytes))).to.throw(message);
    });
});

describe('decodeCBOR', () => {
  const typed = (more: object): Buffer =>
    encodeCBOR({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...more });
  const as = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
  const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): unable to determine ';
  const rows: readonly (readonly [name: string, bytes: Buffer, message: string])[] = [
    [
      'a value of the wrong type',
      typed({ data: 3 }),
      `${as}cbor: cannot unmarshal positive integer into Go struct field v1.ConfigMap.data of type map[string]string`,
    ],
    [
      'one deeper in it',
      typed({ metadata: { name: 3 } }),
      `${as}cbor: cannot unmarshal positive integer into Go struct field v1.ConfigMap.metadata of type string`,
    ],
    [
      'bytes that are no base64',
      typed({ binaryData: { a: '%%%' } }),
      `${as}cbor: failed to decode base64 from byte string: illegal base64 data at input byte 0`,
    ],
    [
      'a time that is none',
      typed({ metadata: { creationTimestamp: 'A', name: 3 } }),
      `${as}parsing time "A" as "2006-01-02T15:04:05Z07:00": cannot parse "A" as "2006"`,
    ],
    [
      'a key that comes twice',
      Buffer.concat([hex('a2 4464617461'), hex('a2 4161 4161 4161 4162'), bare('kind'), bare('ConfigMap')]),
      `${as}cbor: found duplicate map key "a" at map element index 1`,
    ],
    [
      'a kind that is no text',
      encodeCBOR({ apiVersion: 'v1', kind: 3 }),
      `${unrecognized}group/version/kind: cbor: cannot unmarshal positive integer into Go struct field ` +
        'v1.TypeMeta.kind of type string (d9d9f7a24a61706956657273696f6e427631446b696e6403)',
    ],
    [
      'a list',
      encodeCBOR([]),
      `${unrecognized}group/version/kind: cbor: cannot unmarshal array into Go value of type v1.TypeMeta (cannot ` +
        'decode CBOR array to struct without toarray option) (d9d9f780)',
    ],
    ['nothing', Buffer.alloc(0), `${unrecognized}group/version/kind: EOF (<empty>)`],
  ];
  for (const [name, bytes, message] of rows)
    it(`refuses ${name}`, () => {
      expect(refusal(bytes, configMap)).to.equal(message);
    });

  it('tells of the first unknown field by its place', () => {
    const unknown = encodeCBOR({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', x: 1, y: 2 }, z: 1 });
    const { object, strictErrors } = decodeCBOR(unknown, configMap, { strict: 'Warn' });
    expect(strictErrors).to.deep.equal(['cbor: found unknown field at map element index 3']);
    expect(object).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } });
    expect(refusal(encodeCBOR({ metadata: { x: 1 } }), configMap, 'Strict')).to.equal(
      `${as}strict decoding error: cbor: found unknown field at map element index 0`,
    );
    expect(decodeCBOR(hex('a1 01 02'), configMap, { strict: 'Warn' }).strictErrors).to.deep.equal([
      'cbor: found unknown field at map element index 0',
    ]);
  });

  it('reads quantities and numbers or texts as their types do', () => {
    const told = (kind: string, spec: object): string =>
      refusal(encodeCBOR({ spec }), scheme.kind({ group: '', version: 'v1', kind }) as KindInfo);
    expect(told('PersistentVolume', { capacity: { storage: 1 } })).to.contain(
      ': cbor: cannot unmarshal positive integer into Go struct field v1.PersistentVolume.spec of type string',
    );
    expect(told('PersistentVolume', { capacity: { storage: 'x' } })).to.contain(': quantities must match');
    expect(told('Service', { ports: [{ targetPort: -(2 ** 31) - 1 }] })).to.contain(
      'v1.Service.spec of type int32 (-2147483649 overflows int32)',
    );
    expect(told('Service', { ports: [{ targetPort: true }] })).to.contain('primitives into');
    expect(told('Service', { ports: [{ targetPort: 'a' }, { targetPort: 1 }] })).to.equal('none');
    expect(told('Pod', { restartPolicy: [] })).to.contain('v1.Pod.spec of type v1.RestartPolicy');
  });

  it('takes a version that cannot be read for none', () => {
    const { object } = decodeCBOR(encodeCBOR({ apiVersion: 'http://x', kind: 'ConfigMap' }), configMap);
    expect(object).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(refusal(encodeCBOR({ apiVersion: 'http://x', kind: 'X' }), custom)).to.contain("Object 'Kind' is missing");
  });

  it('takes null for an empty object', () => {
    expect(decodeCBOR(encodeCBOR(null), configMap).object).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMap' });
  });

  it('quotes custom objects without a kind or a version in diagnostic notation', () => {
    const metadata = { name: `é\n'"`, f: [1.5, -3, true, null, 1e300, {}] };
    expect(refusal(encodeCBOR({ apiVersion: 't.io/v1', kind: 3, metadata }), custom)).to.contain(
      String.raw`Object 'Kind' is missing in '55799({'apiVersion': 't.io/v1', 'kind': 3, 'metadata': {'name': ` +
        String.raw`'\u00e9\n\'"', 'f': [1.5, -3, true, null, 1.0e+300, {}]}})'`,
    );
    expect(refusal(encodeCBOR({ kind: 'X' }), custom)).to.equal(
      "X in version \"\" cannot be handled as a X: Object 'apiVersion' is missing in '55799({'kind': 'X'})'",
    );
    expect(refusal(hex('bf 5f 4161 ff 9f ff ff'), custom)).to.contain("'{_ (_ 'a'): [_ ]}'");
  });
});

describe('countCBORValues', () => {
  it('counts entries and items, and goes no further than there is', () => {
    expect(countCBORValues(encodeCBOR({ a: [1, 2, { b: 3 }], c: 'x' }))).to.equal(6);
    expect(countCBORValues(hex('82 78'))).to.equal(2);
    expect(countCBORValues(hex('9b ffffffffffffffff'))).to.equal(9);
  });

  it('counts what is in lists, maps and strings without a length', () => {
    expect(countCBORValues(hex('9f 01 02 82 03 04 ff'))).to.equal(5);
    expect(countCBORValues(hex('82 bf 6161 01 ff 05'))).to.equal(4);
    expect(countCBORValues(hex('5f 40 40 41ff ff 9f ff'))).to.equal(3);
    expect(countCBORValues(hex('ff ff 9f 01'))).to.equal(1);
  });
});
