import { FieldPath } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { validateSelectableFields } from '../validation/columns.ts';
import { validateRules } from '../validation/schema-rules.ts';
import { resolveFieldPath } from './field-path.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `f${i}`);
const schemaOf = (count: number): JSONSchemaProps => ({
  type: 'object',
  properties: Object.fromEntries(names(count).map((name) => [name, { type: 'string' }])),
});

describe('paths through a schema', () => {
  const schema: JSONSchemaProps = {
    type: 'object',
    properties: { a: { type: 'string' }, m: { type: 'object', additionalProperties: { type: 'integer' } } },
  };
  for (const [path, told] of [
    ['.a', 'a'],
    ["['a']", 'a'],
    ['.m.any', 'm[any]'],
    ['.b', 'does not refer to a valid field'],
    ['.a.b', 'does not refer to a valid field'],
  ] as const)
    it(`${path}: ${told}`, () => {
      const found = resolveFieldPath(path, schema, { brackets: true });
      expect(typeof found === 'string' ? found : String(found.path)).to.equal(told);
    });

  const works: Readonly<Record<string, (count: number) => () => unknown>> = {
    'fields that can be selected': (count) => {
      const of = schemaOf(count);
      const fields = names(count).flatMap((name) => [{ jsonPath: `.${name}` }, { jsonPath: `.no-${name}` }]);
      return () => validateSelectableFields(fields, of, { path: FieldPath.of('p'), allowTooMany: true });
    },
    'fields that rules name': (count) => {
      const rules = names(count).map((name) => ({ rule: 'true', fieldPath: `.no-${name}` }));
      const of = { ...schemaOf(count), 'x-kubernetes-validations': rules } as JSONSchemaProps;
      return () => validateRules(of, FieldPath.of('p'));
    },
  };
  for (const [name, prepare] of Object.entries(works))
    it(`cost four times as much for four times as many ${name}`, () => {
      const leastMs = (count: number): number => {
        const work = prepare(count);
        return Math.min(
          ...Array.from({ length: 4 }, () => {
            const before = process.threadCpuUsage().user;
            work();
            return (process.threadCpuUsage().user - before) / 1_000;
          }),
        );
      };
      expect(leastMs(6_000) / Math.max(leastMs(1_500), 3)).to.be.lessThan(10);
    });
});
