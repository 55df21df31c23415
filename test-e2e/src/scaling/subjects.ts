import { FakeClock } from '@kubechain/apimachinery/testing';
import { builtInSubjects } from './built-in-subjects.ts';
import { customSubject } from './custom-subject.ts';
import type { Subject } from './subject.ts';

/** Everything that is pumped: all built-in kinds and one custom kind. */
export function allSubjects(): Subject[] {
  const clock = new FakeClock();
  return [...builtInSubjects(clock), customSubject(clock)];
}
