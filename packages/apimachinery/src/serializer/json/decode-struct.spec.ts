import { expect } from 'chai';
import { builtinScheme } from '../../builtin/builtin-scheme.ts';
import { emptiedFields } from '../../object/emptied.ts';
import type { StructSchema } from '../../schema/schema.ts';
import { decodeStruct } from './decode-struct.ts';

describe('decodeStruct', () => {
  const schema = builtinScheme().kind({ group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaim' })
    ?.schema as StructSchema;

  for (const [name, constraints] of [
    ['alone', [{ requests: [] }]],
    ['beside a null, which only the exact decoder reads', [{ requests: [] }, null]],
  ] as const)
    it(`remembers a list without entries ${name}`, () => {
      const original = { spec: { devices: { constraints } } };
      const { value } = decodeStruct(structuredClone(original), schema, { strict: true, original });
      const read = value as typeof original | undefined;
      expect(emptiedFields(read?.spec.devices.constraints[0] ?? {})).to.deep.equal(['requests']);
    });
});
