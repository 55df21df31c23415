import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateControllerRevision, validateControllerRevisionUpdate } from './validation.ts';

/** ControllerRevision: what its spec's endpoint does beyond the generic registry. */
export const controllerRevisionStrategy = specStrategy(
  validated({ create: validateControllerRevision, update: validateControllerRevisionUpdate }),
);
