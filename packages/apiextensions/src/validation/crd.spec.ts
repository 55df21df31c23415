import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteEmptied } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { defaultCustomResourceDefinition } from '../crd/strategy.ts';
import { validateCRD } from './crd.ts';
import type { RuleChecker } from './rule-checker.ts';

interface Row {
  readonly name: string;
  readonly crd: KubeObject;
  readonly old?: KubeObject;
  readonly causes: readonly (readonly [field: string, message: string])[];
}

/** CRDs as kube-apiserver 1.36 accepted or refused them; `old` is what an update found, and was established. */
const rows = JSON.parse(readFileSync(join(import.meta.dirname, 'testdata/crds.json'), 'utf8')) as readonly Row[];

/** Accepts every rule: these tests are about everything else. */
const anyRule: RuleChecker = { begin: () => ({ check: () => [], finish: () => [] }), checkDefault: () => [] };
const expressions = /x-kubernetes-validations\[\d+\]\.rule$/;

function defaulted(crd: KubeObject): KubeObject {
  const copy = structuredClone(crd);
  defaultCustomResourceDefinition(copy);
  return copy;
}

function widgets(schema: object): KubeObject {
  return defaulted({
    metadata: { name: 'widgets.g.test' },
    spec: {
      group: 'g.test',
      scope: 'Cluster',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
    status: { storedVersions: ['v1'] },
  });
}

describe('validation of CustomResourceDefinitions', () => {
  describe('as the reference', () => {
    for (const row of rows) {
      it(row.name, () => {
        const old = row.old === undefined ? undefined : defaulted(row.old);
        if (old !== undefined)
          old['status'] = { ...(old['status'] as object), conditions: [{ type: 'Established', status: 'True' }] };
        const causes = validateCRD(defaulted(row.crd), old, { rules: anyRule }).map(
          ({ field, body }) => [field, body] as const,
        );
        expect(causes).to.deep.equal(row.causes.filter(([field]) => !expressions.test(field)));
      });
    }
  });

  it('counts a list without entries among the keywords at the root beside a status endpoint', () => {
    const crd = widgets({ type: 'object' });
    const [version] = (crd['spec'] as { versions: { schema: { openAPIV3Schema: object }; subresources?: object }[] })
      .versions;
    if (version === undefined) throw new Error('no version');
    version.subresources = { status: {} };
    expect(validateCRD(crd)).to.deep.equal([]);
    noteEmptied(version.schema.openAPIV3Schema, 'allOf', 'list');
    expect(validateCRD(crd).map(({ field }) => field)).to.deep.equal(['spec.validation.openAPIV3Schema']);
  });

  it('tells of a keyword that is not supported instead of types that are missing, empty or not', () => {
    const crd = widgets({ type: 'object', properties: { a: { additionalItems: {} } } });
    expect(validateCRD(crd).map(({ body, field }) => [field, body])).to.deep.equal([
      ['spec.validation.openAPIV3Schema.properties[a].additionalItems', 'Forbidden: additionalItems is not supported'],
    ]);
  });

  it('reads the paths of selectable fields also where the schema that all versions share is empty', () => {
    const crd = widgets({});
    const spec = crd['spec'] as { versions: object[] };
    const version = { served: true, schema: {}, selectableFields: [{ jsonPath: '' }, { jsonPath: 'a' }] };
    const unlike = { ...version, schema: { openAPIV3Schema: { type: 'object' } }, selectableFields: [] };
    const told = (): (readonly string[])[] =>
      validateCRD(crd)
        .filter(({ field }) => field.includes('selectableFields'))
        .map(({ body, field }) => [field, body]);
    spec.versions = [{ ...version, name: 'v1', storage: true }];
    expect(told()).to.deep.equal([
      ['spec.selectableFields[0].jsonPath', 'Required value'],
      ['spec.selectableFields[1].jsonPath', 'Invalid value: "a": is an invalid path: expected [ or . but got: a'],
    ]);
    spec.versions = [
      { ...version, name: 'v1', storage: true },
      { ...unlike, name: 'v2' },
    ];
    expect(told()).to.deep.equal([
      [
        'spec.versions[0].selectableFields',
        'Invalid value: "": may only be set when `version.schema.openAPIV3Schema` is not included',
      ],
    ]);
  });

  it('refuses rules where nothing checks them', () => {
    const crd = widgets({ type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] });
    expect(validateCRD(crd).map(String)).to.deep.equal([
      'spec.validation.openAPIV3Schema.x-kubernetes-validations: Internal error: CEL rules are not supported ' +
        'by this server',
    ]);
  });

  it('hands rules over with the way to them', () => {
    const item = {
      type: 'object',
      properties: { a: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: 'self.a != ""' }],
    };
    const seen: string[] = [];
    const rules: RuleChecker = {
      begin: () => ({
        check({ path, ancestry, uncorrelatable }) {
          const steps = ancestry.map(({ step }) => (step.kind === 'property' ? step.name : step.kind));
          seen.push(`${String(path)} via ${steps.join('/')} ${String(uncorrelatable)}`);
          return [];
        },
        finish: (path) => {
          seen.push(`finish ${String(path)}`);
          return [];
        },
      }),
      checkDefault: () => [],
    };
    expect(
      validateCRD(
        widgets({
          type: 'object',
          properties: { spec: { type: 'object', properties: { list: { type: 'array', items: item } } } },
        }),
        undefined,
        { rules },
      ),
    ).to.deep.equal([]);
    expect(seen).to.deep.equal([
      'spec.validation.openAPIV3Schema.properties[spec].properties[list].items via spec/list/items ' +
        'spec.validation.openAPIV3Schema.properties[spec].properties[list]',
      'finish spec.validation.openAPIV3Schema',
    ]);
  });

  describe('defaults', () => {
    const refusals = (properties: object): string[] =>
      validateCRD(widgets({ type: 'object', properties: { spec: { type: 'object', properties } } })).map(String);
    const at = 'spec.validation.openAPIV3Schema.properties[spec].properties[a].default';

    it('must be valid', () => {
      expect(refusals({ a: { type: 'string', maxLength: 1, default: 'xx' } })).to.deep.equal([
        `${at}: Too long: may not be more than 1 byte`,
      ]);
    });
    it('must be pruned', () => {
      expect(
        refusals({ a: { type: 'object', properties: { x: { type: 'integer' } }, default: { x: 1, y: 2 } } }),
      ).to.deep.equal([`${at}: Invalid value: {"x":1,"y":2}: must not have unknown fields`]);
    });
    it('must result in valid metadata', () => {
      const resource = {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'a/b' } } } },
      };
      expect(refusals({ a: resource })).to.deep.equal([
        'spec.validation.openAPIV3Schema.properties[spec].properties[a].properties[metadata].properties[name]' +
          '.default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": ' +
          "may not contain '/'",
      ]);
    });
  });

  it('takes names that objects inherit for what they are', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      anyOf: [{ properties: { constructor: { minLength: 1 } } }],
    };
    const at = 'spec.validation.openAPIV3Schema';
    expect(validateCRD(widgets(schema)).map(String)).to.deep.equal([
      `${at}.properties[constructor]: Required value: because it is defined in ${at}.anyOf[0].properties[constructor]`,
    ]);
  });

  it('remembers the storage version also where a status is taken away', () => {
    expect(
      [undefined, null, { storedVersions: [] }, { storedVersions: ['v0'] }].map(
        (status) => defaulted({ ...widgets({ type: 'object' }), status } as KubeObject)['status'],
      ),
    ).to.deep.equal([
      { storedVersions: ['v1'] },
      { storedVersions: ['v1'] },
      { storedVersions: ['v1'] },
      { storedVersions: ['v0'] },
    ]);
    expect(defaulted({ metadata: {}, spec: { versions: [{ storage: true }] } })['status']).to.deep.equal({
      storedVersions: [''],
    });
  });

  it('lets an update keep what was wrong before', () => {
    const old = widgets({
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' } },
    });
    expect(validateCRD(old).map(String)).to.deep.equal([
      'spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-map-type: Invalid value: null: must ' +
        'be atomic as item of a list with x-kubernetes-list-type=set',
    ]);
    expect(validateCRD(structuredClone(old), old)).to.deep.equal([]);
  });
});
