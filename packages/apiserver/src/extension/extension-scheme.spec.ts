import { expect } from 'chai';
import { gvkOf } from '@kubechain/apimachinery';
import type { KubeObject, OpenAPIV3Schema } from '@kubechain/apimachinery';
import { extensionScheme, type ExtensionVersion } from './extension-scheme.ts';

const group = 'kitchen.example.com';
const withField = (name: string, type = 'integer'): OpenAPIV3Schema => ({
  type: 'object',
  properties: { [name]: { type } },
});
const renaming = (version: string, name: string): ExtensionVersion => {
  const renamed =
    (from: string, to: string) =>
    ({ [from]: value, ...rest }: KubeObject): KubeObject =>
      value === undefined ? rest : { ...rest, [to]: value };
  return { version, schema: withField(name), toHub: renamed(name, 'servings'), fromHub: renamed('servings', name) };
};

describe('extensionScheme', () => {
  const hubSchema: OpenAPIV3Schema = {
    type: 'object',
    properties: { servings: { type: 'integer' }, oven: { type: 'boolean', default: true } },
  };
  const scheme = extensionScheme({
    hub: { group, version: 'v1' },
    kind: 'Recipe',
    schema: hubSchema,
    versions: [renaming('v1beta1', 'people'), renaming('v1alpha1', 'eaters')],
  });
  const recipe = (version: string, fields: object): KubeObject => ({
    apiVersion: `${group}/${version}`,
    kind: 'Recipe',
    metadata: { name: 'soup' },
    ...fields,
  });
  const convert = (object: KubeObject, version: string): KubeObject =>
    scheme.convert(object, { group, version }) as KubeObject;

  it('knows the kind in all versions, in the order of Kubernetes', () => {
    expect(scheme.versions(group)).to.deep.equal(['v1', 'v1beta1', 'v1alpha1']);
    for (const version of scheme.versions(group))
      expect(scheme.kind({ group, version, kind: 'Recipe' })?.goType).to.equal(`${version}.Recipe`);
    expect(scheme.kind(gvkOf({ apiVersion: 'v1', kind: 'DeleteOptions' }))).to.not.equal(undefined);
  });
  it('converts into the hub, where what the other version cannot say gets its default', () => {
    expect(convert(recipe('v1beta1', { people: 4 }), 'v1')).to.deep.equal(recipe('v1', { servings: 4, oven: true }));
  });
  it('converts out of the hub', () => {
    expect(convert(recipe('v1', { servings: 4 }), 'v1alpha1')).to.deep.equal(recipe('v1alpha1', { eaters: 4 }));
  });
  it('converts between two others through the hub', () => {
    expect(convert(recipe('v1beta1', { people: 4 }), 'v1alpha1')).to.deep.include({
      apiVersion: `${group}/v1alpha1`,
      eaters: 4,
    });
    expect(convert(recipe('v1alpha1', { eaters: 4 }), 'v1beta1')).to.deep.include({
      apiVersion: `${group}/v1beta1`,
      people: 4,
    });
  });
  it('refuses a version twice', () => {
    expect(() =>
      extensionScheme({
        hub: { group, version: 'v1' },
        kind: 'Recipe',
        schema: hubSchema,
        versions: [renaming('v1', 'people')],
      }),
    ).to.throw('Recipe is served in v1 twice');
  });
});
