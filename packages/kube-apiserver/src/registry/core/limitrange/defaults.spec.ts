import type { LimitRange } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { defaultLimitRange } from './defaults.ts';

const defaulted = (item: object): object | undefined => {
  const range = { metadata: {}, spec: { limits: [{ type: 'Container', ...item }] } } as LimitRange;
  defaultLimitRange(range);
  return range.spec?.limits[0];
};

describe('defaults of LimitRanges', () => {
  it('are the most for limits, and those or the least for requests', () => {
    expect(defaulted({ max: { cpu: '2' }, min: { memory: '1Gi' } })).to.deep.include({
      default: { cpu: '2' },
      defaultRequest: { cpu: '2', memory: '1Gi' },
    });
  });

  it('are no maps without entries, which what is stored does not have', () => {
    const item = { maxLimitRequestRatio: { memory: '2' } };
    expect(defaulted(item)).to.deep.equal({ type: 'Container', ...item });
  });
});
