import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateVolumeAttributesClass, validateVolumeAttributesClassUpdate } from './validation.ts';

/** VolumeAttributesClass: what its spec's endpoint does beyond the generic registry. */
export const volumeAttributesClassStrategy = specStrategy(
  validated({ create: validateVolumeAttributesClass, update: validateVolumeAttributesClassUpdate }),
);
