import { expect } from 'chai';
import { nestedInteger, nestedString, setNested } from './nested-value.ts';

describe('nested values', () => {
  const object = { spec: { replicas: 3, half: 1.5, text: 'x', big: 5n, list: [1], none: null } };
  const rows: readonly { readonly path: string; readonly value?: number; readonly problem?: string }[] = [
    { path: '.spec.replicas', value: 3 },
    { path: '.spec.big', value: 5 },
    { path: '.spec.missing' },
    { path: '.status.replicas' },
    { path: '.spec.text', problem: '.spec.text accessor error: x is of the type string, expected int64' },
    { path: '.spec.half', problem: '.spec.half accessor error: 1.5 is of the type float64, expected int64' },
    {
      path: '.spec.text.more',
      problem: '.spec.text.more accessor error: x is of the type string, expected map[string]interface{}',
    },
  ];
  for (const { path, problem, value } of rows) {
    it(`reads an integer at ${path}`, () => {
      expect(nestedInteger(object, path)).to.deep.equal({ value, problem });
    });
  }

  it('reads text', () => {
    expect(nestedString(object, '.spec.text').value).to.equal('x');
    expect(nestedString(object, '.spec.replicas').problem).to.equal(
      '.spec.replicas accessor error: 3 is of the type int64, expected string',
    );
  });

  it('makes the objects on the way', () => {
    const target: Record<string, unknown> = { spec: { kept: true } };
    setNested(target, '.spec.scale.replicas', 4);
    expect(target).to.deep.equal({ spec: { kept: true, scale: { replicas: 4 } } });
  });
});
