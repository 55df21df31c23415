import type { KubeObject } from '@kubechain/apimachinery';
import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { templateGenerationAnnotation } from './defaults.ts';
import { daemonSetStatusStrategy, daemonSetStrategy } from './strategy.ts';
import { capabilitiesOf } from '../../capabilities.ts';

const context = internalContext({ groupResource: { group: 'apps', resource: 'daemonsets' } });
const set = (generation: string, image: string, minReadySeconds = 0): KubeObject => ({
  metadata: { annotations: { [templateGenerationAnnotation]: generation } },
  spec: { minReadySeconds, template: { spec: { containers: [{ name: 'c', image }] } } },
});

describe('DaemonSets', () => {
  for (const [given, expected] of [
    ['0', '1'],
    ['7', '7'],
  ] as const) {
    it(`count their template from ${expected} when created with ${given}`, async () => {
      const created = set(given, 'a');
      await daemonSetStrategy(capabilitiesOf({ allowPrivileged: false })).prepareForCreate?.(created, context);
      expect(created.metadata).to.deep.equal({
        annotations: { [templateGenerationAnnotation]: expected },
        generation: 1,
      });
    });
  }

  const rows: readonly (readonly [name: string, updated: KubeObject, expected: string])[] = [
    ['count a changed template', set('0', 'b'), '4'],
    ['do not count a change elsewhere', set('0', 'a', 5), '3'],
    ['do not let a caller count', set('9', 'a'), '3'],
  ];
  for (const [name, updated, expected] of rows) {
    it(name, async () => {
      await daemonSetStrategy(capabilitiesOf({ allowPrivileged: false })).prepareForUpdate?.(
        updated,
        set('3', 'a'),
        context,
      );
      expect(updated.metadata?.annotations).to.deep.equal({ [templateGenerationAnnotation]: expected });
    });
  }

  it('keep the count when their status changes', async () => {
    const updated = set('9', 'b');
    await daemonSetStatusStrategy.prepareForUpdate?.(updated, set('3', 'a'), context);
    expect(updated.metadata?.annotations).to.deep.equal({ [templateGenerationAnnotation]: '3' });
  });
});
