import type { ChainEvent } from '../chain/chain.ts';
import { describeExit } from '../supervisor/supervised-process.ts';

/** Writes what happens, one short line each. */
export function progressPrinter(write: (line: string) => void): (event: ChainEvent) => void {
  const line = (name: string, text: string): void => write(`  ${name.padEnd(15)} ${text}`);
  return (event) => {
    switch (event.kind) {
      case 'certificates':
        if (event.made) line('certificates', `made in ${Math.round(event.afterMs)} ms`);
        return;
      case 'ready':
        line(event.name, `${event.restarts > 0 ? 'back' : 'ready'} after ${Math.round(event.afterMs)} ms`);
        return;
      case 'waiting':
        line(
          event.name,
          `not ready after ${Math.round(event.afterMs / 1000)} s${event.reason === '' ? '' : `: ${event.reason}`}`,
        );
        return;
      case 'stuck':
        line(event.name, `has not answered for ${Math.round(event.afterMs / 1000)} s, killing it`);
        return;
      case 'held':
        line(event.name, `${event.reason}, starting it again`);
        return;
      case 'ended': {
        const reason = event.exit.lastLine === '' ? '' : `: ${event.exit.lastLine}`;
        line(
          event.name,
          `ended ${describeExit(event.exit)}, restarting in ${(event.restartInMs / 1000).toFixed(2)} s${reason}`,
        );
        return;
      }
      default:
        event satisfies never;
    }
  };
}
