import { expect } from 'chai';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import { CRDStructure } from './crd-structure.ts';

const withPatterns = (patterns: readonly string[]): CustomResourceDefinition =>
  ({
    metadata: { name: 'a' },
    spec: {
      versions: [
        {
          name: 'v1',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: Object.fromEntries(patterns.map((pattern, i) => [`f${i}`, { type: 'string', pattern }])),
            },
          },
        },
      ],
    },
  }) as never;

describe('whether a definition is structural', () => {
  it('is found out with a pause behind each pattern', async () => {
    let pauses = 0;
    const pause = async (): Promise<void> => void pauses++;
    const structure = new CRDStructure('1', () => withPatterns(['^a+$', '^b+$', '^a+$']));
    expect(await structure.condition(pause)).to.equal(undefined);
    expect(pauses).to.be.greaterThanOrEqual(2);
  });

  it('is told with the patterns that are none', async () => {
    const condition = await new CRDStructure('1', () => withPatterns(['^a+$', '('])).condition(() => undefined);
    expect(condition?.message).to.include("must be a valid regular expression, but isn't: error parsing regexp");
  });

  it('is found out once', async () => {
    let reads = 0;
    const structure = new CRDStructure('1', () => {
      reads++;
      return withPatterns(['(']);
    });
    const first = await structure.condition(() => undefined);
    expect(await structure.condition(() => undefined)).to.equal(first);
    expect(reads).to.equal(1);
  });
});
