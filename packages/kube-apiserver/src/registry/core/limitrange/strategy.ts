import { ensureMeta } from '@kubechain/apimachinery';
import { randomUUID } from 'node:crypto';
import { specStrategy } from '../../spec-strategy.ts';

/** LimitRanges: one without a name gets one (pkg/registry/core/limitrange/strategy.go, 1.36). */
export const limitRangeStrategy = specStrategy({
  allowCreateOnUpdate: true,
  prepareForCreate(range) { ensureMeta(range).name ||= randomUUID(); },
});
