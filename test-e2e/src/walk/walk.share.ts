import { walkSuite } from './walk-suite.ts';
import { ways } from './ways.ts';

// A debugger takes minutes for each of these.
walkSuite(Object.keys(ways).filter((name) => !['get', 'watch'].includes(name)));
