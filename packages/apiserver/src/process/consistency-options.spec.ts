import { expect } from 'chai';
import { FeatureGates } from '../options/feature-gates.ts';
import { consistencyOptions } from './consistency-options.ts';

const gates = (pairs: readonly (readonly [string, string])[] = []): FeatureGates => new FeatureGates(new Map(pairs));

describe('consistencyOptions', () => {
  const variable = 'KUBE_WATCHCACHE_CONSISTENCY_CHECKER';

  it('has caches compared, unless told otherwise', () => {
    expect(consistencyOptions(gates(), {})).to.deep.equal({ consistencyChecks: true });
    expect(consistencyOptions(gates([['DetectCacheInconsistency', 'false']]), { [variable]: '0' })).to.deep.equal({
      consistencyChecks: false,
    });
  });

  it('ends the process at a difference where the environment says so, whatever the gate', () => {
    const { consistencyChecks, onInconsistent } = consistencyOptions(gates([['DetectCacheInconsistency', 'false']]), {
      [variable]: 'true',
    });
    expect(consistencyChecks).to.equal(true);
    const handlers = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    return new Promise<void>((resolve) => {
      process.once('uncaughtException', (error) => {
        for (const handler of handlers) process.on('uncaughtException', handler);
        expect(error.message).to.equal('they differ');
        resolve();
      });
      onInconsistent?.(new RangeError('they differ'));
    });
  });
});
