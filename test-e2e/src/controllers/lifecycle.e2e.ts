import { isNotOfNodes } from './compare/difference.ts';
import { lifecycleScenarios } from './compare/lifecycle-scenarios.ts';
import { lifecycleKinds } from './compare/observe.ts';
import { itEndsAsRecorded } from './compare/play-recorded.ts';

describe('what a cluster does by itself ends as with kube-controller-manager', () => {
  itEndsAsRecorded({
    scenarios: lifecycleScenarios,
    file: 'recorded-lifecycle.json',
    controllers: ['lifecycle', 'storage', 'disruption-controller'],
    kinds: lifecycleKinds,
    isCompared: isNotOfNodes,
  });
});
