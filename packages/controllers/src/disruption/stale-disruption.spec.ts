import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { staleInMs } from './stale-disruption.ts';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const pod = ({
  metadata = {},
  phase = 'Running',
  reason = 'EvictionByEvictionAPI',
  status = 'True',
  since = '11:59:30',
}): Pod =>
  ({
    metadata,
    status: {
      phase,
      conditions: [{ type: 'DisruptionTarget', status, reason, lastTransitionTime: `2026-01-01T${since}Z` }],
    },
  }) as unknown as Pod;

describe('a pod that is about to be disrupted', () => {
  for (const [what, given, expected] of [
    ['has two minutes', pod({}), 90_000],
    ['had them', pod({ since: '11:00:00' }), 0],
    ['goes', pod({ metadata: { deletionTimestamp: '2026-01-01T12:00:00Z' } }), undefined],
    ['has ended', pod({ phase: 'Failed' }), undefined],
    ['has all the time that its kubelet takes', pod({ reason: 'TerminationByKubelet' }), undefined],
    ['is not any more', pod({ status: 'False' }), undefined],
  ] as const)
    it(what, () => expect(staleInMs(given, nowMs)).to.equal(expected));
});
