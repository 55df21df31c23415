import { builtinResources, decodeJSON, decodeRecord, fitsSchema } from '@kubechain/apimachinery';
import type { KubeObject, Schema, StructSchema } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { builtinResourceSpec } from './builtin-resource-spec.ts';
import { resourceCodec } from './resource-codec.ts';
import type { ResourceSpec } from './resource-spec.ts';

/** One object of a kind with something in every field, down to some depth: what is not carried is missed. */
function fullObject(schema: Schema, depth = 0): unknown {
  switch (schema.kind) {
    case 'scalar':
      switch (schema.type) {
        case 'string':
          return 'text';
        case 'boolean':
          return true;
        case 'int32':
        case 'int64':
        case 'integer':
          return 7;
        case 'double':
        case 'number':
          return 1.5;
        case 'bytes':
          return 'AQID';
        case 'time':
          return '2026-01-02T03:04:05Z';
        case 'microTime':
          return '2026-01-02T03:04:05.123456Z';
        case 'duration':
          return '1m0s';
        case 'quantity':
          return '500m';
        case 'intOrString':
          return '25%';
        default:
          return schema.type satisfies never;
      }
    case 'list':
      return [fullObject(schema.items, depth + 1)];
    case 'map':
      return { b: fullObject(schema.values, depth + 1), a: fullObject(schema.values, depth + 1) };
    case 'any':
      return schema.variant === undefined ? { free: [1, 'form'] } : { type: 'string' };
    case 'struct': {
      const object: Record<string, unknown> = {};
      // Go's protobuf has no place for the type of an object; embedded ones (volume claim templates) lose it.
      const typed = schema.fields.has('kind') && schema.fields.has('apiVersion') && schema.fields.has('metadata');
      for (const field of schema.fields.values()) {
        if (
          (typed && (field.name === 'kind' || field.name === 'apiVersion')) ||
          (depth >= 5 && field.schema.kind !== 'scalar')
        )
          continue;
        object[field.name] = fullObject(field.schema, depth + 1);
      }
      return object;
    }
    default:
      return schema satisfies never;
  }
}

/** Built-in resources that have storage of their own, each once. */
function storedResources(): ResourceSpec[] {
  const rows = new Map(
    builtinResources()
      .filter(({ storage }) => storage !== undefined)
      .map((row) => [`${row.group}/${row.resource}`, row]),
  );
  return [...rows.values()].map(({ group, resource }) => builtinResourceSpec({ group, plural: resource }));
}

