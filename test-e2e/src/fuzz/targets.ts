import type { FuzzTarget } from './fuzz-target.ts';
import { json } from './targets/json.ts';

/** All that `npm run fuzz` feeds. */
export const fuzzTargets: readonly FuzzTarget[] = [json];
