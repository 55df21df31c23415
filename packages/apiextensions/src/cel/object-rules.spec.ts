import { expect } from 'chai';
import { required } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import { Stepwise } from '@kubechain/apiserver/resources';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import type { VersionSchema } from '../custom-resources/version-schema.ts';
import { objectRules } from './object-rules.ts';

const props: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-validations': [{ rule: 'self.metadata.name == self.spec.name', message: 'another name' }],
  properties: {
    spec: {
      type: 'object',
      properties: { name: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != "bad"' }] } },
    },
  },
};
// Only the schema of the version is looked at.
const schema = { props } as unknown as VersionSchema;
const widget = (name: string): KubeObject => ({
  apiVersion: 'a/v1',
  kind: 'Widget',
  metadata: { name: 'one' },
  spec: { name },
});

function check(
  object: KubeObject,
  more: {
    readonly old?: KubeObject;
    readonly errors?: readonly FieldError[];
    readonly metadataErrors?: () => readonly FieldError[];
  } = {},
): { readonly errors: readonly string[]; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const steps = objectRules(schema, object, { errors: [], warn: (text) => warnings.push(text), ...more });
  return {
    errors: new Stepwise(steps).makeNow().map(String),
    warnings,
  };
}

describe('objectRules', () => {
  it('run over whole objects, whose name they see', () => {
    expect(check(widget('one'))).to.deep.equal({ errors: [], warnings: [] });
    expect(check(widget('two'))).to.deep.equal({ errors: ['<nil>: Invalid value: another name'], warnings: [] });
  });
  it('warn of what an update leaves as it was', () => {
    expect(check(widget('bad'), { old: widget('bad') }).warnings).to.deep.equal([
      'spec.name: Invalid value: "bad": failed rule: self != "bad"',
    ]);
  });
  it('are not run over objects that are wrong otherwise', () => {
    const unchecked = [
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; ' +
        'correct the existing errors to complete validation',
    ];
    expect(check(widget('two'), { errors: [required('spec.x')] }).errors).to.deep.equal(unchecked);
    expect(check(widget('two'), { metadataErrors: () => [required('metadata.name')] }).errors).to.deep.equal(unchecked);
  });
});
