import type { Environment } from '../environment.ts';
import { baseFunctions } from '../libraries/libraries.ts';
import { boolType, mapOf, objectOf, parseType, stringType, type CelType } from '../types/types.ts';

/** The value of an attribute, of which nothing is known before it is there. */
const anyType: CelType = { kind: 'dyn', name: 'any', params: [], fields: undefined };

const byDomain = (value: CelType): CelType => mapOf(stringType, mapOf(stringType, value));

const deviceType = objectOf(
  'kubernetes.DRADevice',
  new Map<string, CelType>([
    ['driver', stringType],
    ['allowMultipleAllocations', boolType],
    ['attributes', byDomain(anyType)],
    ['capacity', byDomain(parseType('kubernetes.Quantity'))],
  ]),
);

/** What expressions that select devices can use (k8s.io/dynamic-resource-allocation/cel, 1.36). */
export const deviceEnvironment: Environment = {
  variables: new Map([['device', deviceType]]),
  functions: baseFunctions,
  bindings: true,
};
