import { isTelling } from './compare/difference.ts';
import { workloadKinds } from './compare/observe.ts';
import { itEndsAsRecorded } from './compare/play-recorded.ts';
import { scenarios } from './compare/scenarios.ts';

/** Cron jobs are not recorded: they go by the minute. */
describe('workloads on played nodes end as with kube-controller-manager', () => {
  itEndsAsRecorded({
    scenarios,
    file: 'recorded.json',
    controllers: [
      'workloads',
      'persistentvolume-binder-controller',
      'persistentvolumeclaim-protection-controller',
      'resourcequota',
      'serviceaccount',
      'garbagecollector',
    ],
    kinds: workloadKinds,
    isCompared: isTelling,
  });
});
