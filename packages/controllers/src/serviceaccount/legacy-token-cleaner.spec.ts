import { expect } from 'chai';
import type { Secret } from '@kubechain/apimachinery/types/core/v1';
import { verdictOf, type TokenVerdict } from './legacy-token-cleaner.ts';

const dayMs = 24 * 3_600_000;
const nowMs = Date.UTC(2026, 11, 31, 12);
const used = 'kubernetes.io/legacy-token-last-used';
const invalid = 'kubernetes.io/legacy-token-invalid-since';

describe('tokens that nobody uses', () => {
  const rows: readonly (readonly [string, string, Readonly<Record<string, string>>, TokenVerdict])[] = [
    ['young ones stay', '2026-12-25T00:00:00Z', {}, 'keep'],
    ['never used since', '2026-01-01T00:00:00Z', {}, 'invalidate'],
    ['used on the last day that counts', '2026-01-01T00:00:00Z', { [used]: '2026-12-21' }, 'keep'],
    ['used before', '2026-01-01T00:00:00Z', { [used]: '2026-12-20' }, 'invalidate'],
    ['used at no date', '2026-01-01T00:00:00Z', { [used]: 'yesterday' }, 'keep'],
    ['marked lately', '2026-01-01T00:00:00Z', { [invalid]: '2026-12-21' }, 'keep'],
    ['marked long ago', '2026-01-01T00:00:00Z', { [used]: '2026-11-01', [invalid]: '2026-12-20' }, 'delete'],
    ['marked with no date', '2026-01-01T00:00:00Z', { [invalid]: '2026-02-30' }, 'invalidate'],
  ];
  for (const [name, creationTimestamp, labels, expected] of rows)
    it(name, () => {
      const secret = { metadata: { name: 's', creationTimestamp, labels } } as Secret;
      expect(verdictOf(secret, { nowMs, unusedMs: 10 * dayMs })).to.equal(expected);
    });
});
