import type { Area } from './area.ts';
import { limits } from './limits.ts';
import { reviews } from './reviews.ts';
import { rights } from './rights.ts';
import { security } from './security.ts';
import { subresources } from './subresources.ts';

/** By the name that `--area` gives. */
export const areas: ReadonlyMap<string, Area> = new Map([
  ['limits', limits],
  ['reviews', reviews],
  ['rights', rights],
  ['security', security],
  ['subresources', subresources],
]);
