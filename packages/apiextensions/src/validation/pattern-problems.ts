import type { Pause } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { structuralProblem } from '../schema/structural-problem.ts';
import { forEachSchema } from '../schema/walk.ts';
import { problemOfPattern, type PatternProblem } from './structural.ts';

/**
 * What is wrong with the patterns of schemas. A definition may have tens of thousands of them: they are compiled with
 * pauses, once for all that asks afterwards.
 */
export async function problemsOfPatterns(
  schemas: Iterable<JSONSchemaProps | undefined>,
  pause: Pause,
): Promise<PatternProblem> {
  const problems = new Map<string, string | undefined>();
  for (const schema of schemas) {
    if (schema === undefined || structuralProblem(schema) !== undefined) continue;
    const patterns = new Set<string>();
    forEachSchema(schema, ({ pattern = '' }) => {
      if (pattern !== '') patterns.add(pattern);
    });
    for (const pattern of patterns) {
      if (problems.has(pattern)) continue;
      problems.set(pattern, problemOfPattern(pattern));
      const turn = pause();
      // oxlint-disable-next-line no-await-in-loop -- one after another, so that others are served
      if (turn !== undefined) await turn;
    }
  }
  return (pattern) => (problems.has(pattern) ? problems.get(pattern) : problemOfPattern(pattern));
}
