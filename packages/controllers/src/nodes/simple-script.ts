import type { Container, Pod } from '@kubechain/apimachinery/types/core/v1';

/** How long a container runs, and how it ends. */
export interface Script {
  /** Infinity: until it is ended. */
  readonly runMs: number;
  readonly exitCode: number;
}

const forever: Script = { runMs: Number.POSITIVE_INFINITY, exitCode: 0 };
const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const shells = new Set(['sh', 'bash', 'ash', 'dash']);

/**
 * What can be told from the commands of a pod's containers without running them: `sleep 5`, `true`, `false`, and
 * scripts of a shell that are made of these, `exit 3` and `echo`; images that only wait. Undefined where a container
 * does something else.
 */
export function scriptOf({ spec }: Pod): Script | undefined {
  const scripts = (spec?.containers ?? []).map(scriptOfContainer);
  let together: Script | undefined;
  for (const script of scripts) {
    if (script === undefined) return undefined;
    together = {
      runMs: Math.max(together?.runMs ?? 0, script.runMs),
      exitCode: (together?.exitCode ?? 0) || script.exitCode,
    };
  }
  return together;
}

function scriptOfContainer({ args = [], command = [], image = '' }: Container): Script | undefined {
  const [program = '', ...rest] = [...command, ...args];
  if (program === '') return /(?:^|\/)pause(?:[:@]|$)/.test(image) ? forever : undefined;
  const name = program.split('/').at(-1) ?? '';
  if (!shells.has(name)) return statement([name, ...rest].join(' '));
  const [flag, script] = rest;
  return flag === '-c' && script !== undefined ? sequence(script) : undefined;
}

function sequence(script: string): Script | undefined {
  if (/^while (?:true|:); ?do sleep [\d.]+; ?done$/.test(script.trim())) return forever;
  let runMs = 0;
  for (const text of script.split(/;|&&|\n/)) {
    const word = text.trim();
    const exit = /^exit(?: (\d+))?$/.exec(word);
    if (exit !== null) return { runMs, exitCode: Number(exit[1] ?? 0) };
    if (word === '' || word === ':' || /^echo(?: [\w .,:!'"-]*)?$/.test(word)) continue;
    const one = statement(word.replace(/^exec /, ''));
    if (one === undefined) return undefined;
    runMs += one.runMs;
    // What comes after && is not run, after ; it would be: only the last one may fail.
    if (one.exitCode !== 0) return script.trim().endsWith(word) ? { runMs, exitCode: one.exitCode } : undefined;
  }
  return { runMs, exitCode: 0 };
}

function statement(text: string): Script | undefined {
  if (text === 'true') return { runMs: 0, exitCode: 0 };
  if (text === 'false') return { runMs: 0, exitCode: 1 };
  if (text === 'sleep infinity') return forever;
  const [, count, unit = 's'] = /^sleep (\d+(?:\.\d+)?)([smhd])?$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  return { runMs: Number(count) * unitMs[unit as keyof typeof unitMs], exitCode: 0 };
}
