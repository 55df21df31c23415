import { specStrategy } from '../../spec-strategy.ts';

/** PodTemplate: what its spec's endpoint does beyond the generic registry. */
export const podTemplateStrategy = specStrategy({ generation: 'template' });
