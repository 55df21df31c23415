import { expect } from 'chai';
import { builtinScheme } from '../builtin/builtin-scheme.ts';
import { encodingSchema } from '../runtime/scheme.ts';
import { nullNames } from './null-names.ts';

describe('nullNames', () => {
  it('are those that Go writes without a value, at any level', () => {
    const pod = encodingSchema(builtinScheme().kind({ group: '', version: 'v1', kind: 'Pod' }));
    if (pod === undefined) throw new Error('no schema');
    const names = nullNames(pod);
    expect([...names]).to.include.members(['lastProbeTime', 'lastTransitionTime', 'startedAt']);
    for (const name of ['labels', 'annotations', 'resources', 'ports', 'containers', 'selector'])
      expect(names.has(name), name).to.equal(false);
  });
});
