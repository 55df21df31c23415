import { expect } from 'chai';
import {
  forbidden,
  invalid,
  notFound,
  genericServerResponse,
  tooLargeResourceVersion,
} from '../errors/constructors.ts';
import { goFloat, goJSON, goNumber, goQuote, goStringVerb, goValue } from '../errors/go-format.ts';
import { isConflict, isNotFound, isTooLargeResourceVersion, toStatus } from '../errors/guards.ts';
import { generateName } from '../meta/generate-name.ts';
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooFew,
  tooLong,
  tooMany,
  valueNotFound,
  asFloat,
  textByPointer,
} from '../errors/field-error.ts';
import { FieldPath } from '../errors/field-path.ts';
import { isDNS1123Label, isEnvVarName, isQualifiedName, isRelaxedEnvVarName, isValidPortName } from './names.ts';
import { nameIsDNSSubdomain, validateObjectMeta, validateObjectMetaUpdate } from './object-meta.ts';

describe('field errors', () => {
  const path = FieldPath.of('spec').child('containers').index(0).child('name');
  const rows: [{ toString(): string }, string][] = [
    [invalidValue(path, 'x', 'must be y'), 'spec.containers[0].name: Invalid value: "x": must be y'],
    [invalidValue(path, 4, 'bad'), 'spec.containers[0].name: Invalid value: 4: bad'],
    [invalidValue(path, null, 'bad'), 'spec.containers[0].name: Invalid value: null: bad'],
    [invalidValue(path, { b: 1, a: '<' }, 'bad'), 'spec.containers[0].name: Invalid value: {"b":1,"a":"\\u003c"}: bad'],
    [required(path), 'spec.containers[0].name: Required value'],
    [duplicate(path, 'a'), 'spec.containers[0].name: Duplicate value: "a"'],
    [valueNotFound(path.key('k'), 'a'), 'spec.containers[0].name[k]: Not found: "a"'],
    [
      notSupported(path, 'x', ['A', 'B']),
      'spec.containers[0].name: Unsupported value: "x": supported values: "A", "B"',
    ],
    [tooLong(path, 128), 'spec.containers[0].name: Too long: may not be more than 128 bytes'],
    [tooMany(path, 3, 1), 'spec.containers[0].name: Too many: 3: must have at most 1 item'],
    [tooMany(path, -1, 2), 'spec.containers[0].name: Too many: must have at most 2 items'],
    [tooFew(path, 0, 1), 'spec.containers[0].name: Too few: 0: must have at least 1 item'],
  ];
  for (const [error, text] of rows) it(text, () => expect(error.toString()).to.equal(text));

  it('makes a Status with repeated texts once and every cause', () => {
    const status = invalid({ group: 'apps', kind: 'Deployment' }, 'd', [
      required(path),
      required(path),
      duplicate(path, 'x'),
    ]).status;
    expect(status.message).to.equal(
      'Deployment.apps "d" is invalid: [spec.containers[0].name: Required value, spec.containers[0].name: ' +
        'Duplicate value: "x"]',
    );
    expect(status.details?.causes).to.have.length(3);
    expect(Object.keys(status)).to.deep.equal([
      'kind',
      'apiVersion',
      'metadata',
      'status',
      'message',
      'reason',
      'details',
      'code',
    ]);
  });
});

describe('status errors', () => {
  it('have the texts of the reference', () => {
    expect(notFound({ group: 'apps', resource: 'deployments' }, 'x').message).to.equal(
      'deployments.apps "x" not found',
    );
    expect(forbidden({ group: '', resource: 'pods' }, '', 'no').message).to.equal('pods is forbidden: no');
    expect(genericServerResponse(404, 'GET').status).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the server could not find the requested resource',
      reason: 'NotFound',
      details: {},
      code: 404,
    });
    expect(genericServerResponse(500, 'GET', { serverMessage: 'x' }).message).to.equal(
      'an error on the server ("x") has prevented the request from succeeding',
    );
  });

  it('are recognised by reason, and by code where the reason says nothing', () => {
    expect(isNotFound(notFound({ group: '', resource: 'pods' }, 'x'))).to.equal(true);
    expect(isConflict(notFound({ group: '', resource: 'pods' }, 'x'))).to.equal(false);
    expect(isTooLargeResourceVersion(tooLargeResourceVersion(5, 4, 1))).to.equal(true);
    expect(toStatus(new TypeError('boo'))).to.deep.include({ message: 'boo', code: 500 });
  });
});

