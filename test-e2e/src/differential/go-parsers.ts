import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What is asked of Kubernetes' own parsers (test-e2e/clients/go/parsers). */
export interface ParserQuestion {
  readonly kind: 'duration' | 'fields' | 'json-patch' | 'labels' | 'quantity' | 'to-yaml' | 'yaml' | 'yaml-strict';
  readonly input: string | Uint8Array;
  readonly patch?: string;
}

export type ParserAnswer = { readonly value: string } | { readonly error: string };

/** Puts all questions to the Go program at `path`; the answers in the same order, values as JSON text. */
export async function askGo(path: string, questions: readonly ParserQuestion[]): Promise<ParserAnswer[]> {
  const child = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const written = (async () => {
    for (const { input, kind, patch } of questions) {
      const line = {
        kind,
        input: Buffer.from(input).toString('base64'),
        ...(patch === undefined ? {} : { patch: Buffer.from(patch).toString('base64') }),
      };
      if (!child.stdin.write(`${JSON.stringify(line)}\n`))
        await new Promise((resolve) => child.stdin.once('drain', resolve));
    }
    child.stdin.end();
  })();
  const answers: ParserAnswer[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    // The value's own text counts, not what a parser here makes of it.
    const end = line.lastIndexOf('}');
    answers.push(
      line.startsWith('{"value":')
        ? { value: line.slice('{"value":'.length, end) }
        : (JSON.parse(line) as { error: string }),
    );
  }
  await written;
  const code = await ended;
  if (code !== 0 || answers.length !== questions.length)
    throw new Error(`the Go parsers ended with ${code} after ${answers.length} of ${questions.length} answers`);
  return answers;
}
