import { expect } from 'chai';
import fc from 'fast-check';
import type { Field, Schema } from '../schema/schema.ts';
import type { StatusError } from '../errors/status.ts';
import { applyJSONPatch, decodeJSONPatch } from './json-patch.ts';
import { hasUnknownMembers, jsonPatchFieldErrors } from './json-patch-fields.ts';
import { cloneJSON } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import { applyMergePatch, decodeMergePatch } from './merge-patch.ts';
import { createMergePatch } from './testing/merge-diff.ts';
import { schemaFor } from '../schema/builtin.ts';
import { createStrategicMergePatch, createThreeWayMergePatch } from './testing/strategic-diff.ts';
import { strategicMergePatch } from './strategic-merge.ts';

const string: Schema = { kind: 'scalar', type: 'string' };
const map: Schema = { kind: 'map', values: string, mapType: 'granular' };
const list = (items: Schema): Schema => ({ kind: 'list', items, listType: 'atomic', mapKeys: [] });
const field = (name: string, schema: Schema, rest: Partial<Field> = {}): [string, Field] => [
  name,
  { name, schema, required: false, ...rest },
];
const struct = (goType: string, ...fields: [string, Field][]): Schema => ({
  kind: 'struct',
  goType,
  mapType: 'granular',
  fields: new Map(fields),
});

const port = struct('v1.Port', field('port', { kind: 'scalar', type: 'int32' }), field('name', string));
const container = struct(
  'v1.Container',
  field('name', string),
  field('image', string),
  field('tty', { kind: 'scalar', type: 'boolean' }),
  field('ports', list(port), { patchStrategy: ['merge'], patchMergeKey: 'port' }),
  field('command', list(string)),
);
const root = struct(
  'v1.Root',
  field('labels', map),
  field('size', string),
  field('held', container, { pointer: true }),
  field('raw', { kind: 'scalar', type: 'bytes' }),
  field('containers', list(container), { patchStrategy: ['merge'], patchMergeKey: 'name' }),
  field('finalizers', list(string), { patchStrategy: ['merge'] }),
  field('plain', list(string)),
  field('atoms', list(container)),
  field(
    'strategy',
    struct('v1.Strategy', field('type', string), field('rolling', struct('v1.Rolling', field('max', string)))),
    { patchStrategy: ['retainKeys'] },
  ),
  field('replaced', struct('v1.Replaced', field('a', string), field('b', string)), { patchStrategy: ['replace'] }),
);

const message = (run: () => unknown): [number, string] => {
  try {
    run();
  } catch (error) {
    return [(error as StatusError).code, (error as StatusError).message];
  }
  return [0, ''];
};

