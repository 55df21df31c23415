import { FakeClock } from '@kubechain/apimachinery/testing';
import { builtInSubjects } from './built-in-subjects.ts';
import { customSubjects } from './custom-subjects.ts';
import type { Subject } from './subject.ts';

/** Everything that is pumped: all built-in kinds, a custom kind, and their subresources. */
export function allSubjects(): Subject[] {
  const clock = new FakeClock();
  return [...builtInSubjects(clock), ...customSubjects(clock)];
}
