import { expect } from 'chai';
import type { AuthorizationAttributes } from '@kubechain/apiserver/resources';
import { reviewStatus } from './access-review.ts';
import type { AccessReviewSpec } from './access-review.ts';

type Selectors = Pick<NonNullable<AccessReviewSpec['resourceAttributes']>, 'fieldSelector' | 'labelSelector'>;

/** What an authorizer is asked for, and what the answer says that it did not consider. */
async function asked(
  selectors: Selectors,
): Promise<{ readonly fields?: string; readonly labels?: string; readonly problem?: unknown }> {
  const seen: AuthorizationAttributes[] = [];
  const authorizer = {
    authorize: (attributes: AuthorizationAttributes) => {
      seen.push(attributes);
      return { decision: 'Allow' as const, reason: '' };
    },
  };
  const status = await reviewStatus(
    authorizer,
    { user: 'u', resourceAttributes: { verb: 'list', resource: 'pods', ...selectors } },
    { name: 'u', groups: [] },
  );
  const { fieldSelector, labelSelector } = seen[0] ?? {};
  const problem = status['evaluationError'];
  return {
    ...(fieldSelector === undefined ? {} : { fields: fieldSelector }),
    ...(labelSelector === undefined ? {} : { labels: labelSelector }),
    ...(problem === undefined ? {} : { problem }),
  };
}

describe('selectors of access reviews', () => {
  const rows: readonly (readonly [name: string, selectors: Selectors, expected: object])[] = [
    [
      'as text',
      { fieldSelector: { rawSelector: 'spec.nodeName=n' }, labelSelector: { rawSelector: 'a in (b)' } },
      { fields: 'spec.nodeName=n', labels: 'a in (b)' },
    ],
    [
      'as requirements',
      {
        fieldSelector: {
          requirements: [
            { key: 'f', operator: 'In', values: ['a,b'] },
            { key: 'g', operator: 'NotIn', values: ['c'] },
          ],
        },
        labelSelector: { requirements: [{ key: 'l', operator: 'DoesNotExist' }] },
      },
      { fields: String.raw`f=a\,b,g!=c`, labels: '!l' },
    ],
    [
      'that are no text of theirs',
      { fieldSelector: { rawSelector: 'f' }, labelSelector: { rawSelector: 'a in' } },
      {
        problem:
          'spec.resourceAttributes.fieldSelector ignored due to parse error; ' +
          'spec.resourceAttributes.labelSelector ignored due to parse error',
      },
    ],
    [
      'with operators of later versions',
      {
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'Exists' },
            { key: 'a', operator: 'Later' },
          ],
        },
      },
      { labels: 'a', problem: 'spec.resourceAttributes.labelSelector partially ignored due to parse error' },
    ],
    [
      'with several values of a field',
      { fieldSelector: { requirements: [{ key: 'f', operator: 'In', values: ['a', 'b'] }] } },
      { problem: 'spec.resourceAttributes.fieldSelector ignored due to parse error' },
    ],
  ];
  for (const [name, selectors, expected] of rows)
    it(name, async () => {
      expect(await asked(selectors)).to.deep.equal(expected);
    });
});
