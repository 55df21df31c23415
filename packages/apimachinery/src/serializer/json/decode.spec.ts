import { expect } from 'chai';
import fc from 'fast-check';
import { builtinScheme } from '../../builtin/builtin-scheme.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import { DecodeError } from '../decode-error.ts';
import type { DecodeOptions } from '../decoded.ts';
import { decodeErrorStatus } from '../decode-status.ts';
import { pod as samplePod } from '../../testing/sample-pod.ts';
import { decodeExactly, decodeJSON } from './decode.ts';
import { encodeJSON } from './encode.ts';
import { parseTree } from './tree.ts';

const scheme = builtinScheme();

function kind(group: string, version: string, name: string): KindInfo {
  const info = scheme.kind({ group, version, kind: name });
  if (info === undefined) throw new TypeError(`no kind ${name}`);
  return info;
}

const pod = kind('', 'v1', 'Pod'),
  configMap = kind('', 'v1', 'ConfigMap'),
  service = kind('', 'v1', 'Service');

function decode(text: string, info: KindInfo = pod, options: DecodeOptions = {}): Record<string, unknown> {
  return decodeJSON(Buffer.from(text), info, options).object;
}

function failure(text: string, info: KindInfo = pod, options: DecodeOptions = { scheme }): DecodeError {
  try {
    decode(text, info, options);
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  throw new TypeError(`decoded: ${text}`);
}

describe('decodeJSON', () => {
  describe('type errors', () => {
    const rows: [text: string, message: string][] = [
      ['{"spec":7}', 'json: cannot unmarshal number into Go struct field Pod.spec of type v1.PodSpec'],
      [
        '{"spec":{"containers":"x"}}',
        'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container',
      ],
      [
        '{"spec":{"containers":[{"ports":[{"containerPort":"80"}]}]}}',
        'json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort ' +
          'of type int32',
      ],
      [
        '{"spec":{"volumes":[{"hostPath":3}]}}',
        'json: cannot unmarshal number into Go struct field Volume.spec.volumes.VolumeSource.hostPath of type ' +
          'v1.HostPathVolumeSource',
      ],
      [
        '{"metadata":{"labels":"x"}}',
        'json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map[string]string',
      ],
      [
        '{"metadata":{"labels":{"a":1}}}',
        'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
      ],
      [
        '{"spec":{"priority":3000000000}}',
        'json: cannot unmarshal number 3000000000 into Go struct field PodSpec.spec.priority of type int32',
      ],
      [
        '{"spec":{"priority":1.0}}',
        'json: cannot unmarshal number 1.0 into Go struct field PodSpec.spec.priority of type int32',
      ],
      [
        '{"spec":{"hostNetwork":"true"}}',
        'json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
      ],
      [
        '{"spec":{"terminationGracePeriodSeconds":9223372036854775808}}',
        'json: cannot unmarshal number 9223372036854775808 into Go struct field ' +
          'PodSpec.spec.terminationGracePeriodSeconds of type int64',
      ],
      [
        '{"spec":{"containers":[{"resources":{"limits":[]}}]}}',
        'json: cannot unmarshal array into Go struct field ' +
          'ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList',
      ],
      [
        '{"spec":{"containers":[{"resources":{"limits":{"cpu":"x"}}}]}}',
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      ],
      [
        '{"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":true}}}]}}',
        'json: cannot unmarshal bool into Go struct field ' +
          'HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32',
      ],
      [
        '{"metadata":{"creationTimestamp":"2020"}}',
        'parsing time "2020" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "-"',
      ],
      [
        '{"metadata":{"creationTimestamp":3}}',
        'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
      ],
      // The first type error wins, but one of a hand-written type ends the decoding.
      [
        '{"spec":{"priority":"a","hostNetwork":"b"}}',
        'json: cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32',
      ],
      [
        '{"spec":{"priority":"a"},"metadata":{"creationTimestamp":"x"}}',
        'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
      ],
    ];
    for (const [text, message] of rows)
      it(text, () => {
        expect(failure(text)).to.include({ code: 'InvalidValue', message });
      });

    it('structs embedded in embedded structs', () => {
      const binding = kind('admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicyBinding');
      expect(failure('{"spec":{"matchResources":{"resourceRules":[{"apiGroups":1}]}}}', binding).message).to.equal(
        'json: cannot unmarshal number into Go struct field ' +
          'NamedRuleWithOperations.spec.matchResources.resourceRules.RuleWithOperations.Rule.apiGroups of type ' +
          '[]string',
      );
    });

    it('schemas of schemas end the decoding, in spite of earlier errors, and name the struct around them', () => {
      const crd = kind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
      const schema = (text: string): string =>
        failure(`{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"maxLength":"a",${text}}}}]}}`, crd).message;
      const field =
        'json: cannot unmarshal string into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema';
      expect(schema('"items":{"type":"array"}')).to.equal(`${field}.maxLength of type int64`);
      expect(schema('"items":{"minLength":"b"}')).to.equal(`${field}.items.minLength of type int64`);
      expect(schema('"items":{"x-kubernetes-validations":["c"]}')).to.equal(
        `${field}.items.x-kubernetes-validations of type v1.ValidationRule`,
      );
      expect(schema('"additionalProperties":5')).to.equal('boolean or JSON schema expected');
    });

    it('numbers beyond what doubles hold', () => {
      expect(
        failure('{"apiVersion":"g.test/v1","kind":"Widget","a":1e400}', {
          gvk: { group: 'g.test', version: 'v1', kind: 'Widget' },
          unstructured: true,
        } as never).message,
      ).to.equal('json: cannot unmarshal number 1e400 into Go value of type float64');
    });

    it('lists of what are no bytes', () => {
      for (const [byte, found] of [
        ['{}', 'object'],
        ['"a"', 'string'],
        ['256', 'number 256'],
        ['-1', 'number -1'],
        ['1.5', 'number 1.5'],
      ])
        expect(failure(`{"binaryData":{"a":[1,${byte}]}}`, configMap).message).to.equal(
          `json: cannot unmarshal ${found} into Go struct field ConfigMap.binaryData of type uint8`,
        );
      expect(decode('{"binaryData":{"a":[65,null,66]}}', configMap)['binaryData']).to.deep.equal({ a: 'QQBC' });
    });

    it('bad base64', () => {
      expect(failure('{"binaryData":{"a":"YWJ$"}}', configMap).message).to.equal('illegal base64 data at input byte 3');
    });
  });

  describe('kind and version', () => {
    const rows: [text: string, code: string, message: string][] = [
      ['{"apiVersion":"v1","kind":"Secret"}', 'WrongKind', 'converting (v1.Secret) to (core.Pod): unknown conversion'],
      [
        '{"apiVersion":"v1","kind":"Nonsense"}',
        'NotRegistered',
        'no kind "Nonsense" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
      ],
      ['{"apiVersion":"a/b/c","kind":"Pod"}', 'Unreadable', 'unexpected GroupVersion string: a/b/c'],
      [
        '{"kind":3}',
        'Unreadable',
        "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field " +
          '.kind of type string',
      ],
      [
        '[]',
        'Unreadable',
        String.raw`couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
      ],
      [
        '{"apiVer\u017fion":1}',
        'Unreadable',
        "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field " +
          '.apiVersion of type string',
      ],
      ['{"a":', 'Unreadable', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    ];
    for (const [text, code, message] of rows)
      it(text, () => {
        expect(failure(text)).to.include({ code, message });
      });

    it('the same thing in another version', () => {
      const error = failure('{"apiVersion":"v1","kind":"Event"}', kind('events.k8s.io', 'v1', 'Event'));
      expect(error).to.include({
        code: 'WrongVersion',
        message: 'the API version in the data (v1) does not match the expected API version (events.k8s.io/v1)',
      });
    });

    it('nothing expected and no kind', () => {
      expect(() => decodeJSON(Buffer.from('{"apiVersion":"v1"}'), undefined)).to.throw(
        DecodeError,
        `Object 'Kind' is missing in '{"apiVersion":"v1"}'`,
      );
      expect(() => decodeJSON(Buffer.from('{"kind":"A"}'), undefined)).to.throw(
        DecodeError,
        `Object 'apiVersion' is missing in '{"kind":"A"}'`,
      );
    });

    it('takes what is missing from what is expected, also for null', () => {
      expect(decode('{}')).to.deep.equal({ kind: 'Pod', apiVersion: 'v1' });
      expect(decode('null')).to.deep.equal({ kind: 'Pod', apiVersion: 'v1' });
    });

    it('reads kind in any case, and prunes what is not spelt right', () => {
      expect(failure('{"Kind":"Secret","apiVersion":"v1"}').code).to.equal('WrongKind');
      expect(decode('{"Kind":"Pod","Metadata":{}}')).to.deep.equal({ kind: 'Pod', apiVersion: 'v1' });
    });

    it('returns other kinds that are accepted', () => {
      const decoded = decodeJSON(Buffer.from('{"apiVersion":"v1","kind":"Secret"}'), pod, {
        scheme,
        accepts: (info) => info.gvk.kind === 'Secret',
      });
      expect(decoded.gvk.kind).to.equal('Secret');
    });
  });

  describe('custom resources', () => {
    const widget: KindInfo = {
      gvk: { group: 'e.com', version: 'v1', kind: 'Widget' },
      goType: 'unstructured.Unstructured',
      schema: { kind: 'any', mapType: 'granular' },
      unstructured: true,
    };
    it('must name their kind', () => {
      expect(failure('{"apiVersion":"e.com/v1"}', widget)).to.include({
        code: 'MissingKind',
        message: `Object 'Kind' is missing in '{"apiVersion":"e.com/v1"}'`,
      });
    });
    it('are named as keys of any case say where they name no kind', () => {
      const body = '{"apiVersion":"e.com/v1","APIVersion":"e.com/v3"}';
      const error = failure(body, widget);
      expect(error).to.include({ code: 'MissingKind' });
      expect(error.gvk?.version).to.equal('v3');
    });
    it('are told of a missing version before what strict rules find', () => {
      const body = '{"kind":"Widget","kind":"Widget"}';
      const error = failure(body, widget, { strict: 'Strict' });
      expect(decodeErrorStatus(error, widget, Buffer.from(body)).message).to.equal(
        "Object 'apiVersion' is missing in 'object has no apiVersion field'",
      );
    });
    it('must be of the right version', () => {
      for (const [apiVersion, shown] of [
        ['"v1"', 'v1'],
        ['"e.com/v2"', 'e.com/v2'],
        ['null', ''],
      ]) {
        expect(failure(`{"apiVersion":${String(apiVersion)},"kind":"Widget"}`, widget).message).to.equal(
          `the API version in the data (${String(shown)}) does not match the expected API version (e.com/v1)`,
        );
      }
    });
    it('keep another kind for validation to refuse', () => {
      expect(decode('{"apiVersion":"e.com/v1","kind":"Gadget","a":null}', widget)).to.deep.equal({
        apiVersion: 'e.com/v1',
        kind: 'Gadget',
        a: null,
      });
    });
    it('report duplicates', () => {
      expect(
        failure('{"apiVersion":"e.com/v1","kind":"Widget","spec":{"a":1,"a":{"b":1,"b":2}}}', widget, {
          strict: 'Strict',
        }).message,
      ).to.equal('strict decoding error: duplicate field "spec.a", duplicate field "spec.a.b"');
    });
  });

  describe('strictness', () => {
    const strictErrors = (text: string, info: KindInfo): readonly string[] =>
      decodeJSON(Buffer.from(text), info, { strict: 'Warn' }).strictErrors;

    it('lists unknown and duplicate fields in order of appearance', () => {
      expect(
        strictErrors(
          '{"metadata":{"name":"a","nonsense":1},"unknown":{"deep":{"x":1,"x":2}},"spec":{"ports":[{"port":80,' +
            '"prot":"TCP","port":81},{"nope":1}],"selector":{"a":"b","a":"c"}}}',
          service,
        ),
      ).to.deep.equal([
        'unknown field "metadata.nonsense"',
        'unknown field "unknown"',
        'unknown field "spec.ports[0].prot"',
        'duplicate field "spec.ports[0].port"',
        'unknown field "spec.ports[1].nope"',
        'duplicate field "spec.selector.a"',
      ]);
    });

    it('stops at 100', () => {
      expect(
        strictErrors(
          JSON.stringify(Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`u${i}`, 0]))),
          configMap,
        ),
      ).to.have.length(100);
    });

    it('throws with Strict, stays silent with Ignore', () => {
      expect(failure('{"a":1,"b":2}', pod, { strict: 'Strict' })).to.include({
        code: 'Strict',
        message: 'strict decoding error: unknown field "a", unknown field "b"',
      });
      expect(decodeJSON(Buffer.from('{"a":1}'), pod, { strict: 'Ignore' }).strictErrors).to.deep.equal([]);
    });

    it('merges what occurs twice, as Go does', () => {
      expect(
        decode('{"metadata":{"name":"a"},"metadata":{"namespace":"b"},"data":{"x":"1"},"data":{"y":"2"}}', configMap),
      ).to.deep.include({ metadata: { name: 'a', namespace: 'b' }, data: { x: '1', y: '2' } });
    });

    it('is not fooled by text that looks like keys', () => {
      const annotation = JSON.stringify({
        metadata: { annotations: { last: '{"apiVersion":"v1","spec":{"a":1.5}}', odd: '":1' } },
      });
      expect(strictErrors(annotation, configMap)).to.deep.equal([]);
    });
  });

  describe('values', () => {
    it('drops null and what Go omits, keeps zero behind pointers', () => {
      const text =
        '{"metadata":{"creationTimestamp":null,"labels":{},"name":""},"spec":{"hostNetwork":false,' +
        '"containers":[null,{"name":"a","env":[],"resources":{}}],"activeDeadlineSeconds":0,' +
        '"securityContext":{}},"status":{}}';
      expect(decode(text)).to.deep.equal({
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: {},
        spec: { containers: [{}, { name: 'a', resources: {} }], activeDeadlineSeconds: 0, securityContext: {} },
        status: {},
      });
    });

    it('has nothing for bytes and texts of a map that are null', () => {
      expect(decode('{"binaryData":{"a":null,"b":"YQ=="},"data":{"c":null}}', configMap)).to.deep.include({
        binaryData: { a: '', b: 'YQ==' },
        data: { c: '' },
      });
    });

    it('keeps 64-bit integers exactly', () => {
      expect(decode('{"spec":{"terminationGracePeriodSeconds":9007199254740993}}')).to.deep.include({
        spec: { terminationGracePeriodSeconds: 9007199254740993n },
      });
    });

    it('writes times, quantities and bytes in canonical form', () => {
      const object = decode(
        '{"metadata":{"deletionTimestamp":"2020-01-01T02:00:00.5+02:00"},"spec":{"overhead":{"cpu":"1000m",' +
          '"memory":1024}}}',
      );
      expect(object).to.deep.include({
        metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' },
        spec: { overhead: { cpu: '1', memory: '1024' } },
      });
      expect(decode('{"binaryData":{"a":"YW\\nJj"}}', configMap)).to.deep.include({ binaryData: { a: 'YWJj' } });
    });

    it('bears deep nesting on both paths, and refuses what is deeper', () => {
      const nested = (depth: number): string =>
        `{"apiVersion":"e/v1","kind":"W","spec":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      for (const end of ['}', ',"exact":1.5}'])
        expect(encodeJSON(decodeJSON(Buffer.from(nested(2_400) + end), undefined).object).length).to.be.greaterThan(
          2_400,
        );
      expect(() => decodeJSON(Buffer.from(`${nested(2_600)}}`), undefined)).to.throw(
        DecodeError,
        "couldn't get version/kind; json parse error: invalid character '{' exceeded max depth",
      );
    });

    it('replaces lone surrogates', () => {
      expect(decode('{"data":{"a":"\\ud800x"}}', configMap)).to.deep.include({ data: { a: '\ufffdx' } });
    });

    it('survives __proto__ as a key', () => {
      const object = decode('{"data":{"__proto__":"a"},"data":{"b":"c"}}', configMap);
      expect(JSON.stringify(object['data'])).to.equal('{"__proto__":"a","b":"c"}');
    });

    it('keeps unstructured objects as they are', () => {
      expect(
        decodeJSON(
          Buffer.from(
            '{"apiVersion":"e/v1","kind":"W","spec":{"a":null,"n":12345678901234567890,"i":9007199254740993,"f":1.5}}',
          ),
          undefined,
        ).object,
      ).to.deep.equal({
        apiVersion: 'e/v1',
        kind: 'W',
        spec: { a: null, n: 12345678901234567000, i: 9007199254740993n, f: 1.5 },
      });
    });

    it('takes the typed forms of hand-written unions', () => {
      const crd = kind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
      const schema = (value: string): string =>
        `{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"a":{"additionalProperties":${value}}}}}}]}}`;
      expect(JSON.stringify(decode(schema('false'), crd))).to.contain('"additionalProperties":false');
      expect(JSON.stringify(decode(schema('{"type":"string","foo":1}'), crd))).to.contain(
        '"additionalProperties":{"type":"string"}',
      );
      expect(failure(schema('3'), crd).message).to.equal('boolean or JSON schema expected');
    });
  });

  describe('agreement of the fast and the exact path', () => {
    const leaf = fc.constantFrom<unknown>(
      '',
      'x',
      0,
      1,
      -1,
      1.5,
      3e9,
      true,
      false,
      null,
      [],
      {},
      '1Gi',
      '2020-01-01T00:00:00Z',
      ['a'],
      { a: 'b' },
      { unknown: 1 },
    );
    it('holds for mutated pods', () => {
      const text = JSON.stringify(samplePod());
      const paths = allPaths(JSON.parse(text));
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.constantFrom(...paths), leaf), { minLength: 1, maxLength: 3 }),
          (mutations) => {
            const object: unknown = JSON.parse(text);
            for (const [path, value] of mutations) replace(object, path, structuredClone(value));
            const mutated = JSON.stringify(object);
            const outcome = (run: () => unknown): unknown => {
              try {
                return run();
              } catch (error) {
                return error instanceof DecodeError ? error.message : error;
              }
            };
            const fast = outcome(() => {
              const { object: decoded, strictErrors } = decodeJSON(Buffer.from(mutated), pod, { strict: 'Warn' });
              return { decoded, strictErrors };
            });
            const exact = outcome(() => {
              const { object: decoded, strictErrors } = decodeExactly(parseTree(mutated), {
                text: mutated,
                expected: pod,
                options: { strict: 'Warn' },
              });
              return { decoded, strictErrors };
            });
            expect(fast).to.deep.equal(exact);
          },
        ),
        { numRuns: 500 },
      );
    });
  });
});

