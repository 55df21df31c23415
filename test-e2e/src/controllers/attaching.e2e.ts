import { itEndsAsRecorded } from './compare/play-recorded.ts';
import { plays } from './compare/plays.ts';

describe('volumes and devices that pods have end as with kube-controller-manager', () => {
  itEndsAsRecorded(plays.attaching);
});