describe('JSON patch', () => {
  const doc = { a: { x: '1' }, l: ['p', 'q'], n: null, 'k/~': 1 };
  const good: [name: string, patch: object[], result: object][] = [
    [
      'adds and overwrites',
      [
        { op: 'add', path: '/a/y', value: 2 },
        { op: 'add', path: '/a/x', value: 3 },
      ],
      { ...doc, a: { x: 3, y: 2 } },
    ],
    [
      'inserts, appends and counts from the end',
      [
        { op: 'add', path: '/l/0', value: 'o' },
        { op: 'add', path: '/l/-', value: 'r' },
        { op: 'add', path: '/l/-1', value: 's' },
      ],
      { ...doc, l: ['o', 'p', 'q', 'r', 's'] },
    ],
    ['unescapes', [{ op: 'replace', path: '/k~1~0', value: 2 }], { ...doc, 'k/~': 2 }],
    ['replaces an absent key', [{ op: 'replace', path: '/a/z', value: 2 }], { ...doc, a: { x: '1', z: 2 } }],
    [
      'moves and copies',
      [
        { op: 'move', from: '/a/x', path: '/a/w' },
        { op: 'copy', from: '/a/w', path: '/v' },
        { op: 'copy', from: '/a/none', path: '/u' },
      ],
      { ...doc, a: { w: '1' }, v: '1', u: null },
    ],
    [
      'tests absence as null',
      [
        { op: 'test', path: '/none', value: null },
        { op: 'test', path: '/n' },
        { op: 'test', path: '/a', value: { x: '1' } },
      ],
      doc,
    ],
    ['ignores text before the first slash', [{ op: 'add', path: 'a/b', value: 1 }], { ...doc, b: 1 }],
    ['replaces the whole', [{ op: 'replace', path: '', value: { z: 1 } }], { z: 1 }],
    ['adds null without a value', [{ op: 'add', path: '/m' }], { ...doc, m: null }],
  ];
  for (const [name, patch, result] of good) {
    it(name, () => {
      const before = cloneJSON(doc as JSONObject);
      expect(applyJSONPatch(doc as JSONObject, decodeJSONPatch(patch as never))).to.deep.equal(result);
      expect(doc).to.deep.equal(before);
    });
  }

  const refused: [object, RegExp][] = [
    [{ op: 'test', path: '/a/x', value: '2' }, /testing value \/a\/x failed/],
    [
      { op: 'remove', path: '/a/none' },
      /^FormatError: error in remove for path: '\/a\/none': Unable to remove nonexistent key: none: missing value$/,
    ],
    [{ op: 'add', path: '/b/c', value: 1 }, /doc is missing path: "\/b\/c"/],
    [{ op: 'add', path: '/l/9', value: 1 }, /invalid index: 9/],
    [{ op: 'remove', path: '/l/x' }, /parsing "x"/],
    [{ op: 'frob', path: '/a' }, /Unexpected kind: frob/],
    [{ path: '/a' }, /Unexpected kind: unknown/],
    [{ op: 'add', value: 1 }, /failed to decode path/],
    [{ op: 'move', from: '/a/none', path: '/b' }, /nonexistent key/],
    [{ op: 'add', path: '', value: {} }, /missing path/],
    [
      { op: 'replace', path: '/l/9', value: 1 },
      /^FormatError: replace operation does not apply: doc is missing key: \/l\/9: missing value$/,
    ],
    [
      { op: 'copy', from: '/l/9', path: '/b' },
      /^FormatError: error in copy for from: '\/l\/9': Unable to access invalid index: 9: invalid index referenced$/,
    ],
    [
      { op: 'copy', from: '/a/x', path: '/l/x' },
      /^FormatError: error while adding value during copy: value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax$/,
    ],
    [{ op: 'test', path: '/l/9', value: 1 }, /^FormatError: error in test for path: '\/l\/9': Unable/],
    [{ op: 'move', from: '/l/9', path: '/b' }, /^FormatError: error in move for path: '9': Unable/],
  ];
  for (const [operation, cause] of refused) {
    it(`refuses ${JSON.stringify(operation)}`, () => {
      try {
        applyJSONPatch(doc as JSONObject, [operation as JSONObject]);
        expect.fail('applied');
      } catch (error) {
        expect((error as StatusError).status).to.deep.include({
          message: 'the server rejected our request due to an error in our request',
          code: 422,
          details: {},
        });
        expect(String((error as Error).cause)).to.match(cause);
      }
    });
  }

  it('has a limit of operations (jsonPatchOperations)', () => {
    expect(message(() => decodeJSONPatch(Array.from({ length: 10_001 }, () => ({}))))).to.deep.equal([
      413,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ]);
  });

  it('has a limit of what is copied (jsonPatchCopies)', () => {
    expect(() =>
      applyJSONPatch({ a: { b: 'x'.repeat(1_000) } }, [{ op: 'copy', from: '/a', path: '/c' }]),
    ).not.to.throw();
    const grows = [
      { op: 'add', path: '/a/l', value: [] },
      ...Array.from({ length: 60 }, () => ({ op: 'copy', from: '/a', path: '/a/l/-' })),
    ];
    let refused: unknown;
    try {
      applyJSONPatch({ a: { b: 'x'.repeat(1_000) } }, grows);
    } catch (error) {
      refused = (error as Error).cause;
    }
    expect(String(refused)).to.match(
      /Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
    );
  });

  it('has a limit of how much of a list it moves (jsonPatchMoves)', () => {
    const list = Array.from({ length: 100_000 }, () => 1);
    const front = { op: 'add', path: '/l/0', value: 1 };
    expect(() =>
      applyJSONPatch(
        { l: list },
        Array.from({ length: 490 }, () => front),
      ),
    ).not.to.throw();
    expect(
      message(() =>
        applyJSONPatch(
          { l: list },
          Array.from({ length: 501 }, () => front),
        ),
      ),
    ).to.deep.equal([
      413,
      'Request entity too large: The allowed maximum of list items that a JSON patch moves is 50000000',
    ]);
  });

  it('decodes with the texts of the reference', () => {
    expect(message(() => decodeJSONPatch({}))).to.deep.equal([
      400,
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ]);
    expect(message(() => decodeJSONPatch(['x']))).to.deep.equal([
      400,
      'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp',
    ]);
    expect(decodeJSONPatch(null)).to.deep.equal([]);
  });

  it('tells members of operations that are none, or stand there twice, in their order', () => {
    const body =
      '[{"op":"add","extra":{"a":1,"a":2},"extra":1,"path":"/a","value":{"b":1,"b":2}},{"op":"add","path":"/b",' +
      '"path":"/c","z":1},null]';
    expect(jsonPatchFieldErrors(Buffer.from(body))).to.deep.equal([
      'json patch unknown field "[0].extra"',
      'json patch duplicate field "[0].value.b"',
      'json patch duplicate field "[1].path"',
      'json patch unknown field "[1].z"',
    ]);
    expect(hasUnknownMembers([{ op: 'add', extra: 1 }])).to.equal(true);
    expect(hasUnknownMembers([null, { op: 'add', path: '/a', from: '/b', value: 1 }])).to.equal(false);
  });
});