describe('Go formatting', () => {
  it('prints as fmt and strconv do', () => {
    expect(goQuote('a"\\\n\u0007☃\u00a0\u007f')).to.equal('"a\\"\\\\\\n\\a☃\\u00a0\\x7f"');
    expect(goNumber(0.00001)).to.equal('1e-05');
    expect(goNumber(1e21)).to.equal('1e+21');
    expect([1_000_000, 12345678.5, 123456.5, 2 ** 53, -0, 3n].map(goNumber)).to.deep.equal([
      '1000000',
      '1.23456785e+07',
      '123456.5',
      '9.007199254740992e+15',
      '-0',
      '3',
    ]);
    expect([1_000_000, 100_000, 0, Number.POSITIVE_INFINITY].map(goFloat)).to.deep.equal([
      '1e+06',
      '100000',
      '0',
      '+Inf',
    ]);
    expect(invalidValue('a', asFloat(3e9), 'x').body).to.equal('Invalid value: 3e+09: x');
    expect(invalidValue('a', textByPointer('a\u0000'), 'x').body).to.equal('Invalid value: "a\\u0000": x');
    expect(goValue({ b: [1, null], a: { c: true } })).to.equal('map[a:map[c:true] b:[1 <nil>]]');
    expect(goStringVerb(1)).to.equal('%!s(int64=1)');
    expect(goJSON({ n: 2n ** 60n })).to.equal('{"n":1152921504606846976}');
  });
});

describe('names', () => {
  it('says what is wrong in the words of the reference', () => {
    expect(isQualifiedName('a b')[0]).to.equal(
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
        "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
        "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    );
    expect(isQualifiedName('a/b/c')[0]).to.match(/^a valid label key must consist/);
    expect(isQualifiedName('/b')).to.deep.equal(['prefix part must be non-empty']);
    expect(isQualifiedName('x'.repeat(64))).to.deep.equal(['name part must be no more than 63 bytes']);
    expect(isDNS1123Label('a.b')).to.deep.equal(['must not contain dots']);
    expect(isValidPortName('-A--')).to.have.length(4);
    expect(isEnvVarName('..a')).to.deep.equal(["must not start with '..'"]);
    expect(isRelaxedEnvVarName('a=b')).to.have.length(1);
    expect(isRelaxedEnvVarName('1 @')).to.have.length(0);
  });

  it('generates names of at most 63 characters', () => {
    expect(generateName('pod-', () => 0)).to.equal('pod-bbbbb');
    expect(generateName('x'.repeat(70), () => 0.999)).to.equal(`${'x'.repeat(58)}99999`);
  });
});

describe('validateObjectMeta', () => {
  const options = { namespaced: true, validateName: nameIsDNSSubdomain };
  const texts = (meta: object): string[] => validateObjectMeta(meta, options).map(String);

  it('accepts good metadata', () => {
    expect(
      texts({
        name: 'a',
        namespace: 'n',
        labels: { 'x.io/y': 'z' },
        annotations: { UPPER: 'any' },
        finalizers: ['x.io/f'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }],
      }),
    ).to.deep.equal([]);
  });

  it('collects what is wrong', () => {
    expect(texts({ namespace: 'n' })).to.deep.equal([
      'metadata.name: Required value: name or generateName is required',
    ]);
    expect(
      validateObjectMeta({ name: 'a', namespace: 'n' }, { ...options, namespaced: false }).map(String),
    ).to.deep.equal(['metadata.namespace: Forbidden: not allowed on this type']);
    expect(texts({ name: 'a', namespace: 'n', generation: -1 })).to.deep.equal([
      'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
    ]);
    expect(texts({ name: 'a', namespace: 'n', annotations: { a: 'x'.repeat(256 * 1024) } })).to.deep.equal([
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ]);
    expect(texts({ name: 'a', namespace: 'n', finalizers: ['orphan', 'foregroundDeletion'] })).to.deep.equal([
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and ' +
        'foregroundDeletion cannot be both set',
    ]);
    expect(texts({ name: 'a', namespace: 'n', managedFields: [{ manager: 'a\u0007', operation: 'X' }] })).to.deep.equal(
      [
        'metadata.managedFields[0].operation: Invalid value: "X": must be `Apply` or `Update`',
        'metadata.managedFields[0].manager: Invalid value: "a\\a": invalid character U+0007 (at position 1)',
      ],
    );
    const owner = (name: string): object => ({ apiVersion: 'v1', kind: 'Pod', name, uid: 'u', controller: true });
    expect(texts({ name: 'a', namespace: 'n', ownerReferences: [owner('p'), owner('q')] })[0]).to.match(
      /Found "true" in references for Pod\/p and Pod\/q$/,
    );
  });

  it('refuses changes of what is immutable', () => {
    const old = {
      name: 'a',
      uid: 'u',
      resourceVersion: '1',
      deletionTimestamp: '2020-01-01T00:00:00Z',
      finalizers: ['x.io/a'],
    };
    expect(
      validateObjectMetaUpdate({ ...old, resourceVersion: '', uid: 'v', finalizers: ['x.io/a', 'x.io/b'] }, old).map(
        String,
      ),
    ).to.deep.equal([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found ' +
        'new finalizers []string{"x.io/b"}',
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
      'metadata.uid: Invalid value: "v": field is immutable',
    ]);
    expect(validateObjectMetaUpdate({ ...old, uid: '\ufeff<' }, old).map(String)).to.deep.equal([
      'metadata.uid: Invalid value: "\ufeff\\u003c": field is immutable',
    ]);
  });
});
