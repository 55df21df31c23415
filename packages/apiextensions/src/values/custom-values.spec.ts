import { expect } from 'chai';
import type { KubeObject } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { withoutWords } from '../schema/without-words.ts';
import { ValueSchema } from '../schema/value-schema.ts';
import { applyDefaults, pruneNulls } from './default.ts';
import { coerceEmbedded } from './embedded.ts';
import { prune } from './prune.ts';
import { CustomValues } from './custom-values.ts';

const rootOf = (spec: JSONSchemaProps): JSONSchemaProps => ({ type: 'object', properties: { spec } });
const specOf = (spec: JSONSchemaProps): CustomValues => CustomValues.of(rootOf(spec));
const widget = (spec: unknown): KubeObject => ({
  apiVersion: 'g.test/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec,
});
const field = (schema: JSONSchemaProps, value: unknown): string[] =>
  specOf({ type: 'object', properties: { f: schema } })
    .validate(widget({ f: value }))
    .map(String);

describe('values of custom objects', () => {
  it('are held to ranges of numbers since 1.36', () => {
    const schema = rootOf({ type: 'object', properties: { f: { type: 'integer', maximum: 1.5 } } });
    const problems = (f: number, props: JSONSchemaProps): string[] =>
      CustomValues.of(props).validate(widget({ f })).map(String);
    const former = withoutWords(schema, () => false);
    const wrongType = 'spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"';
    const tooLarge = 'spec.f: Invalid value: 9.223372036854776e+18: spec.f in body should be less than or equal to 1.5';
    expect(problems(2 ** 63, schema)).to.have.lengthOf(4);
    expect(problems(2 ** 63, former)).to.deep.equal([wrongType, tooLarge]);
    expect(problems(1, schema)).to.have.lengthOf(1);
    expect(problems(1, former)).to.deep.equal([]);
  });

  describe('messages of kube-openapi', () => {
    const rows: readonly (readonly [name: string, schema: JSONSchemaProps, value: unknown, ...texts: string[]])[] = [
      [
        'text for a number',
        { type: 'integer' },
        'x',
        'spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"',
      ],
      [
        'number for a text',
        { type: 'string' },
        1,
        'spec.f: Invalid value: "integer": spec.f in body must be of type string: "integer"',
      ],
      [
        'a fraction for an integer',
        { type: 'integer' },
        1.5,
        'spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.f',
      ],
      [
        'null',
        { type: 'string' },
        null,
        'spec.f: Invalid value: "null": spec.f in body must be of type string: "null"',
      ],
      ['nullable null', { type: 'string', nullable: true }, null],
      [
        'int or text',
        { 'x-kubernetes-int-or-string': true },
        true,
        'spec.f: Invalid value: "boolean": spec.f in body must be of type integer,string: "boolean"',
      ],
      [
        'minimum',
        { type: 'integer', minimum: 3 },
        2,
        'spec.f: Invalid value: 2: spec.f in body should be greater than or equal to 3',
      ],
      [
        'exclusive maximum',
        { type: 'integer', maximum: 3, exclusiveMaximum: true },
        3,
        'spec.f: Invalid value: 3: spec.f in body should be less than 3',
      ],
      [
        'multiple',
        { type: 'number', multipleOf: 0.1 },
        0.25,
        'spec.f: Invalid value: 0.25: spec.f in body should be a multiple of 0.1',
      ],
      [
        'a bound that is no integer',
        { type: 'integer', maximum: 2.5 },
        3_000_000_000,
        '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.f',
        'spec.f: Invalid value: 3e+09: spec.f in body should be less than or equal to 2.5',
      ],
      [
        'a large bound of a fraction',
        { type: 'number', minimum: 1e7 },
        1.5,
        'spec.f: Invalid value: 1.5: spec.f in body should be greater than or equal to 1e+07',
      ],
      [
        'a large bound of an integer',
        { type: 'number', minimum: 1e7 },
        1,
        'spec.f: Invalid value: 1: spec.f in body should be greater than or equal to 10000000',
      ],
      ['a bound beyond all integers', { type: 'number', minimum: 1e21 }, 1],
      [
        'an enum of objects',
        { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, enum: [{ b: 1, a: 2 }] },
        { d: 1, c: 2 },
        'spec.f: Unsupported value: {"c":2,"d":1}: supported values: "{\\"a\\":2,\\"b\\":1}"',
      ],
      [
        'int32',
        { type: 'integer', format: 'int32' },
        2 ** 31,
        '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.f',
      ],
      [
        'int64',
        { type: 'integer', format: 'int64' },
        2 ** 63,
        'spec.f: Invalid value: "float64": spec.f in body must be of type int64: "float64"',
        '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.f',
      ],
      [
        'float',
        { type: 'number', format: 'float' },
        1e39,
        '<nil>: Invalid value: "": Checked value must be of type number with format float in spec.f',
      ],
      [
        'too long, in code points',
        { type: 'string', maxLength: 1 },
        '😀😀',
        'spec.f: Too long: may not be more than 1 byte',
      ],
      ['long enough, in code points', { type: 'string', maxLength: 2, minLength: 2 }, '😀😀'],
      [
        'too short',
        { type: 'string', minLength: 2 },
        '😀',
        'spec.f: Invalid value: "😀": spec.f in body should be at least 2 chars long',
      ],
      [
        'pattern',
        { type: 'string', pattern: '^a' },
        'b',
        'spec.f: Invalid value: "b": spec.f in body should match \'^a\'',
      ],
      ['pattern of RE2', { type: 'string', pattern: '^(?i)a\\z' }, 'A'],
      ['enum', { type: 'integer', enum: [1, 2] }, 3, 'spec.f: Unsupported value: 3: supported values: "1", "2"'],
      [
        'format',
        { type: 'string', format: 'ipv4' },
        'x',
        'spec.f: Invalid value: "x": spec.f in body must be of type ipv4: "x"',
      ],
      [
        'format with dashes',
        { type: 'string', format: 'date-time' },
        'x',
        'spec.f: Invalid value: "x": spec.f in body must be of type date-time: "x"',
      ],
      ['unknown format', { type: 'string', format: 'colour' }, 'x'],
      [
        'too few items',
        { type: 'array', items: { type: 'string' }, minItems: 1 },
        [],
        'spec.f: Invalid value: 0: spec.f in body should have at least 1 items',
      ],
      [
        'too many items',
        { type: 'array', items: { type: 'string' }, maxItems: 1 },
        ['a', 'b'],
        'spec.f: Too many: 2: must have at most 1 item',
      ],
      [
        'item',
        { type: 'array', items: { type: 'string' } },
        ['a', 1],
        'spec.f[1]: Invalid value: "integer": spec.f[1] in body must be of type string: "integer"',
      ],
      [
        'map value',
        { type: 'object', additionalProperties: { type: 'integer' } },
        { 'a/b': 'x' },
        'spec.f.a/b: Invalid value: "string": spec.f.a/b in body must be of type integer: "string"',
      ],
      [
        'too few properties',
        { type: 'object', minProperties: 1 },
        {},
        'spec.f: Invalid value: 0: spec.f in body should have at least 1 properties',
      ],
      [
        'too many properties',
        { type: 'object', maxProperties: 1, 'x-kubernetes-preserve-unknown-fields': true },
        { a: 1, b: 1 },
        'spec.f: Too many: 2: must have at most 1 item',
      ],
      ['required', { type: 'object', required: ['a'] }, {}, 'spec.f.a: Required value'],
      [
        'anyOf keeps the best',
        { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
        {},
        '<nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
        'spec.f.a: Required value',
      ],
      [
        'oneOf with none',
        { type: 'string', oneOf: [{ pattern: '^a' }, { enum: ['b'] }] },
        'q',
        '<nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found none valid',
        'spec.f: Invalid value: "q": spec.f in body should match \'^a\'',
      ],
      [
        'oneOf with two',
        { type: 'string', oneOf: [{ pattern: 'a' }, { enum: ['a'] }] },
        'a',
        '<nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
      [
        'allOf',
        { type: 'integer', allOf: [{ minimum: 5 }, { maximum: 10 }] },
        11,
        'spec.f: Invalid value: 11: spec.f in body should be less than or equal to 10',
        '<nil>: Invalid value: "": "spec.f" must validate all the schemas (allOf)',
      ],
      [
        'not',
        { type: 'string', not: { enum: ['a'] } },
        'a',
        '<nil>: Invalid value: "": "spec.f" must not validate the schema (not)',
      ],
      [
        'set',
        { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        ['a', 'b', 'a', 'a'],
        'spec.f[2]: Duplicate value: "a"',
      ],
      [
        'map list',
        {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', properties: { k: { type: 'string' } } },
        },
        [{ k: 'a' }, { k: 'a' }],
        'spec.f[1]: Duplicate value: {"k":"a"}',
      ],
      [
        'embedded',
        { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        { apiVersion: 'a/b/c' },
        'spec.f.kind: Required value',
        'spec.f.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      ],
    ];
    for (const [name, schema, value, ...texts] of rows)
      it(name, () => {
        expect(field(schema, value)).to.deep.equal(texts);
      });
  });

  it('forgives what an update leaves as it was', () => {
    const values = specOf({
      type: 'object',
      properties: {
        a: { type: 'string', maxLength: 1 },
        l: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', properties: { k: { type: 'string' }, n: { type: 'integer', maximum: 1 } } },
        },
      },
    });
    const old = widget({
      a: 'long',
      l: [
        { k: 'x', n: 5 },
        { k: 'y', n: 1 },
      ],
    });
    expect(
      values.validateUpdate(
        widget({
          a: 'long',
          l: [
            { k: 'y', n: 0 },
            { k: 'x', n: 5 },
          ],
        }),
        old,
      ),
    ).to.deep.equal([]);
    expect(
      values
        .validateUpdate(
          widget({
            a: 'longer',
            l: [
              { k: 'x', n: 5 },
              { k: 'y', n: 2 },
            ],
          }),
          old,
        )
        .map(String),
    ).to.deep.equal([
      'spec.a: Too long: may not be more than 1 byte',
      'spec.l[1].n: Invalid value: 2: spec.l[1].n in body should be less than or equal to 1',
    ]);
  });

  it('forgives nothing within anyOf, allOf, oneOf and not', () => {
    const n = { properties: { n: { minimum: 5 } } };
    for (const [word, text] of [
      ['anyOf', 'must validate at least one schema (anyOf)'],
      ['oneOf', 'must validate one and only one schema (oneOf). Found none valid'],
      ['allOf', 'must validate all the schemas (allOf). None validated'],
    ] as const) {
      const values = CustomValues.of({
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' } }, [word]: [n] },
        },
      });
      const errors = values.validateUpdate(
        { kind: 'W', spec: { a: 'now', n: 1 } },
        { kind: 'W', spec: { a: 'before', n: 1 } },
      );
      expect(errors.map(String)).to.have.members([
        `<nil>: Invalid value: "": "spec" ${text}`,
        'spec.n: Invalid value: 1: spec.n in body should be greater than or equal to 5',
      ]);
    }
  });

  it('validates the status under its own path', () => {
    const values = CustomValues.of({
      type: 'object',
      properties: { status: { type: 'object', properties: { phase: { type: 'string' } } } },
    });
    expect(values.validateStatusUpdate({ ...widget({}), status: { phase: 1 } }, widget({})).map(String)).to.deep.equal([
      'status.phase: Invalid value: "integer": phase in body must be of type string: "integer"',
    ]);
  });

  it('prunes and tells what it pruned', () => {
    const schema = ValueSchema.of(
      rootOf({
        type: 'object',
        properties: {
          a: { type: 'string' },
          open: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { shut: { type: 'object' } },
          },
          list: { type: 'array', items: { type: 'object' } },
        },
      }),
    ).asRoot();
    const object = widget({ a: 'x', b: 1, open: { any: 1, shut: { gone: 1 } }, list: [{ z: 1 }] });
    expect(prune(object, schema, true)).to.deep.equal(['spec.b', 'spec.list[0].z', 'spec.open.shut.gone']);
    expect(object).to.deep.equal(widget({ a: 'x', open: { any: 1, shut: {} }, list: [{}] }));
  });

  it('reads metadata, and tells what it did not know of it', () => {
    const object = { ...widget({ b: 1 }), metadata: { name: 'w', odd: 1, labels: null } } as unknown as KubeObject;
    expect(specOf({ type: 'object' }).coerce(object, { unknownFields: true })).to.deep.equal([
      'metadata.odd',
      'spec.b',
    ]);
    expect(object).to.deep.equal(widget({}));
    expect(() =>
      specOf({ type: 'object' }).coerce({ ...widget({}), metadata: { name: 1 } } as unknown as KubeObject),
    ).to.throw('json: cannot unmarshal number into Go struct field ObjectMeta.name of type string');
  });

  it('defaults what is absent, and nulls that may not be', () => {
    const schema = ValueSchema.of(
      rootOf({
        type: 'object',
        default: {},
        properties: {
          a: { type: 'string', default: 'A' },
          n: { type: 'string', nullable: true, default: 'N' },
          plain: { type: 'string' },
          list: { type: 'array', items: { type: 'string', default: 'I' } },
          map: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { x: { type: 'integer', default: 1 } } },
          },
        },
      }),
    );
    const object = widget({ a: null, n: null, plain: null, list: [null, 'b'], map: { k: {} } });
    pruneNulls(object, schema);
    applyDefaults(object, schema);
    expect(object['spec']).to.deep.equal({ a: 'A', n: null, list: ['I', 'b'], map: { k: { x: 1 } } });
    const empty: KubeObject = { apiVersion: 'g.test/v1', kind: 'Widget', metadata: { name: 'w' } };
    applyDefaults(empty, schema);
    expect(empty['spec']).to.deep.equal({ a: 'A', n: 'N' });
    expect(empty['spec']).to.not.equal(schema.property('spec')?.default);
  });

  it('sets no more defaults than a body may have values', () => {
    const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, { a: 'v' }]));
    const schema = ValueSchema.of({
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: {
            type: 'object',
            properties: { a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: members } },
          },
        },
      },
    } as JSONSchemaProps);
    const of = (items: number): object => ({ list: Array.from({ length: items }, () => ({})) });
    applyDefaults(of(124), schema);
    expect(() => {
      applyDefaults(of(125), schema);
    }).to.throw('Request entity too large: limit is 250000 values');
  });

  for (const [what, property] of Object.entries({
    texts: { type: 'string', default: 'v' },
    'empty objects': { type: 'object', default: {} },
  })) {
    const of = (items: number): { list: object[]; map: Record<string, object> } => ({
      list: Array.from({ length: items }, () => ({})),
      map: { k: {} },
    });
    const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, property]));
    const each = { type: 'object', properties };
    const schema = ValueSchema.of({
      type: 'object',
      properties: {
        list: { type: 'array', items: each },
        map: { type: 'object', additionalProperties: each },
      },
    } as JSONSchemaProps);

    it(`counts ${what} among them`, () => {
      applyDefaults(of(249), schema);
      expect(() => {
        applyDefaults(of(250), schema);
      }).to.throw('Request entity too large: limit is 250000 values');
    });

    it(`sets more ${what} in an object of the store`, () => {
      const object = of(250);
      applyDefaults(object, schema, { stored: true });
      expect(Object.keys(object.list[249] ?? {}).length).to.equal(1_000);
      expect(() => {
        applyDefaults(of(500), schema, { stored: true });
      }).to.throw('the defaults of the definition make the object too large');
    });
  }

  it('sets no more bytes than a body may have, and defaultBytes in an object of the store', () => {
    const items = (count: number): object => ({ list: Array.from({ length: count }, () => ({})) });
    const name = 'n'.repeat(512);
    for (const property of [
      { type: 'string', default: 'x'.repeat(512) },
      { type: 'object', default: { [name]: 'v' }, 'x-kubernetes-preserve-unknown-fields': true },
    ]) {
      const schema = ValueSchema.of({
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'object', properties: { [name]: property } } } },
      } as JSONSchemaProps);
      expect(applyDefaults(items(3_000), schema)).to.be.within(3_000_000, 3_145_728);
      expect(() => {
        applyDefaults(items(3_100), schema);
      }).to.throw('Request entity too large: limit is 3145728');
      applyDefaults(items(8_000), schema, { stored: true });
      expect(() => {
        applyDefaults(items(8_200), schema, { stored: true });
      }).to.throw('the defaults of the definition make the object too large');
    }
  });

  it('counts bytes of texts, not letters: as they are written as JSON', () => {
    const items = (count: number): object => ({ list: Array.from({ length: count }, () => ({})) });
    const nulls = (count: number): object => ({ list: Array.from({ length: count }, () => null) });
    // Three bytes, a pair of four, and an escape of six.
    for (const [letter, bytes] of [
      ['世', 3],
      ['😀', 4],
      ['\u0001', 6],
    ] as const) {
      const text = letter.repeat(100);
      const item = { type: 'string', default: text };
      const texts = ValueSchema.of({ type: 'object', properties: { list: { type: 'array', items: item } } });
      expect(applyDefaults(nulls(10), texts)).to.equal(10 * (100 * bytes + 2));
      const named = ValueSchema.of({
        type: 'object',
        properties: { list: { type: 'array', items: { type: 'object', properties: { [text]: item } } } },
      } as JSONSchemaProps);
      expect(applyDefaults(items(10), named)).to.equal(10 * (2 * (100 * bytes + 2) + 2));
      const nested = ValueSchema.of({
        type: 'object',
        properties: {
          o: { type: 'object', default: { [text]: [text] }, 'x-kubernetes-preserve-unknown-fields': true },
        },
      } as JSONSchemaProps);
      expect(applyDefaults({}, nested)).to.equal('"o":,{:[]}'.length + 2 * (100 * bytes + 2));
    }
  });

  it('counts defaults in the place of nulls, of items and of maps', () => {
    const nulls = (): null[] => Array.from({ length: 250_001 }, () => null);
    const item = { type: 'string', default: 'v' };
    const list = ValueSchema.of({ type: 'object', properties: { l: { type: 'array', items: item } } });
    const map = ValueSchema.of({ type: 'object', properties: { m: { type: 'object', additionalProperties: item } } });
    expect(() => {
      applyDefaults({ l: nulls() }, list);
    }).to.throw('limit is 250000 values');
    expect(() => {
      applyDefaults({ m: Object.fromEntries(nulls().map((value, i) => [`k${i}`, value])) }, map);
    }).to.throw('limit is 250000 values');
  });

  it('refuses malformed metadata of embedded resources in the words of the decoder', () => {
    const schema = ValueSchema.of(
      rootOf({
        type: 'object',
        properties: {
          emb: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        },
      }),
    );
    expect(String(coerceEmbedded(widget({ emb: { metadata: { labels: { a: 1 } } } }), schema))).to.equal(
      'spec.emb.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct ' +
        'field ObjectMeta.labels of type string',
    );
    expect(String(coerceEmbedded(widget({ emb: { apiVersion: 1 } }), schema))).to.equal(
      'spec.emb.apiVersion: Invalid value: 1: must be a string',
    );
    const stored = widget({ emb: { apiVersion: 1, metadata: { labels: { a: 1 }, name: 'x' } } });
    expect(coerceEmbedded(stored, schema, { dropInvalid: true })).to.equal(undefined);
    expect(stored['spec']).to.deep.equal({ emb: { metadata: { name: 'x' } } });
  });
});
