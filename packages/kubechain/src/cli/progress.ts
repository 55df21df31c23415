import type { ChainEvent } from '../chain/chain.ts';
import { describeExit } from '../supervisor/child-exit.ts';
import type { Silence } from '../supervisor/child-probe.ts';

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
        line(event.name, `has not answered for ${silenceText(event)}, killing it`);
        return;
      case 'starved':
        line(event.name, `has not answered for ${silenceText(event)}, leaving it alone`);
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

function silenceText({ silentMs, starvedMs }: Silence): string {
  const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
  return starvedMs < 500
    ? seconds(silentMs)
    : `${seconds(silentMs)}, ${seconds(starvedMs)} of them without a processor`;
}
