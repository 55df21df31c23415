import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/** What a command in a played container says, and how it ends. */
export interface CommandAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * On pods: commands and their answers, as JSON: `{"cat /etc/hosts": "127.0.0.1 localhost\n", "false": {"exitCode":
 * 1}}`.
 * `*` answers everything else.
 */
export const execAnnotation = 'simulation.kubechain.dev/exec';

/** On pods: what is shown to who attaches to a container. */
export const attachAnnotation = 'simulation.kubechain.dev/attach';

/**
 * The answer that a pod's annotation has for a command; else that of a few commands that need no container: `true`,
 * `false`, `echo`, `hostname`. Anything else is not found, with exit code 127.
 */
export function answerTo({ metadata }: Pod, words: readonly string[]): CommandAnswer {
  const command = words.join(' ');
  const script = scriptOf(metadata?.annotations?.[execAnnotation]);
  const scripted = script.get(command) ?? script.get('*');
  if (scripted !== undefined) return scripted;
  const [name = '', ...rest] = words;
  const say = (stdout: string): CommandAnswer => ({ stdout, stderr: '', exitCode: 0 });
  switch (name) {
    case 'true':
      return say('');
    case 'false':
      return { stdout: '', stderr: '', exitCode: 1 };
    case 'echo':
      return say(`${rest.join(' ')}\n`);
    case 'hostname':
      return say(`${metadata?.name ?? ''}\n`);
    default:
      return {
        stdout: '',
        stderr: `${name}: not found: the container is played, and the annotation ${execAnnotation} has no answer\n`,
        exitCode: 127,
      };
  }
}

/** What cannot be read is no script: its commands are not found. */
function scriptOf(text: string | undefined): ReadonlyMap<string, CommandAnswer> {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed !== 'object' || parsed === null) return new Map();
    return new Map(Object.entries(parsed).map(([command, answer]) => [command, answerOf(answer)]));
  } catch {
    return new Map();
  }
}

function answerOf(answer: unknown): CommandAnswer {
  if (typeof answer !== 'object' || answer === null) return { stdout: String(answer), stderr: '', exitCode: 0 };
  const { exitCode, stderr, stdout } = answer as Readonly<Record<string, unknown>>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    stdout: text(stdout),
    stderr: text(stderr),
    exitCode: typeof exitCode === 'number' && exitCode >= 0 && exitCode <= 255 ? Math.floor(exitCode) : 0,
  };
}
