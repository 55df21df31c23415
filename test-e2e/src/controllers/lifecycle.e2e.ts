import { itEndsAsRecorded } from './compare/play-recorded.ts';
import { plays } from './compare/plays.ts';

describe('what a cluster does by itself ends as with kube-controller-manager', () => {
  itEndsAsRecorded(plays.lifecycle);
});
