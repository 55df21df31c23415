import { expect } from 'chai';
import { encodeContinue } from './continue-token.ts';
import { isStorageError } from './errors.ts';
import type { ListOptions } from './interfaces.ts';
import { planList } from './list-plan.ts';

const KEY = '/registry/pods/';
const token = encodeContinue(`${KEY}a/x`, KEY, 7);
const next = `${KEY}a/x\0`;

describe('planList', () => {
  for (const [options, plan] of [
    [{}, { kind: 'latest', startKey: KEY }],
    [{ limit: 5 }, { kind: 'latest', startKey: KEY }],
    [{ resourceVersion: '0' }, { kind: 'notOlderThan', revision: 0, startKey: KEY }],
    [
      { resourceVersion: '0', limit: 5 },
      { kind: 'notOlderThan', revision: 0, startKey: KEY },
    ],
    [{ resourceVersion: '9' }, { kind: 'notOlderThan', revision: 9, startKey: KEY }],
    [
      { resourceVersion: '9', limit: 5 },
      { kind: 'exact', revision: 9, startKey: KEY },
    ],
    [
      { resourceVersion: '9', limit: 5, recursive: false },
      { kind: 'notOlderThan', revision: 9, startKey: KEY },
    ],
    [
      { resourceVersion: '9', resourceVersionMatch: 'NotOlderThan', limit: 5 },
      { kind: 'notOlderThan', revision: 9, startKey: KEY },
    ],
    [
      { resourceVersion: '9', resourceVersionMatch: 'Exact' },
      { kind: 'exact', revision: 9, startKey: KEY },
    ],
    [{ continue: token }, { kind: 'exact', revision: 7, startKey: next }],
    [
      { continue: token, resourceVersion: '0' },
      { kind: 'exact', revision: 7, startKey: next },
    ],
    [{ continue: encodeContinue(`${KEY}a/x`, KEY, -1) }, { kind: 'latest', startKey: next }],
  ] as readonly (readonly [ListOptions, unknown])[]) {
    it(`reads ${JSON.stringify(options)}`, () => expect(planList(KEY, options)).to.deep.equal(plan));
  }

  for (const [options, code] of [
    [{ resourceVersion: 'x' }, 'InvalidResourceVersion'],
    [{ continue: '%' }, 'InvalidContinue'],
    [{ continue: token, resourceVersion: '9' }, 'InvalidContinue'],
  ] as const) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      expect(() => planList(KEY, options))
        .to.throw()
        .that.satisfies((error: unknown) => isStorageError(error, code));
    });
  }
});
