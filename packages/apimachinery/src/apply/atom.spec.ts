import { expect } from 'chai';
import type { JSONObject } from '../object/json-object.ts';
import { schemaFor } from '../schema/builtin.ts';
import { atomOf } from './atom.ts';
import { validateTyped } from './validate.ts';

describe('atomOf', () => {
  const check = (name: string, value: JSONObject) => () => {
    const schema = schemaFor(`io.k8s.api.${name}`);
    if (schema === undefined) throw new TypeError(name);
    validateTyped(atomOf(schema), value);
  };

  it('takes anything for a number or text, which is published without a type, but not for a quantity', () => {
    expect(check('policy.v1.PodDisruptionBudgetSpec', { minAvailable: {}, maxUnavailable: [1] })).not.to.throw();
    expect(check('core.v1.ResourceFieldSelector', { resource: 'cpu', divisor: {} })).to.throw(
      '.divisor: expected any scalar, got &{map[]}',
    );
  });
});
