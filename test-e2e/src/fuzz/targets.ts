import type { FuzzTarget } from './fuzz-target.ts';
import { json } from './targets/json.ts';
import { link } from './targets/link.ts';
import { patches } from './targets/patches.ts';
import { protobuf } from './targets/protobuf.ts';
import { wire } from './targets/wire.ts';
import { yaml } from './targets/yaml.ts';

/** All that `npm run fuzz` feeds. */
export const fuzzTargets: readonly FuzzTarget[] = [json, link, patches, protobuf, wire, yaml];
