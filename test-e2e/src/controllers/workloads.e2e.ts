import { itEndsAsRecorded } from './compare/play-recorded.ts';
import { plays } from './compare/plays.ts';

/** Cron jobs are not recorded: they go by the minute. */
describe('workloads on played nodes end as with kube-controller-manager', () => {
  itEndsAsRecorded(plays.workloads);
});
