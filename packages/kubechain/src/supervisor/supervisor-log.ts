import { appendFileSync } from 'node:fs';
import { Logger, Logging } from '@kubechain/apiserver/logging';
import type { ChildCommand } from './child-command.ts';
import { describeExit } from './child-exit.ts';
import type { ProcessEvent } from './process-event.ts';

const component = 'supervisor';
const log = new Logger(component);
const ownLine = /^[IWE]\d{4} [\d:.]+ +\d+ supervisor\] /;

/**
 * Adds what is decided about a process to its own log, in the form that it logs in: there it is looked for later, also
 * where the display has gone or was none (`--detach`, `--output json`). Its first start is no decision.
 */
export function logDecision({ args, logFile }: Pick<ChildCommand, 'args' | 'logFile'>, event: ProcessEvent): void {
  const write = (line: string): void => {
    try {
      appendFileSync(logFile, line, { mode: 0o600 });
    } catch {
      // A full disk: the rest is done all the same.
    }
  };
  new Logging({ verbosity: 0, format: logsJSON(args) ? 'json' : 'text', write }).run(() => {
    emit(event);
  });
}

/** Whether a line of a log is one of these. */
export function isOfSupervisor(line: string): boolean {
  return ownLine.test(line) || (line.startsWith('{"ts":') && line.includes(`"logger":"${component}"`));
}

function emit(event: ProcessEvent): void {
  switch (event.kind) {
    case 'ready': {
      const { afterMs, restarts } = event;
      if (restarts > 0) log.info('the process is ready again', { afterMs: Math.round(afterMs), restarts });
      return;
    }
    case 'starved': {
      const { silentMs, starvedMs } = event;
      log.warning('the process does not answer, and waits for a processor; leaving it alone', { silentMs, starvedMs });
      return;
    }
    case 'stuck': {
      const { silentMs, starvedMs } = event;
      log.error('the process does not answer; killing it', undefined, { silentMs, starvedMs });
      return;
    }
    case 'ended': {
      const { exit, restartInMs } = event;
      log.error('the process has ended; starting it again', undefined, { ended: describeExit(exit), restartInMs });
      return;
    }
    default:
      event satisfies never;
  }
}

function logsJSON(args: readonly string[]): boolean {
  return args.some(
    (flag, at) => flag === '--logging-format=json' || (flag === 'json' && args[at - 1] === '--logging-format'),
  );
}
