import type { FuzzTarget } from './fuzz-target.ts';
import { etcd } from './targets/etcd.ts';
import { frames } from './targets/frames.ts';
import { http1 } from './targets/http1.ts';
import { http2 } from './targets/http2.ts';
import { identity } from './targets/identity.ts';
import { json } from './targets/json.ts';
import { link } from './targets/link.ts';
import { patches } from './targets/patches.ts';
import { protobuf } from './targets/protobuf.ts';
import { wire } from './targets/wire.ts';
import { yaml } from './targets/yaml.ts';

/** All that `npm run fuzz` feeds. */
export const fuzzTargets: readonly FuzzTarget[] = [
  etcd,
  frames,
  http1,
  http2,
  identity,
  json,
  link,
  patches,
  protobuf,
  wire,
  yaml,
];
