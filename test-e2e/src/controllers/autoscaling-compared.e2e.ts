import { itEndsAsRecorded } from './compare/play-recorded.ts';
import { plays } from './compare/plays.ts';

describe('autoscalers where metrics are served end as with kube-controller-manager', () => {
  itEndsAsRecorded(plays.autoscaling);
});
