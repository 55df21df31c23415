import type { Pod, Taint } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { toleratedMs } from './toleration-time.ts';

const taint = (key: string): Taint => ({ key, effect: 'NoExecute' });
const staying = (tolerations: object[], ...keys: string[]): number | undefined =>
  toleratedMs({ spec: { tolerations } } as unknown as Pod, keys.map(taint));
const tolerate = (key: string, tolerationSeconds?: number): object => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

describe('the time that a pod tolerates taints', () => {
  it('is none without a toleration', () => expect(staying([], 'a')).to.equal(0));
  it('is none where one taint is not tolerated', () => expect(staying([tolerate('a')], 'a', 'b')).to.equal(0));
  it('has no end without seconds', () => expect(staying([tolerate('a')], 'a')).to.equal(undefined));
  it('is the shortest', () => expect(staying([tolerate('a', 300), tolerate('b', 20)], 'a', 'b')).to.equal(20_000));
  it('is that of the first toleration that fits', () =>
    expect(staying([tolerate('a', 300), tolerate('a', 20)], 'a')).to.equal(300_000));
  it('is none for less than no seconds', () => expect(staying([tolerate('a', -5)], 'a')).to.equal(0));
});
