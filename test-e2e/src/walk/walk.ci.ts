import { shareOf } from '../ci/share.ts';
import { walkSuite } from './walk-suite.ts';

// A debugger takes a minute and more for a watch.
walkSuite(shareOf(['get', 'watch']));