const jsonObject = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', 1, true),
    fc.array(fc.constantFrom('p', 'q'), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('x', 'y', 'z', '__proto__'), tie('value')),
})).object as fc.Arbitrary<JSONObject>;

describe('merge patch', () => {
  it('sets, removes and merges', () => {
    expect(
      applyMergePatch({ a: { x: 1, y: 2 }, l: [1] }, { a: { x: null, z: { n: null, m: 1 } }, l: [null, { n: null }] }),
    ).to.deep.equal({ a: { y: 2, z: { m: 1 } }, l: [null, {}] });
    expect(message(() => decodeMergePatch([]))[1]).to.equal(
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
    expect(message(() => decodeMergePatch(null))[1]).to.equal('Invalid JSON Patch');
  });

  it('keeps nulls in what takes the place of an object, and only there', () => {
    const list = [1, null, { c: null }];
    expect(applyMergePatch({ a: { b: 1 }, d: 1 }, { a: list, d: list, e: list })).to.deep.equal({
      a: list,
      d: [1, null, {}],
      e: [1, null, {}],
    });
  });

  it('of a diff gives the target', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (from, to) => {
        expect(applyMergePatch(from, createMergePatch(from, to))).to.deep.equal(to);
      }),
    );
  });
});

describe('strategic merge patch', () => {
  const apply = (original: object, patch: object): object =>
    strategicMergePatch(cloneJSON(original as JSONObject), cloneJSON(patch as JSONObject), root);
  const rows: [name: string, original: object, patch: object, result: object][] = [
    ['merges maps', { labels: { a: '1', b: '2' } }, { labels: { a: null, c: '3' } }, { labels: { b: '2', c: '3' } }],
    [
      'replaces other lists',
      { plain: ['a'], atoms: [{ name: 'a' }] },
      { plain: ['b'], atoms: [] },
      { plain: ['b'], atoms: [] },
    ],
    [
      'deletes an item',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [{ name: 'b' }] },
    ],
    [
      'replaces a list',
      { containers: [{ name: 'a' }] },
      { containers: [{ $patch: 'replace' }, { name: 'c' }] },
      { containers: [{ name: 'c' }] },
    ],
    ['replaces a map', { labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } }, { labels: { b: '2' } }],
    ['empties a map', { labels: { a: '1' } }, { labels: { $patch: 'delete' } }, { labels: {} }],
    ['adds scalars once', { finalizers: ['a', 'b'] }, { finalizers: ['b', 'c'] }, { finalizers: ['a', 'b', 'c'] }],
    [
      'removes scalars',
      { finalizers: ['a', 'b'] },
      { '$deleteFromPrimitiveList/finalizers': ['a'] },
      { finalizers: ['b'] },
    ],
    [
      'orders items',
      { containers: [{ name: 'a' }, { name: 'b' }, { name: 's' }] },
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
      { containers: [{ name: 'b' }, { name: 'a' }, { name: 's' }] },
    ],
    [
      'orders scalars',
      { finalizers: ['a', 'b'] },
      { '$setElementOrder/finalizers': ['c', 'b', 'a'], finalizers: ['c'] },
      { finalizers: ['c', 'b', 'a'] },
    ],
    [
      'retains keys',
      { strategy: { type: 'r', rolling: { max: '1' } } },
      { strategy: { $retainKeys: ['type'], type: 'q' } },
      { strategy: { type: 'q' } },
    ],
    ['replaces by strategy', { replaced: { a: '1' } }, { replaced: { b: '2' } }, { replaced: { b: '2' } }],
    [
      'drops nulls of what is new',
      {},
      { strategy: { type: null, rolling: { max: '1' } } },
      { strategy: { rolling: { max: '1' } } },
    ],
    ['keeps unknown fields for the decoder', {}, { bogus: { a: 1 } }, { bogus: { a: 1 } }],
  ];
  for (const [name, original, patch, result] of rows) {
    it(name, () => expect(apply(original, patch)).to.deep.equal(result));
  }
  it('merges items by key and keeps both orders', () => {
    expect(
      apply(
        { containers: [{ name: 'a', image: 'x' }, { name: 's' }] },
        { containers: [{ name: 'b' }, { name: 'a', tty: true }] },
      ),
    ).to.deep.equal({ containers: [{ name: 'b' }, { name: 'a', image: 'x', tty: true }, { name: 's' }] });
  });

  const errors: [original: object, patch: object, code: number, text: string][] = [
    [{}, { $patch: 'update', s: 1 }, 500, 'unknown patch type: update in map: map[$patch:update s:1]'],
    [{}, { $patch: 1 }, 500, 'unknown patch type: %!s(int64=1) in map: map[$patch:1]'],
    [
      { containers: [{ name: 'a' }] },
      { containers: [{ image: 'x' }] },
      500,
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      { containers: [{ name: 'a' }] },
      { containers: ['b'] },
      500,
      'list element types are not identical: [[map[name:a]] [b]]',
    ],
    [
      { containers: [{ name: 'a' }] },
      { containers: [{ name: 'a', $patch: 'merge' }] },
      500,
      'merging lists cannot yet be specified in the patch',
    ],
    [
      { strategy: { type: 'a' } },
      { strategy: { $retainKeys: ['x'], type: 'b' } },
      400,
      'invalid patch format of retainKeys',
    ],
    [{}, { $deleteFromPrimitiveList: ['a'] }, 400, 'invalid patch format of primitive list'],
    [
      {},
      { '$setElementOrder/finalizers': { a: 1 } },
      500,
      'expected a []interface {}, but received a map[string]interface {}',
    ],
    [
      { finalizers: ['a'] },
      { '$setElementOrder/finalizers': ['c'], finalizers: ['h'] },
      500,
      "The order in patch list:\n[h]\n doesn't match $setElementOrder list:\n[c]\n",
    ],
    [
      { bogus: { a: 1 } },
      { bogus: { a: 2 } },
      500,
      'unable to find api field in struct Root for the json field "bogus"',
    ],
    [{}, { '$setElementOrder/size': ['a'] }, 500, 'expected slice or array type, but got: struct'],
    [
      { held: { name: 'a' } },
      { held: { '$setElementOrder/tty': [true] } },
      500,
      'expected slice or array type, but got: ptr',
    ],
    [
      { containers: [{ name: 'a' }] },
      { containers: [{ name: 'a', '$setElementOrder/image': [] }] },
      500,
      'expected slice or array type, but got: struct',
    ],
  ];
  for (const [original, patch, code, text] of errors) {
    it(`refuses ${JSON.stringify(patch)}`, () =>
      expect(message(() => apply(original, patch))).to.deep.equal([code, text]));
  }

  it('takes a pointer for one to a list', () => {
    expect(apply({}, { '$setElementOrder/held': ['a'] })).to.deep.equal({});
    expect(apply({ held: [1] }, { held: [2] })).to.deep.equal({ held: [2] });
  });

  it('takes bytes for a list of them', () => {
    expect(apply({}, { '$setElementOrder/raw': ['a'] })).to.deep.equal({});
  });

  const text = fc.constantFrom('1', '2');
  const ports = fc.uniqueArray(
    fc.record({ port: fc.constantFrom(80, 81, 82), name: text }, { requiredKeys: ['port'] }),
    { selector: (p) => p.port, maxLength: 3 },
  );
  const containers = fc.uniqueArray(
    fc.record(
      { name: fc.constantFrom('a', 'b', 'c', 'd'), image: text, ports, command: fc.array(text, { maxLength: 2 }) },
      { requiredKeys: ['name'] },
    ),
    { selector: (c) => c.name, maxLength: 4 },
  );
  const object = fc.record(
    {
      labels: fc.dictionary(fc.constantFrom('x', 'y'), text),
      size: text,
      containers,
      atoms: containers,
      finalizers: fc.uniqueArray(fc.constantFrom('f', 'g', 'h'), { maxLength: 3 }),
      strategy: fc.record(
        { type: text, rolling: fc.record({ max: text }, { requiredKeys: [] }) },
        { requiredKeys: [] },
      ),
      replaced: fc.record({ a: text, b: text }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JSONObject>;

  it('of a diff gives the target', () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        const patch = createStrategicMergePatch(from, to, root);
        expect(strategicMergePatch(cloneJSON(from), cloneJSON(patch), root)).to.deep.equal(to);
      }),
      { numRuns: 500 },
    );
  });

  it('of a three-way diff brings in all of the target', () => {
    fc.assert(
      fc.property(object, object, (original, modified) => {
        const patch = createThreeWayMergePatch({ original, modified, current: original }, root);
        expect(strategicMergePatch(cloneJSON(original), patch, root)).to.deep.equal(modified);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps what only the server has in a three-way diff', () => {
    const patch = createThreeWayMergePatch(
      {
        original: { labels: { a: '1' }, containers: [{ name: 'a' }] },
        modified: { containers: [{ name: 'a', image: 'n' }] },
        current: { labels: { a: '1', s: '1' }, containers: [{ name: 'a', image: 'o' }, { name: 'side' }] },
      },
      root,
    );
    expect(patch).to.deep.equal({
      labels: null,
      containers: [{ name: 'a', image: 'n' }],
      '$setElementOrder/containers': [{ name: 'a' }],
    });
  });
});

describe('a strategic merge of long lists', () => {
  it('looks items up by their keys', () => {
    const named = (from: number, to: number, more: JSONObject = {}): JSONObject[] =>
      Array.from({ length: to - from }, (_, i) => ({ name: `n${from + i}`, ...more }));
    const schema = schemaFor('io.k8s.api.core.v1.PodSpec');
    const start = process.cpuUsage();
    const merged = strategicMergePatch(
      { volumes: named(0, 60_000) },
      { volumes: [...named(30_000, 90_000, { emptyDir: {} }), ...named(0, 1_000, { $patch: 'delete' })] },
      schema,
    );
    expect(process.cpuUsage(start).user).to.be.below(4_000_000);
    expect(merged['volumes']).to.have.lengthOf(89_000);
  });
});
