import { canI, type CanIQuestion } from '../offline/can-i.ts';
import { readSources } from '../offline/read-sources.ts';
import type { Output } from './output.ts';

/** Prints `yes` or `no` and resolves to the exit code: 0 or 1. @throws LaunchError */
export async function canICommand(
  question: CanIQuestion,
  {
    files,
    output,
    stdin,
  }: { readonly files: readonly string[]; readonly output: Output; readonly stdin: AsyncIterable<Buffer> },
): Promise<number> {
  const answer = await canI(await readSources(files, { stdin, namespace: question.namespace }), question);
  const { allowed, reason } = answer;
  output.result(answer, () => [`${allowed ? 'yes' : 'no'}${reason === '' ? '' : ` - ${reason}`}`]);
  return allowed ? 0 : 1;
}
