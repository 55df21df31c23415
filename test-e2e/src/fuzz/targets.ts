import type { FuzzTarget } from './fuzz-target.ts';
import { json } from './targets/json.ts';
import { patches } from './targets/patches.ts';
import { yaml } from './targets/yaml.ts';

/** All that `npm run fuzz` feeds. */
export const fuzzTargets: readonly FuzzTarget[] = [json, patches, yaml];
