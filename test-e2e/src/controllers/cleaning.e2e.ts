import { itEndsAsRecorded } from './compare/play-recorded.ts';
import { plays } from './compare/plays.ts';

describe('what takes away what is of no use ends as with kube-controller-manager', () => {
  itEndsAsRecorded(plays.cleaning);
});
