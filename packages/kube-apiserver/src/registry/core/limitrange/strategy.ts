import { ensureMeta } from '@kubechain/apimachinery';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateLimitRange } from './validation.ts';

/** LimitRanges: one without a name gets one (pkg/registry/core/limitrange/strategy.go, 1.36). */
export const limitRangeStrategy = (newUID: () => string): Strategy =>
  specStrategy({
    allowCreateOnUpdate: true,
    ...validated({ create: validateLimitRange, update: validateLimitRange }),
    prepareForCreate(range) {
      ensureMeta(range).name ||= newUID();
    },
  });