describe('resourceCodec', () => {
  const key = '/registry/x/a';

  it('completes objects of old that are stored in its own form, and serves others as they are', () => {
    const codec = resourceCodec({
      ...builtinResourceSpec({ group: '', plural: 'configmaps' }),
      storedCompletion: {
        isComplete: (stored) => stored.includes('"data":'),
        complete: (object) => {
          object['data'] = { new: 'x' };
        },
      },
    });
    const read = (rest: object): unknown => {
      const stored = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, ...rest };
      return codec.decode('/configmaps/n/a', Buffer.from(JSON.stringify(stored)), 5).object()['data'];
    };
    expect(read({})).to.deep.equal({ new: 'x' });
    expect(read({ data: { own: 'y' } })).to.deep.equal({ own: 'y' });
  });

  it('reads times of metadata that no encoder writes so as what they are', () => {
    const spec = storedResources().find(({ group, kind }) => group === '' && kind === 'ConfigMap') as ResourceSpec;
    const decoded = (time: string): string =>
      Buffer.from(
        resourceCodec(spec).decode(
          key,
          Buffer.from(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","creationTimestamp":"${time}"}}`),
          7,
        ).json,
      ).toString();
    expect(decoded('2026-01-02T03:04:05Z')).to.include('"creationTimestamp":"2026-01-02T03:04:05Z"');
    expect(decoded('2026-01-02T04:04:05.5+01:00')).to.include('"creationTimestamp":"2026-01-02T03:04:05Z"');
    expect(() => decoded('v1')).to.throw(
      'parsing time "v1" as "2006-01-02T15:04:05Z07:00": cannot parse "v1" as "2006"',
    );
  });

  it('serves what others have written with repeated members, spaces or odd escapes as an encoder writes it', () => {
    const codec = resourceCodec(builtinResourceSpec({ group: '', plural: 'configmaps' }));
    const served = (members: string): string => {
      const stored = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}${members}}`;
      return Buffer.from(codec.decode(key, Buffer.from(stored), 5).json).toString();
    };
    const whole = (members: string): string =>
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"5"}${members}}`;
    for (const [stored, expected] of [
      [',"data":{"a":"1"},"data":{"b":"2"}', ',"data":{"a":"1","b":"2"}'],
      [',"data":{"a":"1","a":"2"}', ',"data":{"a":"2"}'],
      [', "data" : {"a":"1"}', ',"data":{"a":"1"}'],
      [',"data":{"a":"<\\u0041\\ud800"}', ',"data":{"a":"\\u003cA\ufffd"}'],
      [',"data":{"a":"\u2028"}', ',"data":{"a":"\\u2028"}'],
      [',"data":{"a":"\\u003c"}', ',"data":{"a":"\\u003c"}'],
    ] as const)
      expect(served(stored), stored).to.equal(whole(expected));
    expect(served(',"metadata":{"labels":{"x":"y"}}')).to.equal(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"5","labels":{"x":"y"}}}',
    );
  });

  it('reads YAML, and base64 of what it reads', () => {
    const codec = resourceCodec(builtinResourceSpec({ group: '', plural: 'configmaps' }));
    const read = (stored: string | Uint8Array): unknown => codec.decode(key, Buffer.from(stored), 5).object();
    const metadata = { name: 'a', resourceVersion: '5' };
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { x: 'y' } };
    const yaml = 'kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a\ndata: {x: "y"}\n';
    const json = JSON.stringify({ ...object, metadata: { name: 'a' } });
    const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
    for (const stored of [
      yaml,
      `---\n${yaml}---\n5\n`,
      `# a comment\n${json}`,
      `\ufeff${json}`,
      base64(json),
      base64(yaml),
      base64(resourceCodec(builtinResourceSpec({ group: '', plural: 'configmaps' })).encode(object)),
      'metadata: {name: a}\napiVersion: v1\ndata: {x: "y"}',
    ])
      expect(read(stored), stored).to.deep.equal(object);
    const bare = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '5' } };
    for (const stored of ['', 'null', '~', '# nothing', 'metadata: {name: a}'])
      expect(read(stored), stored).to.deep.equal(bare);
  });

  it('takes protobuf that names no kind for the resource’s, and what has the version of memory for nothing', () => {
    const spec = builtinResourceSpec({ group: '', plural: 'configmaps' });
    const codec = resourceCodec(spec, 'application/vnd.kubernetes.protobuf');
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { x: 'y' } };
    const whole = Buffer.from(codec.encode(object));
    // k8s\0, then TypeMeta: { apiVersion: v1, kind: ConfigMap }.
    const typeMeta = whole.subarray(4, 6 + (whole[5] as number));
    const bare = Buffer.concat([
      whole.subarray(0, 4),
      Buffer.from([0x0a, 4, 0x0a, 2]),
      Buffer.from('v1'),
      whole.subarray(4 + typeMeta.length),
    ]);
    const metadata = { resourceVersion: '5' };
    expect(codec.decode(key, bare, 5).object()).to.deep.equal({ ...object, metadata: { name: 'a', ...metadata } });
    const internal = Buffer.from(JSON.stringify({ ...object, apiVersion: '__internal' }));
    expect(codec.decode(key, internal, 5).object()).to.deep.equal({ kind: 'ConfigMap', apiVersion: 'v1', metadata });
  });

  it('says of what is in no form that it knows what the last reader says', () => {
    const codec = resourceCodec(builtinResourceSpec({ group: '', plural: 'configmaps' }));
    const read = (stored: string): unknown => codec.decode(key, Buffer.from(stored), 5);
    for (const [stored, text] of [
      ['5', 'illegal base64 data at input byte 0'],
      ['{kind: ConfigMap}', "invalid character 'k' looking for beginning of object key string"],
      ['kind: Nothing\napiVersion: v1', 'illegal base64 data at input byte 4'],
      ['kind', 'yaml: invalid leading UTF-8 octet'],
      [
        Buffer.from('{"kind"').toString('base64'),
        "couldn't get version/kind; json parse error: unexpected end of JSON input",
      ],
      ['kind: Secret\napiVersion: v1', 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
    ] as const)
      expect(() => read(stored), stored).to.throw(text);
  });

  for (const spec of storedResources()) {
    const {
      kind,
      memoryVersion: { group, version },
    } = spec;
    it(`carries ${group === '' ? 'core' : group}/${version} ${kind} through protobuf as through JSON`, () => {
      const schema = spec.scheme.kind({ ...spec.memoryVersion, kind })?.schema;
      if (schema === undefined) return expect.fail('is not registered');
      const {
        resourceVersion: _version,
        selfLink: _link,
        ...metadata
      } = (fullObject(schema) as KubeObject).metadata ?? {};
      const object: KubeObject = {
        ...(fullObject(schema) as KubeObject),
        kind,
        apiVersion: group === '' ? version : `${group}/${version}`,
        metadata,
      };
      const json = resourceCodec(spec);
      const protobuf = resourceCodec(spec, 'application/vnd.kubernetes.protobuf');
      const asJSON = json.encode(object);
      const asProtobuf = protobuf.encode(object);
      expect(Buffer.from(asJSON.subarray(0, 1)).toString()).to.equal('{');
      // Bytes of its own are served as they are.
      expect(fitsSchema(decodeRecord(asJSON) as Record<string, unknown>, schema as StructSchema)).to.equal(true);
      // apiextensions and kube-aggregator always write JSON, but their kinds have a protobuf form too.
      expect(Buffer.from(asProtobuf.subarray(0, 4)).toString('latin1')).to.equal('k8s\0');
      const read = json.decode(key, asProtobuf, 5);
      expect(decodeJSON(read.json, undefined).object).to.deep.equal(
        decodeJSON(json.decode(key, asJSON, 5).json, undefined).object,
      );
      expect(read.attributes).to.deep.equal(json.decode(key, asJSON, 5).attributes);
      // Whatever it was read from, it is written the same: an update that changes nothing writes nothing.
      for (const record of [read, protobuf.decode(key, asJSON, 5)]) {
        expect(Buffer.from(protobuf.encode(record.object())).equals(asProtobuf)).to.equal(true);
        expect(Buffer.from(json.encode(record.object())).toString()).to.equal(Buffer.from(asJSON).toString());
      }
    });
  }
});

