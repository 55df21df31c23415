import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/**
 * How often the runner is looked at: often enough that nobody finds the port still taken when starting again by hand.
 */
const lookMs = 1_000;

/** Names of the shells that runners of scripts put between themselves and the script. */
const shells = /^-?(?:sh|dash|bash|zsh|ash|ksh)$/;
/** A script that puts its programs into the background wants them to stay. */
const background = /(?:^|[^&>])&(?:[^&>]|$)|\b(?:nohup|setsid|disown)\b/;

/** What the system says of a process; undefined: it is not there. */
export interface ProcessFacts {
  readonly parent: number;
  readonly command: string;
}

export interface ScriptRunnerOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: this process's. */
  readonly parentPid?: () => number;
  readonly facts?: (pid: number) => Promise<ProcessFacts | undefined>;
  readonly lookMs?: number;
}

/**
 * Calls `onGone` once when the package manager whose script we are (`npm start`, `npx kubechain up`) has ended without
 * telling us: killed, or ended together with its shell by a signal that nobody passed on. Started in any other way, or
 * into the background, this watches nothing. The result stops watching.
 */
export function followScriptRunner(onGone: () => void, options: ScriptRunnerOptions = {}): () => void {
  const { env = process.env, parentPid = () => process.ppid, facts = processFacts } = options;
  if ((env['npm_lifecycle_event'] ?? '') === '' || background.test(env['npm_lifecycle_script'] ?? ''))
    return () => undefined;
  const parent = parentPid();
  // The runner itself, where a shell stands between us: it lives on when its own parent is killed.
  let runner: number | undefined;
  void facts(parent).then((known) => {
    if (known !== undefined && shells.test(known.command)) runner = known.parent;
  });
  const look = async (): Promise<void> => {
    const gone = parentPid() !== parent || (runner !== undefined && (await facts(parent))?.parent !== runner);
    if (!gone) return;
    clearInterval(timer);
    onGone();
  };
  const timer = setInterval(() => {
    void look();
  }, options.lookMs ?? lookMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

async function processFacts(pid: number): Promise<ProcessFacts | undefined> {
  try {
    if (process.platform !== 'linux') return await factsOfPs(pid);
    // `pid (command) state parent …`; the command may hold anything.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    return { command: stat.slice(stat.indexOf('(') + 1, end), parent: Number(stat.slice(end + 2).split(' ')[1]) };
  } catch {
    return undefined;
  }
}

function factsOfPs(pid: number): Promise<ProcessFacts | undefined> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], (_error, output) => {
      const [, parent, command = ''] = /^(\d+)\s+(\S.*)$/.exec(output.trim()) ?? [];
      resolve(parent === undefined ? undefined : { parent: Number(parent), command: command.split('/').at(-1) ?? '' });
    });
  });
}
