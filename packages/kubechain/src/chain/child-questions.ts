import { messageOf } from '@kubechain/apimachinery/message-of';
import { systemClock } from '@kubechain/apimachinery/movable-clock';
import type {
  ChangeClockQuestion,
  LauncherAnswer,
  LauncherHeard,
  LauncherQuestion,
  StartTenantsQuestion,
} from '@kubechain/apiserver/options';
import type { Child } from '../supervisor/child.ts';

/** What processes of a chain ask of the one that has started them. */
export type ChildQuestion = ChangeClockQuestion | StartTenantsQuestion;

/** Hears a message of a process: where it is a question in time, says so, and later tells what came of it. */
export function answerQuestion(
  child: Pick<Child, 'tell'>,
  message: unknown,
  answer: (question: ChildQuestion) => Promise<unknown>,
): void {
  const { id = 0, kind, notAfterMs = 0, question } = message as Partial<LauncherQuestion<ChildQuestion>>;
  // What this process was held for too long to read has been given up.
  if (kind !== 'ask-launcher' || question === undefined || systemClock.now() > notAfterMs) return;
  child.tell({ kind: 'launcher-heard', id } satisfies LauncherHeard);
  const tell = (rest: Pick<LauncherAnswer, 'answer' | 'error'>): void => {
    child.tell({ kind: 'launcher-answer', id, ...rest } satisfies LauncherAnswer);
  };
  answer(question).then(
    (done) => {
      tell({ answer: done });
    },
    (error: unknown) => {
      tell({ error: messageOf(error) });
    },
  );
}
