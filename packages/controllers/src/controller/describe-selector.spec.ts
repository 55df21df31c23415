import { expect } from 'chai';
import { describeSelector } from './describe-selector.ts';

describe('a selector in an event', () => {
  it('looks as Go prints it', () => {
    expect(
      describeSelector({
        matchLabels: { tier: 'web', app: 'shop' },
        matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }],
      }),
    ).to.equal(
      '&LabelSelector{MatchLabels:map[string]string{app: shop,tier: ' +
        'web,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:a,Operator:In,Values:[b ' +
        'c],},},}',
    );
  });
  it('is nil where there is none', () => expect(describeSelector(undefined)).to.equal('nil'));
});