describe('decodeErrorStatus', () => {
  it('names the kind that was found', () => {
    const error = failure('{"apiVersion":"v1","kind":"Secret"}', configMap);
    expect(decodeErrorStatus(error, configMap, Buffer.from('')).status).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'BadRequest',
      code: 400,
      message:
        'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): ' +
        'unknown conversion',
    });
  });

  it('quotes the version as Go does', () => {
    const text = '{"apiVersion":"x/\\u0000\\u2028<","kind":"Secret"}';
    expect(decodeErrorStatus(failure(text, configMap), configMap, Buffer.from(text)).message).to.match(
      /^Secret in version "\\x00\\u2028<" cannot be handled as a ConfigMap: no kind "Secret" is registered/,
    );
  });

  it('quotes a body that is cut within a character', () => {
    const body = Buffer.from(`{"apiVersion":1,"k":"aaaaaaaa\u{1f600}"}`);
    expect(decodeErrorStatus(failure(String(body), configMap), configMap, body).message).to.match(
      /\(\{"apiVersion":1,"k":"aaaaaaaa\ufffd \.\.\.\)$/,
    );
  });

  for (const [body, summary] of [
    ['', '<empty>'],
    ['hello', '68656c6c6f'],
    ['{"apiVersion":"v1","kind":"ConfigMap",', '{"apiVersion":"v1","kind":"Con ...'],
    ['apiVersion: v1\nkind: ConfigMap\n', '61706956657273696f6e3a2076310a6b696e643a20436f6e6669674d6170 ...'],
  ] as const) {
    it(`quotes ${JSON.stringify(body)}`, () => {
      expect(decodeErrorStatus(failure(body, configMap), configMap, Buffer.from(body)).message)
        .to.match(/^the object provided is unrecognized \(must be of type ConfigMap\): /)
        .and.satisfy((text: string) => text.endsWith(` (${summary})`));
    });
  }
});

function allPaths(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const children = Object.entries(value).flatMap(([key, member]) =>
    allPaths(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? children : [path, ...children];
}

function replace(root: unknown, path: readonly (string | number)[], value: unknown): void {
  let at = root;
  for (const step of path.slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return;
    at = (at as Record<string | number, unknown>)[step];
  }
  const last = path.at(-1);
  if (typeof at === 'object' && at !== null && last !== undefined)
    (at as Record<string | number, unknown>)[last] = value;
}
