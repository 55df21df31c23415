import { append, FieldPath, aggregateMessage, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { structuralProblem } from '../schema/structural-problem.ts';
import { problemOfPattern, validateStructural, type PatternProblem } from '../validation/structural.ts';
import type { CRDCondition, CustomResourceDefinition } from '../definition/crd-types.ts';

/**
 * What keeps the schemas of a CRD of old from being structural; undefined when nothing does. New CRDs are refused
 * instead (pkg/controller/nonstructuralschema, 1.36).
 */
export function nonStructuralCondition(
  { spec }: CustomResourceDefinition,
  patternProblem: PatternProblem = problemOfPattern,
): Omit<CRDCondition, 'lastTransitionTime'> | undefined {
  const type = 'NonStructuralSchema';
  const errors: FieldError[] =
    spec.preserveUnknownFields === true
      ? [invalidValue(FieldPath.of('spec', 'preserveUnknownFields'), true, 'must be false')]
      : [];
  for (const [i, { name, schema }] of spec.versions.entries()) {
    const props = schema?.openAPIV3Schema;
    if (props === undefined) continue;
    const problem = structuralProblem(props);
    if (problem !== undefined)
      return {
        type,
        status: 'Unknown',
        reason: 'StructuralError',
        message: `failed to check validation schema for version ${name}: ${problem}`,
      };
    append(
      errors,
      validateStructural(
        props,
        FieldPath.of('spec', 'versions').index(i).child('schema', 'openAPIV3Schema'),
        patternProblem,
      ),
    );
  }
  return errors.length === 0
    ? undefined
    : { type, status: 'True', reason: 'Violations', message: aggregateMessage(errors) };
}
