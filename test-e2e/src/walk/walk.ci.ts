import { walkSuite } from './walk-suite.ts';

walkSuite(['get', 'watch']);
