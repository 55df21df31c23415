import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { defaultFormerPod, defaultPod } from './defaults.ts';

describe('defaults of pods', () => {
  it('give volumes that are images a pull policy only where these are known', () => {
    const policies = (apply: (pod: Pod) => void): unknown => {
      const volumes = [
        { name: 'a', image: { reference: 'x' } },
        { name: 'b', image: { reference: 'x', pullPolicy: 'Never' as const } },
        { name: 'c' },
      ];
      const pod: Pod = { spec: { containers: [], volumes } };
      apply(pod);
      return pod.spec?.volumes?.map(({ emptyDir, image }) => image?.pullPolicy ?? emptyDir);
    };
    expect(policies(defaultPod)).to.deep.equal(['Always', 'Never', {}]);
    expect(policies(defaultFormerPod)).to.deep.equal([undefined, 'Never', {}]);
  });
});