describe('stored bytes that are no object of the resource', () => {
  const codec = resourceCodec(builtinResourceSpec({ group: '', plural: 'configmaps' }));
  for (const [what, stored, message] of [
    ['another kind', '{"kind":"Pod","apiVersion":"v1"}', 'converting (v1.Pod) to (core.ConfigMap): unknown conversion'],
    ['no form at all', 'xyz?', 'illegal base64 data at input byte 3'],
    ['a list', '["a"]', 'illegal base64 data at input byte 0'],
    [
      'a kind that nobody knows',
      '{"kind":"Nope","apiVersion":"v1"}',
      'no kind "Nope" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'a number where its kind has a text',
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"},"data":{"a":1}}',
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'what is no base64',
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"},"binaryData":{"a":"%%%"}}',
      'illegal base64 data at input byte 0',
    ],
    [
      'a label that is a list',
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","labels":{"a":[]}}}',
      'json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type string',
    ],
  ] as const)
    it(`${what} is not read`, () => {
      expect(() => codec.decode('/registry/configmaps/default/x', Buffer.from(stored), 1)).to.throw(message);
    });

  for (const [what, stored, served] of [
    ['no kind', '{"apiVersion":"v1","metadata":{"name":"x"},"data":{"a":"b"}}', { name: 'x', data: { a: 'b' } }],
    ['no version', '{"kind":"ConfigMap","metadata":{"name":"x"}}', {}],
    ['neither of both', '{"metadata":{"name":"x"}}', {}],
    ['nothing', '', {}],
    ['null', 'null', {}],
  ] as const)
    it(`${what} is read as an object of the resource`, () => {
      const { name, ...rest } = served as { name?: string; data?: object };
      const { json } = codec.decode('/registry/configmaps/default/x', Buffer.from(stored), 1);
      expect(JSON.parse(Buffer.from(json).toString())).to.deep.equal({
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { ...(name === undefined ? {} : { name }), resourceVersion: '1' },
        ...rest,
      });
    });

  it('names what is missing where another kind is named', () => {
    expect(() => codec.decode('/registry/configmaps/default/x', Buffer.from('{"kind":"Secret"}'), 1)).to.throw(
      "Object 'apiVersion' is missing in",
    );
  });

  it('and what its kind does not have is left out', () => {
    const stored = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","labels":{}},"nonsense":{"a":1}}';
    const { json } = codec.decode('/registry/configmaps/default/x', Buffer.from(stored), 1);
    expect(Buffer.from(json).toString()).to.equal(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","resourceVersion":"1"}}',
    );
  });
});
